#include "founder/join_api/answers.hpp"

#include "common/link/http_values.hpp"

namespace stratum::founder::join_api {

link::ServerAnswer json_answer(int status, const Node& body) {
    link::ServerAnswer answer;
    answer.status = status;
    answer.body = write_json(body);
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

link::ServerAnswer problem_answer(const link::Problem& problem,
                                  const link::ServerRequest& request) {
    link::Problem told = problem;
    // What failed inside is for the log; a stranger only learns that it did, and the request's id.
    if (told.code == link::ProblemCode::kInternal)
        told.detail = "the founder could not do this now; its log has the reason under this "
                      "request's id";
    link::ServerAnswer answer;
    answer.status = link::info_of(told.code).status;
    answer.content_type = "application/problem+json";
    answer.body =
        write_json(link::to_node(told, request.request_id, link::encode_path(request.path)));
    answer.headers = told.headers;
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

} // namespace stratum::founder::join_api
