#include <array>

#include "common/base/reader.hpp"
#include "founder/api/policy.hpp"
#include "founder/api/route.hpp"
#include "founder/cursor.hpp"
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

// Whoever may make tokens could else give away, and so have, every right there is.
std::optional<link::Problem> why_too_much(const Call& call, const Node& wanted) {
    link::Problem problem;
    problem.code = link::ProblemCode::kForbidden;
    problem.issues = beyond(read_policy(call.token.policy).policy, read_policy(wanted).policy);
    if (problem.issues.empty()) return std::nullopt;
    problem.detail = "a token cannot make one that may do more than itself; issues says what";
    return problem;
}

RouteAnswer create(const Call& call) {
    const auto body = json_body(call.request);
    if (!body) return tl::make_unexpected(body.error());
    const auto request = token_request(*body);
    if (!request) return tl::make_unexpected(request.error());
    if (auto too_much = why_too_much(call, request->policy))
        return tl::make_unexpected(std::move(*too_much));
    const auto made = call.founder.create_token(request->note, request->policy, call.caller);
    if (!made) return tl::make_unexpected(made.error());
    Node document = token_document(made->record);
    document.set("token", made->token);
    return json_answer(document, 201);
}

RouteAnswer list(const Call& call) {
    const auto query = page_parameters(call.request);
    if (!query) return tl::make_unexpected(query.error());
    auto tokens = call.founder.tokens();
    if (!tokens) return tl::make_unexpected(tokens.error());
    const auto page = page_of(std::move(*tokens), "tokens", *query,
                              [](const TokenRecord& token) { return token.id; });
    if (!page) return tl::make_unexpected(page.error());
    return json_answer(page_document("tokens", *page, token_document));
}

RouteAnswer revoke(const Call& call) {
    const auto done = call.founder.revoke_token(call.id(), call.caller);
    if (!done) return tl::make_unexpected(done.error());
    return no_content();
}

constexpr std::array kRoutes = {
    Route{"POST", "/v1/admin/tokens", "iam:CreateToken", "iam.token.created", create},
    Route{"GET", "/v1/admin/tokens", "iam:ListTokens", "", list, "limit cursor"},
    Route{"DELETE", "/v1/admin/tokens/{tokenId}", "iam:RevokeToken", "iam.token.revoked", revoke,
          "", ""},
};

} // namespace

std::span<const Route> token_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
