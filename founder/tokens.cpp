#include "founder/tokens.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/ids.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {
namespace {

using link::ProblemCode;

constexpr std::string_view kTokenAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kTokenPrefix = "fbt_"; // so that a scanner can tell a leaked one
constexpr std::size_t kTokenCharacters = 43;      // 256 bits
constexpr std::size_t kLongestToken = 256;

std::string hash_of(std::string_view token) {
    return to_hex(sha256(bytes_of(token)));
}

} // namespace

MadeToken make_token(Ledger& ledger, const TokenRecord& wanted) {
    MadeToken made{wanted,
                   std::string(kTokenPrefix) + random_text(kTokenCharacters, kTokenAlphabet)};
    made.record.id = fresh_id(
        "tk-", [&](const std::string& id) { return ledger.get<TokenRecord>(id).has_value(); });
    made.record.hash = hash_of(made.token);
    if (!ledger.take(Claim::kTokenHash, made.record.hash, made.record.id))
        ledger.fault("a new token is there already");
    ledger.put(made.record.id, made.record);
    return made;
}

Answer<MadeToken> create_token(Context& context, const std::string& note, const Node& policy,
                               const Caller& caller) {
    return change<MadeToken>(context, [&](Ledger& ledger) {
        TokenRecord wanted;
        wanted.note = note;
        wanted.policy = policy;
        wanted.made_by = caller.actor;
        wanted.made_at = context.clock.unix_seconds();
        MadeToken made = make_token(ledger, wanted);
        write_audit(ledger, audit_of({wanted.made_at, caller, note}, "iam.token.created",
                                     "token/" + made.record.id));
        return kept(std::move(made));
    });
}

Answer<std::vector<TokenRecord>> list_tokens(Context& context) {
    using Tokens = std::vector<TokenRecord>;
    return look<Tokens>(context, [&](Ledger& ledger) -> Answer<Tokens> {
        Tokens tokens = ledger.list<TokenRecord>();
        std::stable_sort(tokens.begin(), tokens.end(),
                         [](const auto& a, const auto& b) { return a.made_at > b.made_at; });
        return tokens;
    });
}

Answer<void> revoke_token(Context& context, const std::string& id, const Caller& caller) {
    return change<void>(context, [&](Ledger& ledger) {
        auto token =
            id.starts_with("tk-") && id.size() < 32 ? ledger.get<TokenRecord>(id) : std::nullopt;
        if (!token) return refused<void>(problem(ProblemCode::kNotFound, "no token " + id));
        if (token->revoked_at != 0) return kept();
        token->revoked_at = context.clock.unix_seconds();
        ledger.put(id, *token);
        ledger.give_back(Claim::kTokenHash, id);
        write_audit(ledger, audit_of({token->revoked_at, caller, token->note}, "iam.token.revoked",
                                     "token/" + id));
        return kept();
    });
}

Answer<TokenRecord> authenticate(Context& context, std::string_view token) {
    const link::Problem unknown =
        problem(ProblemCode::kUnauthenticated, "this token is not known here");
    if (token.size() > kLongestToken) return tl::make_unexpected(unknown);
    // Looked up by its hash: how long that takes tells nothing about any token there is.
    const std::string hash = hash_of(token);
    const auto version = context.store.version();
    if (version)
        if (auto known = context.known_tokens.find(*version, hash)) return *std::move(known);
    auto answer = look<TokenRecord>(context, [&](Ledger& ledger) -> Answer<TokenRecord> {
        const auto id = ledger.holder(Claim::kTokenHash, hash);
        const auto record = ledger.get<TokenRecord>(id.value_or("tk-nobody"));
        if (!record || record->revoked_at != 0 ||
            !equal_constant_time(bytes_of(record->hash), bytes_of(hash)))
            return tl::make_unexpected(unknown);
        return *record;
    });
    if (answer && version) context.known_tokens.keep(*version, hash, *answer);
    return answer;
}

} // namespace stratum::founder
