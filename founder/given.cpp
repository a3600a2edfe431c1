#include "founder/given.hpp"

#include "founder/documents.hpp"

namespace stratum::founder {

Answer<std::optional<GivenRecord>> given_before(Ledger& ledger, const Caller& caller,
                                                std::int64_t now) {
    if (!caller.once) return std::optional<GivenRecord>();
    auto given = ledger.get<GivenRecord>(caller.once->id);
    if (!given || now - given->at >= kGivenSeconds) return std::optional<GivenRecord>();
    if (given->body_hash == caller.once->body_hash) return given;
    return tl::make_unexpected(
        problem(link::ProblemCode::kIdempotencyConflict,
                "this Idempotency-Key came before with another body; a new request needs a new "
                "key"));
}

void keep_given(Ledger& ledger, const Caller& caller, const JoinDetail& detail, std::int64_t now) {
    if (!caller.once) return;
    ledger.put(caller.once->id, GivenRecord{now, caller.once->body_hash, etag_of(detail.record),
                                            write_json(join_document(detail))});
}

bool forget_given(Ledger& ledger, std::int64_t now) {
    bool forgot = false;
    for (const Entry& entry : ledger.entries(Kind::kGiven)) {
        GivenRecord given;
        if (decode(entry.value, given) && now - given.at < kGivenSeconds) continue;
        ledger.erase(Kind::kGiven, entry.id);
        forgot = true;
    }
    return forgot;
}

} // namespace stratum::founder
