#include "founder/removal.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/approval.hpp"
#include "founder/delivery.hpp"

namespace stratum::founder {
namespace {

using link::ProblemCode;

constexpr std::string_view kRemoved = "cluster.member.removed";
constexpr std::string_view kKept = "cluster.member.kept";
constexpr std::size_t kLongestId = 64;

std::string called(const MemberRecord& member) {
    return member.name + " (" + member.node_id + ")";
}

// Its last word: a heartbeat, or what its join reported before the first of them.
std::int64_t last_word(Ledger& ledger, const MemberRecord& member) {
    const auto join = find_join(ledger, member.join_id);
    return std::max(member.heard_at, join ? join->heard_at : 0);
}

bool is_silent(std::int64_t heard, std::int64_t now) {
    return now - heard > kHeardWithinSeconds;
}

// May its own word be done without: it is silent, or was told long ago and does not confirm.
bool may_force(Ledger& ledger, const MemberRecord& member, std::int64_t now) {
    const bool is_stuck = member.removal_started_at != 0 &&
                          now - member.removal_started_at >= kRemovalStalledAfterSeconds;
    return is_silent(last_word(ledger, member), now) || is_stuck;
}

link::Problem conflict(const MemberRecord& member, const std::string& why) {
    link::Problem made =
        problem(ProblemCode::kJoinStateConflict, "node " + called(member) + " " + why);
    made.details = Node::object();
    made.details.set("status", member.status);
    return made;
}

std::optional<MemberRecord> find_member(Ledger& ledger, const std::string& node_id) {
    // Whatever came in a path is no id of ours unless it looks like one.
    const bool plain = std::all_of(node_id.begin(), node_id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    });
    if (node_id.empty() || node_id.size() > kLongestId || !plain) return std::nullopt;
    return ledger.get<MemberRecord>(node_id);
}

link::Problem no_such_member(const std::string& node_id) {
    return problem(ProblemCode::kNotFound, "there is no member " + to_valid_utf8(node_id) +
                                               "; GET /v1/admin/cluster/members lists them");
}

link::Problem join_not_done(Ledger& ledger, const MemberRecord& member) {
    const auto join = find_join(ledger, member.join_id);
    const bool has_failed = join && join->state == JoinState::kFailed;
    const std::string state = join ? std::string(state_name(join->state)) : "not done";
    if (has_failed)
        return conflict(member, "is no member yet: its join " + member.join_id +
                                    " has failed; reject that join, and its name, addresses and "
                                    "place are free again");
    return conflict(member, "is no member yet: its join " + member.join_id + " is " + state +
                                "; wait until it is done, or, where it has been silent for 10 "
                                "minutes, reject that join with force");
}

std::optional<link::Problem> why_not(Ledger& ledger, const MemberRecord& member,
                                     const RemoveOptions& options, std::int64_t now) {
    if (member.join_id.empty() || member.node_id == cluster_record(ledger).founder_node_id)
        return conflict(member, "is the founder that serves this call; it cannot remove itself. "
                                "Remove the other nodes, or take the founder down by hand");
    if (member.status == "joining") return join_not_done(ledger, member);
    if (options.force && !may_force(ledger, member, now))
        return conflict(member,
                        "was heard from at " + format_time(last_word(ledger, member)) +
                            ", so it is not dead: remove it without force and it leaves by "
                            "itself. Force is for a node that has been silent for a minute, or "
                            "was told to leave 10 minutes ago and has not");
    return std::nullopt;
}

void ask_for(Ledger& ledger, MemberRecord& member, const RemoveOptions& options, std::int64_t now) {
    const bool is_new = member.status != "removing";
    const bool adds_force = options.force && !member.removal_forced;
    if (!is_new && !adds_force) return;
    if (is_new) {
        member.status = "removing";
        member.removal_order = ledger.next("removal");
        member.removal_asked_at = now;
    }
    member.removal_asked_by = options.caller.actor;
    member.removal_asked_from = options.caller.from;
    member.removal_forced = options.force || member.removal_forced;
    const Occasion occasion{now, options.caller,
                            called(member) + (options.force ? ", with force" : "")};
    write_audit(ledger, audit_of(occasion, "cluster.member.removing", "member/" + member.node_id));
}

std::string why_started_waits(Ledger& ledger, const MemberRecord& member, std::int64_t now) {
    const std::int64_t heard = last_word(ledger, member);
    if (!is_silent(heard, now))
        return "waiting for node " + member.name + " to stop being a member";
    return "waiting for node " + member.name + ", which was last heard from at " +
           format_time(heard) + "; if its machine is dead, remove it with force";
}

// One removal's next step at `now`. True where the row changed or went.
bool move_one(Ledger& ledger, const QueueFacts& facts, MemberRecord member) {
    const MemberRecord before = member;
    member.removal_waits_for = why_removal_waits(facts, member);
    if (member.removal_waits_for.empty()) {
        if (member.removal_started_at == 0) member.removal_started_at = facts.now;
        if (member.removal_forced && may_force(ledger, member, facts.now)) {
            finish_removal(ledger, member, facts.now);
            return true;
        }
        member.removal_waits_for = why_started_waits(ledger, member, facts.now);
    }
    if (member == before) return false;
    ledger.put(member.node_id, member);
    return true;
}

} // namespace

