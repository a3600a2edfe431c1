#include "founder/members.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "founder/cluster_view.hpp"
#include "founder/delivery.hpp"
#include "founder/join_codes.hpp"
#include "founder/lifecycle.hpp"
#include "founder/removal.hpp"
#include "founder/samples.hpp"

namespace stratum::founder {
namespace {

using link::ProblemCode;

// A stretch of IPv4 addresses, both ends included.
struct Range {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

std::optional<Range> parse_range(const std::string& text) {
    const auto dash = text.find('-');
    if (dash != std::string::npos) {
        const auto from = IpAddress::parse(trim(std::string_view(text).substr(0, dash)));
        const auto to = IpAddress::parse(trim(std::string_view(text).substr(dash + 1)));
        if (!from || !to || !from->is_v4() || !to->is_v4()) return std::nullopt;
        return Range{from->v4_value(), to->v4_value()};
    }
    if (const auto cidr = Cidr::parse(text); cidr && cidr->address().is_v4())
        return Range{cidr->network().v4_value(), cidr->broadcast().v4_value()};
    const auto address = IpAddress::parse(text);
    if (!address || !address->is_v4()) return std::nullopt;
    return Range{address->v4_value(), address->v4_value()};
}

// What is left of `whole` when the taken stretches are cut out of it.
std::uint64_t left_of(const Range& whole, std::vector<Range> taken) {
    if (whole.to < whole.from) return 0;
    std::sort(taken.begin(), taken.end(),
              [](const Range& a, const Range& b) { return a.from < b.from; });
    std::uint64_t left = 0;
    std::uint64_t at = whole.from;
    for (const Range& each : taken) {
        if (each.to < at || each.from > whole.to) continue;
        if (each.from > at) left += each.from - at;
        at = std::max(at, each.to + 1);
    }
    return at <= whole.to ? left + (whole.to - at + 1) : left;
}

// The addresses that are anybody's, whoever holds them.
std::set<IpAddress> held(const config::Network& network, const config::ClusterView& view) {
    std::set<IpAddress> all;
    const auto add = [&](const IpAddress& address) {
        if (network.cidr.contains(address)) all.insert(address);
    };
    for (const config::Holder& holder : view.holders)
        for (const IpAddress& address : holder.addresses) add(address);
    for (const IpAddress& vip : view.vips) add(vip);
    return all;
}

std::optional<MemberRecord> member_of_key(Ledger& ledger, const link::Fingerprint& key) {
    const auto join_id = ledger.holder(Claim::kJoinKey, key.str());
    const auto join = join_id ? find_join(ledger, *join_id) : std::nullopt;
    if (!join || join->node_id.empty()) return std::nullopt;
    auto member = ledger.get<MemberRecord>(join->node_id);
    if (!member || member->key_fingerprint != key.str()) return std::nullopt;
    return member;
}

link::Problem no_member(Ledger& ledger, const link::Fingerprint& key) {
    if (auto removed = was_removed(ledger, key)) return std::move(*removed);
    return problem(ProblemCode::kJoinKeyMismatch, "no member of this cluster has this key");
}

struct Beat {
    link::Heartbeat heartbeat;
    std::optional<SentSample> sample;
};

Decision<link::HeartbeatAnswer> take_beat(Context& context, Ledger& ledger, MemberRecord& member,
                                          const Beat& sent) {
    const auto& [beat, sample] = sent;
    link::HeartbeatAnswer answer;
    answer.generation = cluster_record(ledger).generation;
    answer.server_time = context.clock.unix_seconds();
    if (is_to_leave(member)) answer.removal = link::Removal::kLeave;
    if (beat.generation_applied < answer.generation) answer.members = member_list(ledger);
    member.heard_at = answer.server_time;
    // Nobody has applied what is not made yet.
    member.generation_applied = std::min(beat.generation_applied, answer.generation);
    member.healthy = beat.healthy;
    member.complaints = beat.complaints;
    if (sample) {
        keep_sample(context, ledger, member, *sample);
        answer.sample_refused = sample->refusal;
    }
    ledger.put(member.node_id, member);
    return kept(std::move(answer));
}

// The machine has stopped being a member. Where nobody asked for that here (this store was put back
// from before) it is told to the people instead: they remove it.
Decision<link::HeartbeatAnswer> take_leave(Context& context, Ledger& ledger, MemberRecord member) {
    const std::int64_t now = context.clock.unix_seconds();
    link::HeartbeatAnswer answer;
    answer.server_time = now;
    if (is_to_leave(member)) {
        finish_removal(ledger, member, now);
        answer.removal = link::Removal::kDone;
    } else {
        member.heard_at = now;
        member.healthy = false;
        member.complaints = {"its machine has left the cluster; remove the node"};
        ledger.put(member.node_id, member);
    }
    answer.generation = cluster_record(ledger).generation;
    return kept(std::move(answer));
}

} // namespace

Answer<link::HeartbeatAnswer> take_heartbeat(Context& context, const Node& body,
                                             const link::Fingerprint& key) {
    Findings findings;
    Beat beat{link::read_heartbeat(body, findings), {}};
    // Outside the transaction, which all others wait for.
    beat.sample = read_sample(context, beat.heartbeat);
    std::optional<MemberRecord> member;
    auto answer = change<link::HeartbeatAnswer>(context, [&](Ledger& ledger) {
        using Heard = link::HeartbeatAnswer;
        member = member_of_key(ledger, key);
        if (!member) return refused<Heard>(no_member(ledger, key));
        if (!findings.empty()) return refused<Heard>(link::invalid_input(findings));
        return beat.heartbeat.left ? take_leave(context, ledger, *member)
                                   : take_beat(context, ledger, *member, beat);
    });
    if (answer && beat.sample && !beat.heartbeat.left) tell_refusal(context, *member, *beat.sample);
    return answer;
}

Answer<std::vector<MemberRecord>> list_members(Context& context) {
    using Members = std::vector<MemberRecord>;
    const std::int64_t now = context.clock.unix_seconds();
    return look<Members>(context, [&](Ledger& ledger) -> Answer<Members> {
        Members members = ledger.list<MemberRecord>();
        const ClusterRecord cluster = cluster_record(ledger);
        for (MemberRecord& member : members) {
            if (member.node_id != cluster.founder_node_id) continue;
            member.heard_at = now; // it answers this very call
            member.generation_applied = cluster.generation;
        }
        std::sort(members.begin(), members.end(),
                  [](const auto& a, const auto& b) { return natural_less(a.name, b.name); });
        return members;
    });
}

NetworkUse use_of(const config::Network& network, const config::ClusterView& view) {
    NetworkUse use{network, 0, 0};
    const auto all = held(network, view);
    use.used = all.size();
    if (!network.cidr.address().is_v4()) return use;
    Range whole{network.cidr.network().v4_value(), network.cidr.broadcast().v4_value()};
    if (network.cidr.prefix() <= 30) whole = {whole.from + 1, whole.to - 1};
    if (network.range_from)
        whole.from = std::max<std::uint64_t>(whole.from, network.range_from->v4_value());
    if (network.range_to)
        whole.to = std::min<std::uint64_t>(whole.to, network.range_to->v4_value());
    std::vector<Range> taken;
    taken.reserve(all.size());
    for (const IpAddress& address : all) taken.push_back({address.v4_value(), address.v4_value()});
    if (network.gateway)
        taken.push_back({network.gateway->v4_value(), network.gateway->v4_value()});
    for (const std::string& text : network.reserved)
        if (const auto range = parse_range(text)) taken.push_back(*range);
    use.free = left_of(whole, std::move(taken));
    return use;
}

Answer<Networks> list_networks(Context& context) {
    return look<Networks>(context, [&](Ledger& ledger) -> Answer<Networks> {
        const config::ClusterView view = cluster_view(context, ledger, "");
        Networks networks;
        networks.provider = view.provider;
        for (const config::Network& network : view.networks)
            networks.networks.push_back(use_of(network, view));
        return networks;
    });
}

Answer<ClusterStatus> cluster_status(Context& context) {
    return look<ClusterStatus>(context, [&](Ledger& ledger) -> Answer<ClusterStatus> {
        const QueueFacts facts = queue_facts(context, ledger);
        ClusterStatus status;
        if (context.config.cluster) {
            status.name = context.config.cluster->name;
            status.planned_size = context.config.cluster->planned_size;
        }
        status.generation = facts.generation;
        status.now = facts.now;
        status.reasons = why_not_green(facts);
        status.green = status.reasons.empty();
        status.checks = context.health.states();
        status.checks_fault = context.health.fault();
        for (const JoinRecord& join : queue_order(facts))
            status.queue.push_back({join.id, join.name, join.state, join.wait_reason});
        status.removals = removal_order(facts);
        status.registration_paused_until = paused_until(guard_record(ledger), facts.now);
        status.release = context.options.release;
        status.key = context.options.identity.str();
        return status;
    });
}

} // namespace stratum::founder
