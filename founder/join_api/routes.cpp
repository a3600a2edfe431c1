#include "founder/join_api/routes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/base/text.hpp"
#include "founder/join_api/answers.hpp"
#include "founder/join_api/calls.hpp"

namespace stratum::founder::join_api {
namespace {

using link::ProblemCode;

constexpr std::size_t kSmallBody = 256u << 10;
constexpr std::size_t kInventoryBody = 1u << 20;
constexpr std::size_t kNoBody = 4096; // of a GET: read and dropped

constexpr Route kRoutes[] = {
    {"POST", "/v1/join/registrations", true, kSmallBody, post_registration},
    {"POST", "/v1/join/registrations/{id}/reveal", true, kInventoryBody, post_reveal},
    {"PUT", "/v1/join/registrations/{id}/inventory", true, kInventoryBody, put_inventory},
    {"GET", "/v1/join/registrations/{id}", false, kNoBody, get_view},
    {"GET", "/v1/join/registrations/{id}/node.yaml", false, kNoBody, get_node_yaml},
    {"GET", "/v1/join/registrations/{id}/bundle", false, kNoBody, get_bundle},
    {"POST", "/v1/join/registrations/{id}/progress", true, kInventoryBody, post_progress},
    {"POST", "/v1/members/self/heartbeat", true, kSmallBody, post_heartbeat},
};

// The {id} where the path is the pattern's; an empty one where the pattern has none.
std::optional<std::string> match(std::string_view pattern, const std::string& path) {
    const auto wanted = split(pattern, '/');
    const auto given = split(path, '/');
    if (wanted.size() != given.size()) return std::nullopt;
    std::string id;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == "{id}" && !given[i].empty())
            id = given[i];
        else if (wanted[i] != given[i])
            return std::nullopt;
    }
    return id;
}

link::Problem made(ProblemCode code, std::string detail) {
    link::Problem problem;
    problem.code = code;
    problem.detail = std::move(detail);
    return problem;
}

struct Found {
    const Route* route = nullptr;
    std::string id;
    std::vector<std::string> allowed; // methods of this path, where it is one
};

Found find_route(const std::string& method, const std::string& path) {
    Found found;
    for (const Route& route : kRoutes) {
        const auto id = match(route.pattern, path);
        if (!id) continue;
        found.allowed.emplace_back(route.method);
        if (route.method != method) continue;
        found.route = &route;
        found.id = *id;
    }
    return found;
}

bool is_json(const link::ServerRequest& request) {
    const auto type = request.header("Content-Type");
    if (!type) return true;
    return lower(trim(split(*type, ';').front())) == "application/json";
}

// The body as a tree, or why it is none.
tl::expected<Node, link::Problem> read_body(const Route& route,
                                            const link::ServerRequest& request) {
    if (request.body_too_large)
        return tl::make_unexpected(
            made(ProblemCode::kPayloadTooLarge, "the body is larger than the " +
                                                    human_bytes_binary(route.most_body_bytes) +
                                                    " this call takes"));
    if (!route.takes_json) return Node();
    if (!is_json(request))
        return tl::make_unexpected(
            made(ProblemCode::kUnsupportedMediaType, "the body must be application/json"));
    Parsed parsed = parse_json(request.body, {.max_bytes = route.most_body_bytes});
    if (!parsed.root || !parsed.findings.empty())
        return tl::make_unexpected(link::invalid_input(parsed.findings));
    return std::move(*parsed.root);
}

// Bodies and headers never: they hold proofs and nonces. A path is a stranger's text.
std::string log_line(const link::ServerRequest& request, const link::ServerAnswer& answer) {
    constexpr std::size_t kLongestPath = 120;
    std::string line = "join-listener request=" + request.request_id +
                       " from=" + request.remote_address +
                       " status=" + std::to_string(answer.status) + " " + request.method + " " +
                       to_valid_utf8(request.path.substr(0, kLongestPath));
    return line;
}

link::ServerAnswer answer(Founder& founder, const link::ServerRequest& request) {
    if (!request.client_key)
        return problem_answer(
            made(ProblemCode::kUnauthenticated,
                 "this listener needs a client certificate: the key is who a joiner is"),
            request);
    const Found found = find_route(request.method, request.path);
    if (found.allowed.empty())
        return problem_answer(made(ProblemCode::kNotFound, "there is nothing at this path"),
                              request);
    if (found.route == nullptr) {
        link::Problem problem =
            made(ProblemCode::kMethodNotAllowed, request.method + " is not taken here");
        problem.headers.emplace_back("Allow", join(found.allowed, ", "));
        return problem_answer(problem, request);
    }
    auto body = read_body(*found.route, request);
    if (!body) return problem_answer(body.error(), request);
    return found.route->run({founder, request, *request.client_key, found.id, std::move(*body)});
}

} // namespace

std::span<const Route> routes() {
    return kRoutes;
}

link::Handler make_handler(Founder& founder, Log log) {
    return [&founder, log = std::move(log)](const link::ServerRequest& request) {
        link::ServerAnswer made = answer(founder, request);
        if (log) log(log_line(request, made));
        return made;
    };
}

std::size_t body_limit(const std::string& method, const std::string& path) {
    const Found found = find_route(method, path);
    return found.route == nullptr ? kNoBody : found.route->most_body_bytes;
}

} // namespace stratum::founder::join_api
