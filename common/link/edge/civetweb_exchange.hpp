// One request and its answer over one civetweb connection.
#pragma once

#include <functional>
#include <optional>

#include "common/link/http_answer.hpp"
#include "common/link/http_server.hpp"

struct mg_connection;

namespace stratum::link {

enum class BodyState { kWhole, kTooLarge, kBroken };

class Exchange {
public:
    // `stopping`: true as soon as the server is to end. `crowded`: true while connections are few,
    // so that none is kept for a next request.
    Exchange(mg_connection* connection, std::function<bool()> stopping,
             std::function<bool()> crowded);

    // Everything but the body. What of the head cannot be taken is a refusal to be answered.
    std::optional<Problem> read_head(ServerRequest& request);
    // The body up to `limit` bytes; kBroken: it did not come whole (nobody may be there any more).
    BodyState read_body(ServerRequest& request, std::size_t limit);
    // Sends the answer; lets out what a stream function throws (the connection then ends).
    void send(const ServerAnswer& answer, const ServerRequest& request);
    // The address at the other end, without port.
    static std::string peer_of(const mg_connection* connection);
    // No further request on this connection.
    void end_connection();
    // The same where the peer may still be sending what nobody reads: it gets to read its answer.
    void refuse_rest();

private:
    BodyState broken();
    bool write(std::string_view bytes);
    void send_stream(const ServerAnswer& answer, Framing framing);

    mg_connection* connection_;
    std::function<bool()> stopping_;
    std::function<bool()> crowded_;
    bool is_kept_ = false; // the client wants the connection for a next request
    bool failed_ = false;
    bool ending_ = false;
    bool unread_ = false; // a body is left on the wire
    bool waits_for_continue_ = false;
};

} // namespace stratum::link
