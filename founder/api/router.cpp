// From a request to an answer: find the row, know the caller, judge the call, ask the row.
#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "common/link/http_values.hpp"
#include "founder/api/admin_api.hpp"
#include "founder/api/policy.hpp"
#include "founder/api/route.hpp"

namespace stratum::founder::api {
namespace {

constexpr std::size_t kBodyLimitBytes = 256 * 1024;

// The ids of a path that fits the pattern; nothing where it does not.
std::optional<std::vector<std::string>> match(std::string_view pattern, const std::string& path) {
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

// A path with an id in the pattern gives way to one that spells the word out (…/join-codes/pause).
struct Found {
    const Route* route = nullptr;
    std::vector<std::string> ids;
    std::set<std::string> methods; // that this path has
};

Found find_route(const std::vector<Route>& table, const std::string& method,
                 const std::string& path) {
    Found found;
    const std::string wanted = method == "HEAD" ? "GET" : method;
    for (const Route& route : table) {
        const auto ids = match(route.pattern, path);
        if (!ids) continue;
        found.methods.insert(std::string(route.method));
        if (route.method != wanted) continue;
        if (found.route != nullptr && found.ids.size() <= ids->size()) continue;
        found.route = &route;
        found.ids = *ids;
    }
    if (found.methods.count("GET") != 0) found.methods.insert("HEAD");
    if (!found.methods.empty()) found.methods.insert("OPTIONS");
    return found;
}

std::string allow_header(const std::set<std::string>& methods) {
    const std::vector<std::string> list(methods.begin(), methods.end());
    return join(list, ", ");
}

link::Problem unauthenticated() {
    link::Problem problem;
    problem.code = link::ProblemCode::kUnauthenticated;
    problem.detail = "this call needs a valid token: Authorization: Bearer …";
    problem.headers = {{"WWW-Authenticate", "Bearer"}};
    return problem;
}

Answer<TokenRecord> token_of(Founder& founder, const link::ServerRequest& request) {
    const auto bearer = bearer_of(request);
    if (!bearer) return tl::make_unexpected(unauthenticated());
    auto token = founder.authenticate(*bearer);
    if (token) return token;
    // A store that could not be asked is not the caller's fault and must not read as a bad token.
    if (token.error().code != link::ProblemCode::kUnauthenticated) return token;
    return tl::make_unexpected(unauthenticated());
}

// "join/nj-…" for a route with an id, "cluster" for the others.
std::string resource_of(const Route& route, const std::vector<std::string>& ids) {
    const ActionSpec* action = find_action(route.action);
    if (action == nullptr || action->resource == "cluster" || ids.empty()) return "cluster";
    return std::string(action->resource) + "/" + ids.front();
}

link::Problem forbidden(const Route& route, const std::string& resource) {
    link::Problem problem;
    problem.code = link::ProblemCode::kForbidden;
    problem.detail =
        "this token's policy does not allow " + std::string(route.action) + " on " + resource;
    return problem;
}

// A policy that no longer holds (an older release's) allows nothing: what it denied is not known.
bool may_call(const Call& call, std::string_view action, std::string_view resource) {
    const ReadPolicy read = read_policy(call.token.policy);
    return read.issues.empty() && allows(read.policy, action, resource);
}

class Router {
public:
    explicit Router(Founder& founder) : founder_(founder), table_(routes()) {}

    link::ServerAnswer operator()(const link::ServerRequest& request) const {
        RouteAnswer answer = find_and_answer(request);
        link::ServerAnswer sent =
            answer ? std::move(*answer) : problem_answer(answer.error(), request);
        // Codes and tokens are in these answers, and none of them is the same a moment later.
        sent.headers.emplace_back("Cache-Control", "no-store");
        return sent;
    }

private:
    [[nodiscard]] RouteAnswer find_and_answer(const link::ServerRequest& request) const {
        const Found found = find_route(table_, request.method, request.path);
        if (found.methods.empty()) {
            link::Problem problem;
            problem.code = link::ProblemCode::kNotFound;
            problem.detail = "there is no " + request.path + " here";
            return tl::make_unexpected(std::move(problem));
        }
        if (request.method == "OPTIONS") {
            link::ServerAnswer answer = no_content();
            answer.headers.emplace_back("Allow", allow_header(found.methods));
            return answer;
        }
        if (found.route == nullptr) return method_not_allowed(request, found);
        if (!accepts(request, found.route->type)) {
            link::Problem problem;
            problem.code = link::ProblemCode::kNotAcceptable;
            problem.detail = "this call answers " + std::string(found.route->type) +
                             ", which Accept does not allow";
            return tl::make_unexpected(std::move(problem));
        }
        return judge_and_answer(request, found);
    }

    static RouteAnswer method_not_allowed(const link::ServerRequest& request, const Found& found) {
        link::Problem problem;
        problem.code = link::ProblemCode::kMethodNotAllowed;
        problem.detail =
            request.path + " has no " + request.method + "; it has " + allow_header(found.methods);
        problem.headers = {{"Allow", allow_header(found.methods)}};
        return tl::make_unexpected(std::move(problem));
    }

    [[nodiscard]] RouteAnswer judge_and_answer(const link::ServerRequest& request,
                                               const Found& found) const {
        Call call{
            founder_, request, found.ids, {}, {"", request.remote_address, request.request_id}};
        if (found.route->action.empty()) return found.route->answer(call);
        auto token = token_of(founder_, request);
        if (!token) return tl::make_unexpected(token.error());
        call.token = std::move(*token);
        call.caller.actor = call.token.id;
        const std::string resource = resource_of(*found.route, found.ids);
        if (!may_call(call, found.route->action, resource)) {
            const link::Problem refusal = forbidden(*found.route, resource);
            if (!found.route->audit.empty()) {
                founder_.audit_refused(std::string(found.route->audit), resource, call.caller,
                                       refusal.detail);
            }
            return tl::make_unexpected(refusal);
        }
        if (auto fine = known_parameters(request, found.route->parameters); !fine) {
            return tl::make_unexpected(std::move(fine.error()));
        }
        return found.route->answer(call);
    }

    static link::ServerAnswer problem_answer(const link::Problem& problem,
                                             const link::ServerRequest& request) {
        link::ServerAnswer answer;
        answer.status = link::info_of(problem.code).status;
        answer.content_type = "application/problem+json";
        answer.headers = problem.headers;
        answer.body =
            write_json(link::to_node(problem, request.request_id, link::encode_path(request.path)));
        answer.close = problem.code == link::ProblemCode::kPayloadTooLarge;
        return answer;
    }

    Founder& founder_;
    std::vector<Route> table_;
};

} // namespace

std::vector<Route> routes() {
    std::vector<Route> all;
    for (const auto part : {join_code_routes(), join_routes(), event_routes(), cluster_routes(),
                            token_routes(), public_routes()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

link::Handler make_admin_handler(Founder& founder) {
    return Router(founder);
}

std::size_t admin_body_limit(const std::string&, const std::string&) {
    return kBodyLimitBytes;
}

} // namespace stratum::founder::api
