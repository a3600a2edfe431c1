#include "founder/route_match.hpp"

#include "common/base/text.hpp"
#include "common/link/http_answer.hpp"
#include "common/link/http_values.hpp"

namespace stratum::founder {
namespace {

link::Problem made(link::ProblemCode code, std::string detail) {
    link::Problem problem;
    problem.code = code;
    problem.detail = std::move(detail);
    return problem;
}

} // namespace

std::optional<std::vector<std::string>> match_path(std::string_view pattern,
                                                   const std::string& path) {
    // Most rows of a table go by their first words, before anything is taken apart.
    if (!path.starts_with(pattern.substr(0, pattern.find('{')))) return std::nullopt;
    const auto wanted = split(pattern, '/');
    const auto found = split(path, '/');
    if (wanted.size() != found.size()) return std::nullopt;
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i].empty() && wanted[i].front() == '{') {
            if (found[i].empty()) return std::nullopt;
            ids.push_back(found[i]);
        } else if (wanted[i] != found[i]) {
            return std::nullopt;
        }
    }
    return ids;
}

std::optional<link::ServerAnswer> answer_without_row(const link::ServerRequest& request,
                                                     const RouteAsked& asked) {
    using Code = link::ProblemCode;
    if (asked.methods.empty())
        return link::problem_answer(made(Code::kNotFound, "there is no " + request.path + " here"),
                                    request);
    const std::string allow =
        join(std::vector<std::string>(asked.methods.begin(), asked.methods.end()), ", ");
    if (request.method == "OPTIONS") {
        link::ServerAnswer answer = link::empty_answer(204);
        answer.headers.emplace_back("Allow", allow);
        return answer;
    }
    if (!asked.has_row) {
        link::Problem problem =
            made(Code::kMethodNotAllowed,
                 request.path + " has no " + request.method + "; it has " + allow);
        problem.headers = {{"Allow", allow}};
        return link::problem_answer(problem, request);
    }
    if (link::accepts(request.header("Accept").value_or(""), asked.type)) return std::nullopt;
    return link::problem_answer(
        made(Code::kNotAcceptable,
             "this call answers " + std::string(asked.type) + ", which Accept does not allow"),
        request);
}

} // namespace stratum::founder
