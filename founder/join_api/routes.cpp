#include "founder/join_api/routes.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "common/base/text.hpp"
#include "common/link/http_answer.hpp"
#include "founder/join_api/calls.hpp"
#include "founder/limits.hpp"
#include "founder/route_match.hpp"

namespace stratum::founder::join_api {
namespace {

using link::problem_answer;
using link::ProblemCode;

constexpr std::string_view kJson = "application/json";

constexpr Route kRoutes[] = {
    {"POST", "/v1/join/registrations", true, kBodyBytes, post_registration, kJson,
     "cluster.join.registered"},
    {"POST", "/v1/join/registrations/{id}/reveal", true, kInventoryBodyBytes, post_reveal, kJson,
     "cluster.join.revealed"},
    {"PUT", "/v1/join/registrations/{id}/inventory", true, kInventoryBodyBytes, put_inventory,
     kJson, "cluster.join.inventory-replaced"},
    {"GET", "/v1/join/registrations/{id}", false, kNoBodyBytes, get_view},
    {"GET", "/v1/join/registrations/{id}/node.yaml", false, kNoBodyBytes, get_node_yaml,
     "application/yaml"},
    {"GET", "/v1/join/registrations/{id}/bundle", false, kNoBodyBytes, get_bundle,
     "application/x-tar"},
    {"POST", "/v1/join/registrations/{id}/progress", true, kInventoryBodyBytes, post_progress,
     kJson, "cluster.join.reported"},
    {"POST", "/v1/members/self/heartbeat", true, kBodyBytes, post_heartbeat, kJson,
     "cluster.member.reported"},
};

link::Problem made(ProblemCode code, std::string detail) {
    link::Problem problem;
    problem.code = code;
    problem.detail = std::move(detail);
    return problem;
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
    Parsed parsed = parse_json(request.body, body_limits(route.most_body_bytes));
    if (!parsed.root || !parsed.findings.empty())
        return tl::make_unexpected(link::invalid_input(parsed.findings));
    return std::move(*parsed.root);
}

using Found = FoundRoute<Route>;

std::string id_of(const Found& found) {
    return found.ids.empty() ? "" : found.ids.front();
}

CallAnswer judge_and_answer(Founder& founder, const link::ServerRequest& request,
                            const Found& found) {
    if (!request.client_key)
        return tl::make_unexpected(
            made(ProblemCode::kUnauthenticated,
                 "this listener needs a client certificate: the key is who a joiner is"));
    if (auto slow = founder.count_request(request.remote_address); !slow)
        return tl::make_unexpected(std::move(slow.error()));
    const bool has_row = found.row != nullptr;
    if (auto done =
            answer_without_row(request, {found.methods, has_row, has_row ? found.row->type : ""}))
        return std::move(*done);
    auto body = read_body(*found.row, request);
    if (!body) return tl::make_unexpected(std::move(body.error()));
    return found.row->run({founder, request, *request.client_key, id_of(found), std::move(*body)});
}

// Whose attempt it was: a join's, or a key's.
std::string object_of(const link::ServerRequest& request, const Found& found) {
    if (!found.ids.empty()) return "join/" + id_of(found);
    return request.client_key ? "key/" + request.client_key->str() : "cluster";
}

link::ServerAnswer answer(Founder& founder, const link::ServerRequest& request) {
    const auto found = find_route(kRoutes, request.method, request.path);
    CallAnswer answer = judge_and_answer(founder, request, found);
    if (answer) return std::move(*answer);
    if (found.row != nullptr && !found.row->audit.empty())
        founder.audit_refused(
            {std::string(found.row->audit), object_of(request, found), caller_of(request)},
            answer.error());
    return problem_answer(answer.error(), request);
}

} // namespace

Caller caller_of(const link::ServerRequest& request) {
    return {"joiner", request.remote_address, request.request_id};
}

Caller Call::caller() const {
    return caller_of(request);
}

std::span<const Route> routes() {
    return kRoutes;
}

link::Handler make_handler(Founder& founder) {
    return [&founder](const link::ServerRequest& request) { return answer(founder, request); };
}

std::size_t body_limit(const std::string& method, const std::string& path) {
    const auto found = find_route(kRoutes, method, path);
    return found.row == nullptr ? kNoBodyBytes : found.row->most_body_bytes;
}

} // namespace stratum::founder::join_api
