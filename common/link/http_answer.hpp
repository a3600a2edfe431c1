// What the server puts around a handler's answer: pure text, so that it is tested without a socket.
#pragma once

#include <cstdint>
#include <string>

#include "common/link/http_server.hpp"
#include "common/link/problem.hpp"

namespace stratum::link {

// A refusal as an answer: application/problem+json with the request's id and path, and the headers
// that go with it. What failed inside (500) is not told: the log has it under the request's id.
ServerAnswer problem_answer(const Problem& problem, const ServerRequest& request);
ServerAnswer json_answer(const Node& document, int status = 200);
ServerAnswer empty_answer(int status); // 204, 304

enum class Framing {
    kNone,    // no body follows (HEAD, 204, 304)
    kLength,  // Content-Length says how much follows
    kChunked, // pieces, each with its length
    kToEnd,   // all until the connection ends (HTTP/1.0)
};

struct HeadOptions {
    bool is_head = false;   // the method is HEAD
    bool is_old = false;    // HTTP/1.0
    bool keep_alive = true; // false: Connection: close
    std::int64_t unix_seconds = 0;
};

// How the body of this answer is framed.
Framing framing_of(const ServerAnswer& answer, const HeadOptions& options);

// The status line and all headers with the empty line behind them. Of the handler's headers, those
// that cannot stand in HTTP are left out; framing and connection are the server's to say.
std::string head_of(const ServerAnswer& answer, const std::string& request_id,
                    const HeadOptions& options);

} // namespace stratum::link
