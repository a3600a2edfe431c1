#include "founder/delivery.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "founder/bundle.hpp"
#include "founder/cluster_view.hpp"
#include "founder/lifecycle.hpp"
#include "founder/pairing_desk.hpp"
#include "founder/removal.hpp"

namespace stratum::founder {
namespace {

std::string address_only(const std::string& text) {
    const auto cidr = Cidr::parse(text);
    return cidr ? cidr->address().str() : text;
}

MemberRecord row_of(const JoinRecord& join, const config::NodeConfig& node) {
    MemberRecord row;
    row.node_id = node.node_id;
    row.name = node.name;
    row.role = node.role;
    row.status = "joining";
    row.join_id = join.id;
    row.key_fingerprint = join.key_fingerprint;
    row.mgmt_address = address_only(node.mgmt.address);
    row.disk_keys = join.disk_keys;
    for (const config::Connection& connection : node.connections) {
        const auto& purposes = connection.link.purposes;
        const bool carries = std::any_of(purposes.begin(), purposes.end(), [](const auto& p) {
            return p == "storage" || p == "overlay";
        });
        if (!carries) continue;
        for (const std::string& address : connection.link.addresses)
            row.addresses.push_back(address);
    }
    return row;
}

// A retry finds its row written already: nothing changed for the others then.
void write_row(Ledger& ledger, const MemberRecord& row) {
    if (ledger.get<MemberRecord>(row.node_id) == row) return;
    ledger.put(row.node_id, row);
    new_generation(ledger);
}

bool mark_silent(Ledger& ledger, JoinRecord& join, std::int64_t now) {
    if (!info_of(join.state).is_running || join.stalled) return false;
    if (now - join.heard_at < kStalledAfterSeconds) return false;
    join.stalled = true;
    touch(ledger, join, now);
    return true;
}

bool end_by_time(Ledger& ledger, JoinRecord& join, const Occasion& occasion) {
    if (end_if_overdue(ledger, join, occasion)) return true;
    if (occasion.now < join.expires_at || !next_state(join.state, JoinEvent::kTimeUp)) return false;
    join.ended_reason = "nobody approved it within 24 hours of its join code's expiry";
    return enter(ledger, join, JoinEvent::kTimeUp, occasion);
}

bool set_wait_reason(Ledger& ledger, JoinRecord join, const std::string& why, std::int64_t now) {
    if (join.wait_reason == why) return false;
    join.wait_reason = why;
    touch(ledger, join, now);
    return true;
}

// Lets the head start if it may, and tells every other what it waits for.
bool move_queue(Context& context, Ledger& ledger) {
    bool changed = false;
    QueueFacts facts = queue_facts(context, ledger);
    std::string refused_start;
    for (JoinRecord& join : queue_order(facts)) {
        if (join.state != JoinState::kApproved || !why_waiting(facts, join).empty()) continue;
        if (auto started = start_delivery(context, ledger, join); !started) {
            changed |= set_wait_reason(ledger, join, started.error().message, facts.now);
            refused_start = join.id;
            break;
        }
        changed = true;
        facts = queue_facts(context, ledger);
        break;
    }
    for (const JoinRecord& join : queue_order(facts)) {
        if (join.state != JoinState::kApproved || join.id == refused_start) continue;
        changed |= set_wait_reason(ledger, join, why_waiting(facts, join), facts.now);
    }
    return changed;
}

Answer<HashedFile> delivered(Context& context, const std::string& id, const link::Fingerprint& key,
                             Kind kind) {
    return look<HashedFile>(context, [&](Ledger& ledger) -> Answer<HashedFile> {
        const auto join = join_of_key(ledger, id, key);
        if (!join) return tl::make_unexpected(join.error());
        const std::string& hash =
            kind == Kind::kBundle ? join->bundle_sha256 : join->node_yaml_sha256;
        const bool ready = info_of(join->state).is_running || join->state == JoinState::kJoined ||
                           join->state == JoinState::kFailed;
        if (!ready || hash.empty())
            return tl::make_unexpected(
                state_conflict(*join, "there is nothing to fetch before it is delivering"));
        const auto bytes = ledger.text(kind, id);
        if (!bytes) ledger.fault("a delivered file is not there");
        return HashedFile{bytes.value_or(""), hash};
    });
}

} // namespace

QueueFacts queue_facts(Context& context, Ledger& ledger) {
    QueueFacts facts;
    facts.now = context.clock.unix_seconds();
    const ClusterRecord cluster = cluster_record(ledger);
    facts.generation = cluster.generation;
    facts.self_node_id = cluster.founder_node_id;
    facts.members = ledger.members();
    facts.failing_checks = context.health.failing(facts.now);
    for (JoinRecord& join : placed_joins(ledger))
        if (join.state == JoinState::kApproved || info_of(join.state).is_running)
            facts.joins.push_back(std::move(join));
    return facts;
}

Status start_delivery(Context& context, Ledger& ledger, JoinRecord& join) {
    const auto stored = ledger.text(Kind::kNodeYaml, join.id);
    const auto plan = config::check_node_yaml(stored.value_or(""));
    if (!plan.config) return fail(ErrorCode::kInternal, "its approved node.yaml cannot be read");
    // The row and its generation come first: node.yaml tells the joiner both.
    const MemberRecord row = row_of(join, *plan.config);
    ClusterRecord before = cluster_record(ledger);
    const auto old_row = ledger.get<MemberRecord>(row.node_id);
    write_row(ledger, row);
    const auto take_back = [&](std::string why) -> Status {
        ledger.put(kOnly, before);
        if (old_row)
            ledger.put(row.node_id, *old_row);
        else
            ledger.erase(Kind::kMember, row.node_id);
        return fail(ErrorCode::kUnavailable, std::move(why));
    };
    const Rendered rendered = render_for(context, ledger, join, *plan.config);
    const auto node = config::check_node_yaml(rendered.text).config;
    if (!node)
        return take_back("its node.yaml cannot be delivered: " + rendered.findings.lines().front());
    const auto bundle =
        make_bundle(context.files, context.options.bundle_folder, bundle_values(*node));
    if (!bundle) return take_back("its bundle cannot be made: " + bundle.error().message);
    join.node_yaml_sha256 = to_hex(sha256(bytes_of(rendered.text)));
    join.bundle_sha256 = to_hex(sha256(bytes_of(*bundle)));
    join.heard_at = context.clock.unix_seconds();
    ledger.put_text(Kind::kNodeYaml, join.id, rendered.text);
    ledger.put_text(Kind::kBundle, join.id, *bundle);
    if (!enter(ledger, join, JoinEvent::kStarted, {join.heard_at, {"founder", "", ""}, ""}))
        ledger.fault("a queued join cannot start");
    return {};
}

Status run_due(Context& context) {
    const std::int64_t now = context.clock.unix_seconds();
    const Occasion occasion{now, {"founder", "", ""}, ""};
    const auto done = change<void>(context, [&](Ledger& ledger) {
        bool changed = false;
        for (JoinRecord& join : due_joins(ledger, now)) {
            changed |= end_by_time(ledger, join, occasion);
            changed |= mark_silent(ledger, join, now);
            changed |= looked_at(ledger, join, now);
        }
        changed |= move_removals(context, ledger);
        changed |= move_queue(context, ledger);
        return Decision<void>{Answer<void>(), changed ? Ending::kCommit : Ending::kRollBack};
    });
    if (!done) return fail(ErrorCode::kIo, done.error().detail);
    return {};
}

Answer<HashedFile> delivered_node_yaml(Context& context, const std::string& id,
                                       const link::Fingerprint& key) {
    return delivered(context, id, key, Kind::kNodeYaml);
}

Answer<HashedFile> delivered_bundle(Context& context, const std::string& id,
                                    const link::Fingerprint& key) {
    return delivered(context, id, key, Kind::kBundle);
}

} // namespace stratum::founder
