// HTTPS to one origin whose key is pinned. No redirects, no proxies from the environment, no CA:
// the pin is what counts, and a client without a pin can do nothing but ask for the key there is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/net.hpp"
#include "common/link/keys.hpp"

namespace stratum::link {

struct HttpRequest {
    std::string method = "GET";
    std::string path; // begins with /; query included
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<std::string> body;  // sent as application/json unless a Content-Type is given
    std::int64_t timeout_ms = 30'000; // of the whole exchange; 0: no limit (event streams)
    std::size_t max_answer_bytes = 16u << 20;
};

struct HttpAnswer {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    // The value of a header by name without case; nothing where it is absent.
    [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
};

class HttpClient {
public:
    virtual ~HttpClient() = default;
    // kUnavailable: no connection, with the reason; kDenied: the key there is not the pinned one
    // (nothing of the request was sent); kTimeout; kTooLarge; kInvalid: no HTTP. An answer with any
    // status is a value.
    virtual Result<HttpAnswer> send(const HttpRequest& request) = 0;
    // Called with pieces of the body as they come; false ends the transfer (which is no error). For
    // event streams and files: `max_answer_bytes` does not count. Only a 2xx answer's body goes to
    // `on_data`; another's comes back in the answer as with `send`.
    virtual Result<HttpAnswer> stream(const HttpRequest& request,
                                      const std::function<bool(std::string_view)>& on_data) = 0;
    // From another thread: the call in flight, and every later one, ends with kUnavailable
    // "stopped". A stopped client stays stopped.
    virtual void stop() = 0;
};

struct ClientOptions {
    HostPort server;
    std::vector<Fingerprint> pins;     // at least one; the server's key must be one of them
    const KeyPair* identity = nullptr; // the client certificate, if any; copied
    std::string user_agent = "firstboot";
};
// kInvalid for no pin ("no founder key"). One thread at a time; keeps its connection.
Result<std::unique_ptr<HttpClient>> make_client(const ClientOptions& options);

// Connects, reads the key of whoever answers, sends no HTTP. For a short join code, and for a
// person who is shown the key and asked.
Result<Fingerprint> ask_key(const HostPort& server, std::int64_t timeout_ms = 10'000);

} // namespace stratum::link
