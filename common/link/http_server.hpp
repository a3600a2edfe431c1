// An HTTPS listener: TLS 1.2 or later, any client certificate accepted and handed on as a
// fingerprint (the handler decides). One thread per connection, bounded. Bodies are read by the
// server up to the route's limit, so that a handler gets a whole request and gives a whole answer
// (or streams it).
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

struct ServerRequest {
    std::string method; // upper case
    std::string path;   // percent-decoded, without the query; always valid UTF-8
    std::string query;  // raw
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    bool body_too_large = false; // more than the limit came; body is then empty
    std::string remote_address;  // the peer's address, without port
    std::optional<Fingerprint> client_key;
    std::string request_id; // made here, 16 hex digits; also in X-Request-Id of the answer
    // True once the server is to stop: what a handler that waits has to ask. Holds as long as the
    // request, and needs no pointer to the server. Empty in a request that a test made.
    std::function<bool()> stopping;
    // True while so few connections are left that a handler should not hold its own: it answers and
    // asks for its end. Empty in a request that a test made.
    std::function<bool()> is_crowded;

    [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
    // The decoded value of a query parameter; nothing where it is absent.
    [[nodiscard]] std::optional<std::string> parameter(std::string_view name) const;
};

// Sends pieces of a streamed answer; false when the peer has gone or the server stops.
using StreamWriter = std::function<bool(std::string_view piece)>;

struct ServerAnswer {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string content_type = "application/json";
    std::string body;
    // When set, called after the headers are out instead of sending `body`: chunked, or as it is
    // where `headers` has a Content-Length (then the pieces must add up to it). Not called for
    // HEAD.
    std::function<void(const StreamWriter&)> stream;
    bool close = false; // end the connection after this answer
};

using Handler = std::function<ServerAnswer(const ServerRequest&)>;

struct ServerOptions {
    HostPort listen;                   // numeric address; port 0: any free one
    const KeyPair* identity = nullptr; // copied
    bool ask_client_certificate = false;
    int max_connections = 128;
    // Of one address (an IPv6 /64): more are closed before they cost anything. 0: no such limit.
    int max_per_address = 0;
    // The limit for this request's body; asked before it is read. Empty: 1 MiB for all.
    std::function<std::size_t(const std::string& method, const std::string& path)> body_limit;
    Handler handler; // from many threads at once; an exception it lets out becomes a 500
    // Told of such an exception, for the log; may be empty. From many threads at once.
    std::function<void(const std::string& request_id, const std::string& what)> on_fault;
    // Told of every answer before it is sent, also of those that no handler made (a head that
    // cannot be read), for the log; may be empty. From many threads at once.
    std::function<void(const ServerRequest& request, const ServerAnswer& answer)> on_answer;
};

class HttpServer {
public:
    virtual ~HttpServer() = default;
    [[nodiscard]] virtual std::uint16_t port() const = 0; // the real one
    // True once stop was asked: handlers that wait should end.
    [[nodiscard]] virtual bool stopping() const = 0;
    virtual void request_stop() = 0; // from any thread; handlers end soon
};
// The id of the request that this thread is answering; empty on any other thread. For log lines of
// what lies below a handler.
const std::string& current_request_id();

// Listening when it returns; the destructor stops and waits for the handlers.
Result<std::unique_ptr<HttpServer>> start_server(const ServerOptions& options);

} // namespace stratum::link