Answer<MemberRecord> remove_member(Context& context, const std::string& node_id,
                                   const RemoveOptions& options) {
    const std::int64_t now = context.clock.unix_seconds();
    return change<MemberRecord>(context, [&](Ledger& ledger) {
        auto member = find_member(ledger, node_id);
        if (!member) return refused<MemberRecord>(no_such_member(node_id));
        if (auto refusal = why_not(ledger, *member, options, now))
            return refused<MemberRecord>(std::move(*refusal));
        ask_for(ledger, *member, options, now);
        ledger.put(member->node_id, *member);
        member->removal_waits_for = why_removal_waits(queue_facts(context, ledger), *member);
        if (member->removal_waits_for.empty())
            member->removal_waits_for = why_started_waits(ledger, *member, now);
        ledger.put(member->node_id, *member);
        return kept(std::move(*member));
    });
}

Answer<MemberRecord> keep_member(Context& context, const std::string& node_id,
                                 const Caller& caller) {
    return change<MemberRecord>(context, [&](Ledger& ledger) {
        auto member = find_member(ledger, node_id);
        if (!member) return refused<MemberRecord>(no_such_member(node_id));
        if (member->status != "removing")
            return refused<MemberRecord>(conflict(*member, "is not being removed"));
        if (member->removal_started_at != 0)
            return refused<MemberRecord>(conflict(
                *member, "was told to leave at " + format_time(member->removal_started_at) +
                             " and may have begun to; when it is gone, join the machine "
                             "anew with a join code"));
        MemberRecord kept_member = *member;
        kept_member.status = "joined";
        kept_member.removal_order = kept_member.removal_asked_at = 0;
        kept_member.removal_asked_by.clear();
        kept_member.removal_asked_from.clear();
        kept_member.removal_forced = false;
        kept_member.removal_waits_for.clear();
        ledger.put(node_id, kept_member);
        write_audit(ledger, audit_of({context.clock.unix_seconds(), caller, called(*member)},
                                     std::string(kKept), "member/" + node_id));
        return kept(std::move(kept_member));
    });
}

bool move_removals(Context& context, Ledger& ledger) {
    // Most looks find none; only then are the joins looked at.
    QueueFacts members;
    members.members = ledger.list<MemberRecord>();
    bool changed = false;
    for (const MemberRecord& member : removal_order(members)) {
        // Each looks anew: the one before may just have gone.
        changed |= move_one(ledger, queue_facts(context, ledger), member);
    }
    return changed;
}

bool is_to_leave(const MemberRecord& member) {
    return member.status == "removing" && member.removal_started_at != 0;
}

void finish_removal(Ledger& ledger, const MemberRecord& member, std::int64_t now) {
    auto join = find_join(ledger, member.join_id);
    if (!join) {
        ledger.fault("a member's join is not there");
        return;
    }
    const std::string why = member.removal_forced ? "by force, last heard from at " +
                                                        format_time(last_word(ledger, member))
                                                  : "it has left";
    join->ended_reason = "its node was removed from the cluster";
    const Occasion occasion{
        now, {member.removal_asked_by, member.removal_asked_from, ""}, called(member) + ": " + why};
    // The arrow gives back what the join held, erases the row and counts the generation up.
    if (!enter(ledger, *join, JoinEvent::kLeft, occasion)) ledger.fault("a member cannot leave");
    ledger.put(member.key_fingerprint, RemovedRecord{member.node_id, member.name, member.join_id,
                                                     now, member.removal_forced});
    write_audit(ledger, audit_of(occasion, std::string(kRemoved), "member/" + member.node_id));
}

std::optional<link::Problem> was_removed(Ledger& ledger, const link::Fingerprint& key) {
    const auto removed = ledger.get<RemovedRecord>(key.str());
    if (!removed) return std::nullopt;
    link::Problem made = problem(
        ProblemCode::kForbidden,
        "node " + removed->name + " (" + removed->node_id + ") was removed from this cluster at " +
            format_time(removed->removed_at) +
            " and is no member any more. To bring the machine back, join it anew with a join code");
    made.details = Node::object();
    made.details.set("removed", Node::boolean(true)).set("nodeId", removed->node_id);
    made.details.set("name", removed->name).set("removedAt", format_time(removed->removed_at));
    return made;
}

} // namespace stratum::founder
