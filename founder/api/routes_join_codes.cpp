#include <array>

#include "founder/api/route.hpp"
#include "founder/cursor.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

RouteAnswer create(const Call& call) {
    const auto body = json_body(call.request, true);
    if (!body) return tl::make_unexpected(body.error());
    const auto request = read_join_code_request(*body);
    if (!request) return tl::make_unexpected(request.error());
    const auto made = call.founder.create_join_code(*request, call.caller);
    if (!made) return tl::make_unexpected(made.error());
    return json_answer(join_code_document(*made), 201);
}

RouteAnswer list(const Call& call) {
    const auto query = page_parameters(call.request);
    if (!query) return tl::make_unexpected(query.error());
    auto codes = call.founder.join_codes();
    if (!codes) return tl::make_unexpected(codes.error());
    const auto page = page_of(std::move(*codes), "join-codes", *query,
                              [](const JoinCodeRecord& code) { return code.id; });
    if (!page) return tl::make_unexpected(page.error());
    Node (*const document)(const JoinCodeRecord&) = join_code_document;
    return json_answer(page_document("joinCodes", *page, document));
}

RouteAnswer revoke(const Call& call) {
    const auto done = call.founder.revoke_join_code(call.id(), call.caller);
    if (!done) return tl::make_unexpected(done.error());
    return no_content();
}

RouteAnswer lift_pause(const Call& call) {
    const auto done = call.founder.lift_pause(call.caller);
    if (!done) return tl::make_unexpected(done.error());
    return no_content();
}

constexpr std::array kRoutes = {
    Route{"POST", "/v1/admin/cluster/join-codes", "ha:CreateJoinCode", "cluster.join-code.created",
          create},
    Route{"GET", "/v1/admin/cluster/join-codes", "ha:ListJoinCodes", "", list, "limit cursor"},
    Route{"DELETE", "/v1/admin/cluster/join-codes/pause", "ha:LiftRegistrationPause",
          "cluster.join-code.pause-lifted", lift_pause, "", ""},
    Route{"DELETE", "/v1/admin/cluster/join-codes/{codeId}", "ha:RevokeJoinCode",
          "cluster.join-code.revoked", revoke, "", ""},
};

} // namespace

std::span<const Route> join_code_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
