// The life of a join in the store: `enter` is the only way its state changes. It asks the table of
// arrows, counts the revision, gives back what the new state does not hold, and writes the audit.
#pragma once

#include <string>
#include <vector>

#include "founder/audit.hpp"
#include "founder/founder.hpp"
#include "founder/store/ledger.hpp"

namespace stratum::founder {

// Moves the join along its arrow and stores it; false where the table has no such arrow (nothing is
// then written).
[[nodiscard]] bool enter(Ledger& ledger, JoinRecord& join, JoinEvent event,
                         const Occasion& occasion);
// Stores a change that is no change of state: one revision more, and the newest of all changes.
void touch(Ledger& ledger, JoinRecord& join, std::int64_t now);
// Stores what nobody waits for (a sign of life): the revision stays.
void store_quietly(Ledger& ledger, const JoinRecord& join);

std::optional<JoinRecord> find_join(Ledger& ledger, const std::string& id);
// Joins that hold a place and are not over, in order of registration. They are found by the node
// ids that are held: hundreds may be pending and need not be looked at.
std::vector<JoinRecord> placed_joins(Ledger& ledger);
// Joins that are not over and of which the clock may have something to say now.
std::vector<JoinRecord> due_joins(Ledger& ledger, std::int64_t now);
// One of them was looked at: notes when it is to be looked at next. True where that is not now.
bool looked_at(Ledger& ledger, const JoinRecord& join, std::int64_t now);

// Refusals for a join that is in the wrong state, with the state and why it ended.
link::Problem state_conflict(const JoinRecord& join, const std::string& what);

// The cluster's one record; a store without it is a fault.
ClusterRecord cluster_record(Ledger& ledger);
// The member list changed: the generation is one more. Returns the new one.
std::int64_t new_generation(Ledger& ledger);

} // namespace stratum::founder
