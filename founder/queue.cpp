#include "founder/queue.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"

namespace stratum::founder {
namespace {

std::string called(const JoinRecord& join) {
    return (join.name.empty() ? join.hostname : join.name) + " (" + join.id + ")";
}

bool counts(const QueueFacts& facts, const MemberRecord& member) {
    return member.status == "joined" && member.node_id != facts.self_node_id;
}

// Sentences name points in time, never spans: a span would change with each look, and every change
// wakes whoever watches the join.
std::string why_not_well(const QueueFacts& facts, const MemberRecord& member) {
    if (member.heard_at == 0)
        return "node " + member.name + " has not been heard from since it joined";
    if (facts.now - member.heard_at > kHeardWithinSeconds)
        return "node " + member.name + " was last heard from at " + format_time(member.heard_at);
    if (member.healthy) return "";
    const std::string why = member.complaints.empty() ? "" : ": " + member.complaints.front();
    return "node " + member.name + " is not healthy" + why;
}

// Each cause in the order in which it is named; an empty answer: it does not hold.
using Cause = std::string (*)(const QueueFacts&, const JoinRecord&);

std::string not_the_head(const QueueFacts& facts, const JoinRecord& join) {
    for (const JoinRecord& each : queue_order(facts)) {
        if (each.state != JoinState::kApproved) continue;
        return each.id == join.id
                   ? ""
                   : "waiting for node " + called(each) + ", which is before it in the queue";
    }
    return "";
}

std::string not_green(const QueueFacts& facts, const JoinRecord&) {
    const auto reasons = why_not_green(facts);
    return reasons.empty() ? "" : "waiting for the cluster to be green: " + reasons.front();
}

std::string another_runs(const QueueFacts& facts, const JoinRecord&) {
    for (const JoinRecord& each : facts.joins)
        if (info_of(each.state).is_running)
            return "waiting for node " + called(each) + ", which is " +
                   std::string(state_name(each.state)) +
                   (each.stalled ? " and has been silent for 10 minutes" : "");
    return "";
}

std::string removal_runs(const QueueFacts& facts, const JoinRecord&) {
    const auto removals = removal_order(facts);
    return removals.empty() ? "" : "waiting for node " + removals.front().name + " to be removed";
}

std::string generation_not_applied(const QueueFacts& facts, const JoinRecord&) {
    for (const MemberRecord& member : facts.members) {
        if (!counts(facts, member) || member.generation_applied >= facts.generation) continue;
        return "waiting for node " + member.name + " to apply membership generation " +
               std::to_string(facts.generation) + " (it has " +
               std::to_string(member.generation_applied) + ")";
    }
    return "";
}

constexpr std::array<Cause, 5> kCauses = {not_the_head, not_green, another_runs, removal_runs,
                                          generation_not_applied};

} // namespace

std::vector<std::string> why_not_green(const QueueFacts& facts) {
    std::vector<std::string> reasons;
    for (const MemberRecord& member : facts.members) {
        if (!counts(facts, member)) continue;
        if (std::string why = why_not_well(facts, member); !why.empty())
            reasons.push_back(std::move(why));
    }
    reasons.insert(reasons.end(), facts.failing_checks.begin(), facts.failing_checks.end());
    return reasons;
}

std::vector<MemberRecord> removal_order(const QueueFacts& facts) {
    std::vector<MemberRecord> removals;
    for (const MemberRecord& member : facts.members)
        if (member.status == "removing") removals.push_back(member);
    std::stable_sort(removals.begin(), removals.end(), [](const auto& a, const auto& b) {
        return a.removal_order < b.removal_order;
    });
    return removals;
}

std::string why_removal_waits(const QueueFacts& facts, const MemberRecord& member) {
    const auto removals = removal_order(facts);
    if (!removals.empty() && removals.front().node_id != member.node_id)
        return "waiting for node " + removals.front().name + ", which is to be removed before it";
    return another_runs(facts, {});
}

std::vector<JoinRecord> queue_order(const QueueFacts& facts) {
    std::vector<JoinRecord> queue = facts.joins;
    std::sort(queue.begin(), queue.end(), [](const JoinRecord& a, const JoinRecord& b) {
        const bool a_runs = info_of(a.state).is_running;
        const bool b_runs = info_of(b.state).is_running;
        return a_runs != b_runs ? a_runs : a.queue_order < b.queue_order;
    });
    return queue;
}

std::string why_waiting(const QueueFacts& facts, const JoinRecord& join) {
    for (const Cause cause : kCauses)
        if (std::string why = cause(facts, join); !why.empty()) return why;
    return "";
}

} // namespace stratum::founder
