// Taking a member out of the cluster. A person asks for it; it waits for its turn (one thing at a
// time: no join runs, no earlier removal), then the member is told with its next heartbeat, stops
// being a member on its own machine and says so, and its row goes with a new generation: its name,
// addresses, disks and place are free again. A dead member is removed with force, without its word.
#pragma once

#include "founder/context.hpp"
#include "founder/lifecycle.hpp"
#include "founder/queue.hpp"

namespace stratum::founder {

// A removal that the member was told of, and that it has not confirmed for so long, may be forced
// although the member is heard from.
inline constexpr std::int64_t kRemovalStalledAfterSeconds = 600;

// Asked again for the same node it is the same removal; force may be added. 404 for an unknown
// node; 409 for the founder itself, for one whose join is not done, and for force on a live member.
Answer<MemberRecord> remove_member(Context& context, const std::string& node_id,
                                   const RemoveOptions& options);

// A removal that waits for its turn is taken back: the node is a member as before. 404 for an
// unknown node; 409 for one that nobody removes, and for one that was told to leave.
Answer<MemberRecord> keep_member(Context& context, const std::string& node_id,
                                 const Caller& caller);

// Lets the first removal go on and tells each what it waits for. True where something changed.
bool move_removals(Context& context, Ledger& ledger);

// Has the member been told, or is it to be told now, that it is to leave?
bool is_to_leave(const MemberRecord& member);

// The member has left: its row, its claims and its key go, the generation is one more.
void finish_removal(Ledger& ledger, const MemberRecord& member, std::int64_t now);

// The answer to a key whose node was removed; nothing where there was none.
std::optional<link::Problem> was_removed(Ledger& ledger, const link::Fingerprint& key);

} // namespace stratum::founder
