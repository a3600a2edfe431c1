// The queue of approved joins and of removals: what each waits for, and who is next. Pure;
// delivery.hpp starts a join, removal.hpp moves a removal on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "founder/store/records.hpp"

namespace stratum::founder {

inline constexpr std::int64_t kHeardWithinSeconds = 60;

struct QueueFacts {
    std::int64_t now = 0;
    std::int64_t generation = 0;
    std::string self_node_id; // the serving founder: it counts itself
    std::vector<MemberRecord> members;
    std::vector<JoinRecord> joins;             // approved and running ones, in any order
    std::vector<std::string> failing_checks{}; // a sentence for each health check that fails
};

// Why the cluster is not green, a sentence for each cause, members first, then health checks;
// empty: it is green.
std::vector<std::string> why_not_green(const QueueFacts& facts);

// The queue in order: the running join first, then the approved by approval (a retry at the end).
std::vector<JoinRecord> queue_order(const QueueFacts& facts);

// Members that are to be removed, in the order in which that was asked for.
std::vector<MemberRecord> removal_order(const QueueFacts& facts);

// What this removal waits for before it may begin: a running join, an earlier removal; empty: it is
// its turn.
std::string why_removal_waits(const QueueFacts& facts, const MemberRecord& member);

// What this queued join waits for, the first cause that holds, with names; empty: it may start.
std::string why_waiting(const QueueFacts& facts, const JoinRecord& join);

} // namespace stratum::founder
