#include "founder/lifecycle.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/base/text.hpp"
#include "founder/context.hpp"

namespace stratum::founder {
namespace {

// What the audit calls an event; an event that is nobody's decision and ends nothing is not told.
std::string_view audit_action(JoinEvent event) {
    switch (event) {
    case JoinEvent::kRegistered:
    case JoinEvent::kRegisteredOld:
        return "cluster.join.registered";
    case JoinEvent::kApprovedBy:
        return "cluster.join.approved";
    case JoinEvent::kSucceeded:
        return "cluster.join.joined";
    case JoinEvent::kBroke:
        return "cluster.join.failed";
    case JoinEvent::kRetriedBy:
        return "cluster.join.retried";
    case JoinEvent::kRejectedBy:
    case JoinEvent::kForcedOut:
        return "cluster.join.rejected";
    case JoinEvent::kPairingEnded:
        return "cluster.join.pairing-failed";
    case JoinEvent::kTimeUp:
        return "cluster.join.expired";
    case JoinEvent::kUpgraded:
    case JoinEvent::kStarted:
    case JoinEvent::kReported:
    case JoinEvent::kLeft: // told as the member's removal (removal.cpp)
        return "";
    }
    return "";
}

// Of a join that ends no member stays: its row goes, and the others learn of it by the generation.
void leave_cluster(Ledger& ledger, const JoinRecord& join) {
    if (join.node_id.empty()) return;
    const auto member = ledger.get<MemberRecord>(join.node_id);
    if (!member || member->join_id != join.id) return;
    ledger.erase(Kind::kMember, join.node_id);
    ledger.erase(Kind::kSample, join.node_id);
    new_generation(ledger);
}

void give_back_what_is_not_held(Ledger& ledger, const JoinRecord& join) {
    const StateInfo& info = info_of(join.state);
    if (info.is_terminal) {
        ledger.give_back(Claim::kPairingCode, join.id);
        ledger.erase(Kind::kLiveJoin, join.id);
    }
    if (!info.holds_key) ledger.give_back(Claim::kJoinKey, join.id);
    if (info.holds_place || !info.is_terminal) return;
    constexpr std::array kPlace = {Claim::kName, Claim::kNodeId, Claim::kAddress, Claim::kDiskKey};
    for (const Claim claim : kPlace) ledger.give_back(claim, join.id);
    leave_cluster(ledger, join);
}

constexpr std::int64_t kNever = INT64_MAX;

// When the clock may next have something to say of a live join; 0: at any time.
std::int64_t due_at(const JoinRecord& join) {
    if (info_of(join.state).is_running) return 0;
    const bool expires = next_state(join.state, JoinEvent::kTimeUp).has_value();
    const std::int64_t end = expires ? join.expires_at : kNever;
    return join.is_revealed() ? end : std::min(join.reveal_by, end);
}

// When a live join is to be looked at stands beside its id, so that a rack of waiting machines need
// not be read again and again. That it need not be any more (it is approved and does not expire)
// is no reason to write: the look in vain says so. Older stores have words before it, or something
// else: then it is looked at.
std::int64_t noted_due(const std::string& note) {
    const auto due = parse_decimal(std::string_view(note).substr(note.rfind(' ') + 1));
    return due ? static_cast<std::int64_t>(std::min<std::uint64_t>(*due, kNever)) : 0;
}

void note_due(Ledger& ledger, const JoinRecord& join) {
    ledger.put_text(Kind::kLiveJoin, join.id, std::to_string(due_at(join)));
}

void add_join(Ledger& ledger, const std::string& id, std::vector<JoinRecord>& joins) {
    if (auto join = ledger.get<JoinRecord>(id))
        joins.push_back(std::move(*join));
    else
        ledger.fault("a join that is listed is not there");
}

void sort_by_registration(std::vector<JoinRecord>& joins) {
    std::sort(joins.begin(), joins.end(),
              [](const JoinRecord& a, const JoinRecord& b) { return a.sequence < b.sequence; });
}

std::vector<JoinRecord> read_placed(Ledger& ledger) {
    std::vector<JoinRecord> joins;
    // The other holders are members: a founder, by itself, or joined, and so over.
    for (const Entry& held : ledger.held(Claim::kNodeId)) {
        if (held.value == held.id) continue;
        if (ledger.text(Kind::kLiveJoin, held.value)) add_join(ledger, held.value, joins);
    }
    std::erase_if(joins, [](const JoinRecord& join) { return !info_of(join.state).holds_place; });
    sort_by_registration(joins);
    return joins;
}

} // namespace

bool enter(Ledger& ledger, JoinRecord& join, JoinEvent event, const Occasion& occasion) {
    const bool is_new = join.revision == 0;
    const auto to = next_state(is_new ? std::nullopt : std::optional(join.state), event);
    if (!to) return false;
    join.state = *to;
    if (!info_of(*to).is_running) join.stalled = false;
    if (*to != JoinState::kApproved) join.wait_reason.clear();
    if (is_new) ledger.put_text(Kind::kJoinOrder, sequence_id(join.sequence), join.id);
    give_back_what_is_not_held(ledger, join);
    touch(ledger, join, occasion.now);
    if (const auto action = audit_action(event); !action.empty())
        write_audit(ledger, audit_of(occasion, std::string(action), "join/" + join.id));
    return true;
}

void touch(Ledger& ledger, JoinRecord& join, std::int64_t now) {
    ++join.revision;
    join.changed_at = now;
    if (join.change != 0) ledger.erase(Kind::kJoinChange, sequence_id(join.change));
    join.change = ledger.next("change");
    ledger.put_text(Kind::kJoinChange, sequence_id(join.change), join.id);
    ledger.note_changed(join.id);
    store_quietly(ledger, join);
}

void store_quietly(Ledger& ledger, const JoinRecord& join) {
    ledger.put(join.id, join);
    if (info_of(join.state).is_terminal) return;
    const auto note = ledger.text(Kind::kLiveJoin, join.id);
    const std::int64_t due = due_at(join);
    if (!note || (noted_due(*note) != due && due != kNever)) note_due(ledger, join);
}

std::optional<JoinRecord> find_join(Ledger& ledger, const std::string& id) {
    // Whatever came in a path is no id of ours unless it looks like one.
    if (id.size() > 32 || !id.starts_with("nj-")) return std::nullopt;
    return ledger.get<JoinRecord>(id);
}

std::vector<JoinRecord> placed_joins(Ledger& ledger) {
    return ledger.placed([&] { return read_placed(ledger); });
}

std::vector<JoinRecord> due_joins(Ledger& ledger, std::int64_t now) {
    std::vector<JoinRecord> joins;
    for (const Entry& entry : ledger.entries(Kind::kLiveJoin))
        if (noted_due(entry.value) <= now) add_join(ledger, entry.id, joins);
    sort_by_registration(joins);
    return joins;
}

bool looked_at(Ledger& ledger, const JoinRecord& join, std::int64_t now) {
    if (info_of(join.state).is_terminal || due_at(join) <= now) return false;
    note_due(ledger, join);
    return true;
}

link::Problem state_conflict(const JoinRecord& join, const std::string& what) {
    std::string detail = "join " + join.id + " is " + std::string(state_name(join.state));
    if (!join.ended_reason.empty()) detail += " (" + join.ended_reason + ")";
    link::Problem made = problem(link::ProblemCode::kJoinStateConflict, detail + ": " + what);
    made.details = Node::object();
    made.details.set("state", std::string(state_name(join.state)));
    return made;
}

ClusterRecord cluster_record(Ledger& ledger) {
    auto record = ledger.cluster();
    if (!record) {
        ledger.fault("it holds no cluster");
        return {};
    }
    return *record;
}

std::int64_t new_generation(Ledger& ledger) {
    ClusterRecord cluster = cluster_record(ledger);
    ++cluster.generation;
    ledger.put(kOnly, cluster);
    return cluster.generation;
}

} // namespace stratum::founder
