// Answers of a listener, from what the founder says.
#pragma once

#include <string>

#include "common/link/http_server.hpp"
#include "founder/founder.hpp"

namespace stratum::founder::join_api {

link::ServerAnswer json_answer(int status, const Node& body);
// application/problem+json with the headers the problem asks for. What failed inside (500) is not
// told; the founder gave it to the log.
link::ServerAnswer problem_answer(const link::Problem& problem, const link::ServerRequest& request);

} // namespace stratum::founder::join_api
