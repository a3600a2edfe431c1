// Members' reports of their substrate: each comes with a heartbeat, the last of each is kept, and
// the cluster's report is put together of them.
#pragma once

#include <optional>
#include <string>

#include "founder/context.hpp"

namespace stratum::founder {

// What came with a heartbeat, read before the store is asked.
struct SentSample {
    std::string text;    // the report as it is kept
    std::string refusal; // why it is not taken: up to three findings on one line; empty: it is
};
// Nothing where the heartbeat has none. What a member says of itself is held against the founder's
// pins: what is shipped is the cluster's, and the member's build may know another.
std::optional<SentSample> read_sample(const Context& context, const link::Heartbeat& beat);

// Keeps a member's report, within the heartbeat's own change: the report where it reads otherwise
// than the one before, and its time in the member's row, which whoever calls writes. One that is
// refused leaves the one before.
void keep_sample(Context& context, Ledger& ledger, MemberRecord& member, const SentSample& sample);
// Afterwards: a refusal is told to the log, the same one of a member once.
void tell_refusal(Context& context, const MemberRecord& member, const SentSample& sample);

// As this founder starts: its pins may be others than those that the kept reports were held against
// when they came. What now reads worse is kept so.
Answer<void> judge_kept_samples(Context& context);

Answer<Compatibility> compatibility(Context& context, bool refresh);

} // namespace stratum::founder
