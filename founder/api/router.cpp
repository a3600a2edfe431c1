// From a request to an answer: find the row, know the caller, judge the call, ask the row.
#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "common/link/http_values.hpp"
#include "founder/api/admin_api.hpp"
#include "founder/api/policy.hpp"
#include "founder/api/route.hpp"
#include "founder/limits.hpp"
#include "founder/route_match.hpp"

namespace stratum::founder::api {
namespace {

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

// Who guesses is slowed down; whoever has a token is not held up by others behind its address.
Answer<TokenRecord> known_caller(Founder& founder, const link::ServerRequest& request) {
    auto token = token_of(founder, request);
    if (token || token.error().code != link::ProblemCode::kUnauthenticated) return token;
    if (auto slow = founder.count_wrong_token(request.remote_address); !slow)
        return tl::make_unexpected(std::move(slow.error()));
    return token;
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
        const auto found = find_route(table_, request.method, request.path);
        const bool has_row = found.row != nullptr;
        if (auto done = answer_without_row(
                request, {found.methods, has_row, has_row ? found.row->type : ""}))
            return std::move(*done);
        Call call{founder_,
                  request,
                  found.ids,
                  {},
                  {"nobody", request.remote_address, request.request_id}};
        RouteAnswer answer = judge_and_answer(call, *found.row);
        if (!answer) {
            note_refusal(call, *found.row, answer.error());
            return link::problem_answer(answer.error(), request);
        }
        // Codes and tokens are in these answers, and none of them is the same a moment later.
        if (!link::find_header(answer->headers, "Cache-Control"))
            answer->headers.emplace_back("Cache-Control", "no-store");
        return std::move(*answer);
    }

private:
    [[nodiscard]] RouteAnswer judge_and_answer(Call& call, const Route& route) const {
        if (route.action.empty()) return route.answer(call);
        auto token = known_caller(founder_, call.request);
        if (!token) return tl::make_unexpected(std::move(token.error()));
        call.token = std::move(*token);
        call.caller.actor = call.token.id;
        const std::string resource = resource_of(route, call.ids);
        if (!may_call(call, route.action, resource))
            return tl::make_unexpected(forbidden(route, resource));
        if (auto fine = known_parameters(call.request, route.parameters); !fine)
            return tl::make_unexpected(std::move(fine.error()));
        return route.answer(call);
    }

    // A refused attempt to change something is told, whoever it was. A dry run changes nothing; but
    // who may not even try is told.
    void note_refusal(const Call& call, const Route& route, link::Problem& why) const {
        if (route.audit.empty()) return;
        const bool may_try = !call.token.id.empty() && why.code != link::ProblemCode::kForbidden;
        if (may_try && call.request.parameter("dryRun") == "true") return;
        founder_.audit_refused(
            {std::string(route.audit), resource_of(route, call.ids), call.caller}, why);
    }

    Founder& founder_;
    std::vector<Route> table_;
};

} // namespace

std::vector<Route> routes() {
    std::vector<Route> all;
    for (const auto part :
         {join_code_routes(), join_routes(), event_routes(), cluster_routes(), substrate_routes(),
          token_routes(), public_routes(), metrics_routes()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

link::Handler make_admin_handler(Founder& founder) {
    return Router(founder);
}

std::size_t admin_body_limit(const std::string&, const std::string&) {
    return kBodyBytes;
}

} // namespace stratum::founder::api
