#include <array>

#include "common/base/reader.hpp"
#include "founder/api/policy.hpp"
#include "founder/api/route.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

struct TokenRequest {
    std::string note;
    Node policy;
};

Answer<TokenRequest> token_request(const Node& body) {
    Findings findings;
    ObjectReader reader(body, FieldPath(), findings);
    TokenRequest request;
    request.note = reader.optional_string("note").value_or("");
    if (request.note.size() > 200) reader.add("note", "is longer than 200 bytes");
    const Node* policy = reader.member("policy");
    if (policy == nullptr) reader.add("policy", "missing: say what the token may do");
    reader.finish();
    link::Problem problem = link::invalid_input(findings);
    if (policy != nullptr) {
        problem.issues = read_policy(*policy).issues;
        request.policy = *policy;
    }
    if (findings.empty() && problem.issues.empty()) return request;
    if (findings.empty()) problem.detail = "the policy document does not hold; issues says why";
    return tl::make_unexpected(std::move(problem));
}

RouteAnswer create(const Call& call) {
    const auto body = json_body(call.request);
    if (!body) return tl::make_unexpected(body.error());
    const auto request = token_request(*body);
    if (!request) return tl::make_unexpected(request.error());
    const auto made = call.founder.create_token(request->note, request->policy, call.caller);
    if (!made) return tl::make_unexpected(made.error());
    Node document = token_document(made->record);
    document.set("token", made->token);
    return json_answer(document, 201);
}

RouteAnswer list(const Call& call) {
    const auto tokens = call.founder.tokens();
    if (!tokens) return tl::make_unexpected(tokens.error());
    Node items = Node::array();
    for (const TokenRecord& token : *tokens) items.push(token_document(token));
    return json_answer(Node::object().set("tokens", std::move(items)));
}

RouteAnswer revoke(const Call& call) {
    const auto done = call.founder.revoke_token(call.id(), call.caller);
    if (!done) return tl::make_unexpected(done.error());
    return no_content();
}

constexpr std::array kRoutes = {
    Route{"POST", "/v1/admin/tokens", "iam:CreateToken", "iam.token.created", create},
    Route{"GET", "/v1/admin/tokens", "iam:ListTokens", "", list},
    Route{"DELETE", "/v1/admin/tokens/{tokenId}", "iam:RevokeToken", "iam.token.revoked", revoke,
          "", ""},
};

} // namespace

std::span<const Route> token_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
