// Answers that are given again: a request that carries an Idempotency-Key and that changed
// something leaves its answer in the transaction of the change, and the same request gets that
// answer again for a day. Two at once: the store lets one act, the other finds its answer. What was
// refused changed nothing and is judged anew.
#pragma once

#include <optional>
#include <string>

#include "founder/context.hpp"

namespace stratum::founder {

inline constexpr std::int64_t kGivenSeconds = 24 * 3600;

// The answer that this request got before; nothing at the first time, or without a key. 409
// IDEMPOTENCY_CONFLICT where the key came with another body.
Answer<std::optional<GivenRecord>> given_before(Ledger& ledger, const Caller& caller,
                                                std::int64_t now);
// Leaves the join as it is now as this request's answer.
void keep_given(Ledger& ledger, const Caller& caller, const JoinDetail& detail, std::int64_t now);
// Removes what is older than a day. True where there was any.
bool forget_given(Ledger& ledger, std::int64_t now);

} // namespace stratum::founder
