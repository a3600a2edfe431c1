// The join listener's calls as a table, and the handler that walks it: certificate, path, method,
// body, then the call. Answers are problems or the bodies of common/link/messages.hpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "common/link/http_server.hpp"
#include "founder/founder.hpp"

namespace stratum::founder::join_api {

// One request on its way to its call.
struct Call {
    Founder& founder;
    const link::ServerRequest& request;
    const link::Fingerprint& key; // the client certificate's
    std::string id;               // the {id} of the path; empty where it has none
    Node body;                    // parsed; null where the method takes none

    [[nodiscard]] Caller caller() const;
};
// A joiner, or who says so.
Caller caller_of(const link::ServerRequest& request);

using CallAnswer = Answer<link::ServerAnswer>;

struct Route {
    std::string_view method;
    std::string_view pattern; // one {id} at most
    bool takes_json = false;
    std::size_t most_body_bytes = 0;
    CallAnswer (*run)(const Call& call) = nullptr;
    std::string_view type = "application/json"; // what it answers
    std::string_view audit = {}; // the audit action of a refused attempt; empty: it changes nothing
};

std::span<const Route> routes();

// The handler and the body limit that the listener is started with. `founder` must outlive both.
link::Handler make_handler(Founder& founder);
std::size_t body_limit(const std::string& method, const std::string& path);

} // namespace stratum::founder::join_api
