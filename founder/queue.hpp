// The queue of approved joins: what its head waits for, and who is next. Pure; delivery.hpp starts
// one.
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
    std::vector<JoinRecord> joins; // approved and running ones, in any order
};

// Why the cluster is not green, a sentence for each member; empty: it is green.
std::vector<std::string> why_not_green(const QueueFacts& facts);

// The queue in order: the running join first, then the approved by approval (a retry at the end).
std::vector<JoinRecord> queue_order(const QueueFacts& facts);

// What this queued join waits for, the first cause that holds, with names; empty: it may start.
std::string why_waiting(const QueueFacts& facts, const JoinRecord& join);

} // namespace stratum::founder
