#include "founder/documents.hpp"

#include "common/base/text.hpp"
#include "common/link/step_titles.hpp"

namespace stratum::founder {
namespace {

void set_time(Node& node, const char* name, std::int64_t at) {
    if (at != 0) node.set(name, format_time(at));
}

void set_text(Node& node, const char* name, const std::string& text) {
    if (!text.empty()) node.set(name, text);
}

void set_number(Node& node, const char* name, std::int64_t number) {
    node.set(name, Node::integer(number));
}

Node texts(const std::vector<std::string>& values) {
    Node list = Node::array();
    for (const std::string& value : values) list.push(Node::string(value));
    return list;
}

Node upgrade_document(const link::Upgrade& upgrade) {
    Node node = Node::object();
    node.set("from", upgrade.from).set("to", upgrade.to).set("source", upgrade.source);
    node.set("servedByFounder", Node::boolean(upgrade.served_by_founder));
    return node;
}

Node network_document(const NetworkUse& use) {
    Node node = Node::object();
    node.set("name", use.network.name).set("purpose", use.network.purpose);
    node.set("cidr", use.network.cidr.str());
    set_number(node, "mtu", use.network.mtu);
    if (use.network.range_from && use.network.range_to) {
        Node range = Node::object();
        range.set("from", use.network.range_from->str()).set("to", use.network.range_to->str());
        node.set("range", std::move(range));
    }
    if (use.network.gateway) node.set("gateway", use.network.gateway->str());
    set_number(node, "used", static_cast<std::int64_t>(use.used));
    set_number(node, "free", static_cast<std::int64_t>(use.free));
    return node;
}

// Both forms of a join begin with what a list shows.
void set_summary(Node& node, const JoinRecord& join) {
    node.set("id", join.id).set("state", std::string(state_name(join.state)));
    set_text(node, "waitReason", join.wait_reason);
    set_text(node, "pairingCode", join.pairing_code);
    set_text(node, "hostname", join.hostname);
    set_text(node, "name", join.name);
    set_text(node, "nodeId", join.node_id);
    set_text(node, "release", join.release);
    set_text(node, "address", join.address);
    set_text(node, "codeId", join.code_id);
    if (join.upgrade) node.set("upgrade", upgrade_document(*join.upgrade));
    node.set("stalled", Node::boolean(join.stalled));
    set_text(node, "failedStep", join.failed_step);
    set_text(node, "failedStepTitle", join.failed_step_title);
    set_text(node, "failedError", join.failed_error);
    set_text(node, "endedReason", join.ended_reason);
    set_number(node, "revision", join.revision);
    set_number(node, "attempt", join.attempt);
    set_time(node, "registeredAt", join.registered_at);
    set_time(node, "approvedAt", join.approved_at);
    set_time(node, "expiresAt", join.expires_at);
}

Node removal_document(const MemberRecord& member) {
    Node node = Node::object();
    set_time(node, "askedAt", member.removal_asked_at);
    set_text(node, "askedBy", member.removal_asked_by);
    node.set("forced", Node::boolean(member.removal_forced));
    set_time(node, "startedAt", member.removal_started_at);
    set_text(node, "waitReason", member.removal_waits_for);
    return node;
}

Node inventory_document(const Node& stored) {
    Node node = stored;
    const Node* record = stored.find("installRecord");
    const Node* layout = record != nullptr ? record->find("osDiskLayout") : nullptr;
    if (layout != nullptr) node.set("osDiskLayout", *layout);
    return node;
}

} // namespace

Node step_document(const link::Step& step) {
    Node node = Node::object();
    node.set("name", step.name).set("title", link::step_title(step.name, step.title));
    node.set("status", std::string(link::step_status_name(step.status)));
    if (step.percent) set_number(node, "percent", *step.percent);
    set_time(node, "startedAt", step.started_at.value_or(0));
    set_time(node, "finishedAt", step.finished_at.value_or(0));
    set_text(node, "error", step.error);
    return node;
}

Node log_document(const std::vector<link::LogLine>& lines) {
    Node list = Node::array();
    for (const link::LogLine& line : lines) {
        Node node = Node::object();
        set_number(node, "seq", line.seq);
        set_time(node, "at", line.at);
        node.set("line", line.line);
        list.push(std::move(node));
    }
    return list;
}

Node summary_document(const JoinRecord& join) {
    Node node = Node::object();
    set_summary(node, join);
    return node;
}

Node join_document(const JoinDetail& join) {
    Node node = Node::object();
    set_summary(node, join.record);
    set_text(node, "keyFingerprint", join.record.key_fingerprint);
    if (!join.inventory.is_null()) node.set("inventory", inventory_document(join.inventory));
    if (join.record.assignment) node.set("assignment", *join.record.assignment);
    Node steps = Node::array();
    for (const link::Step& step : join.record.steps) steps.push(step_document(step));
    node.set("steps", std::move(steps));
    node.set("log", log_document(join.log));
    return node;
}

Node approval_document(const Approval& approval) {
    Node node = join_document(approval.join);
    node.set("nodeYaml", approval.node_yaml);
    Node wipes = Node::array();
    for (const config::Wipe& wipe : approval.wipes) {
        Node each = Node::object();
        each.set("key", wipe.key).set("path", wipe.path).set("role", wipe.role);
        each.set("losses", texts(wipe.losses)).set("alsoBreaks", texts(wipe.also_breaks));
        wipes.push(std::move(each));
    }
    node.set("wipes", std::move(wipes));
    return node;
}

Node join_code_document(const JoinCodeRecord& code) {
    Node node = Node::object();
    node.set("id", code.id);
    set_text(node, "note", code.note);
    set_text(node, "madeBy", code.made_by);
    set_time(node, "madeAt", code.made_at);
    set_time(node, "expiresAt", code.expires_at);
    set_number(node, "maxUses", code.max_uses);
    set_number(node, "uses", code.uses);
    set_number(node, "failedReveals", code.failed_reveals);
    node.set("locked", Node::boolean(!code.locked_reason.empty()));
    set_text(node, "lockedReason", code.locked_reason);
    set_time(node, "revokedAt", code.revoked_at);
    return node;
}

Node join_code_document(const MadeJoinCode& code) {
    Node node = Node::object();
    node.set("id", code.record.id).set("code", code.code).set("uri", code.uri);
    set_time(node, "expiresAt", code.record.expires_at);
    set_number(node, "maxUses", code.record.max_uses);
    set_text(node, "note", code.record.note);
    set_text(node, "warning", code.warning);
    return node;
}

Node member_document(const MemberRecord& member) {
    Node node = Node::object();
    node.set("nodeId", member.node_id).set("name", member.name).set("role", member.role);
    node.set("status", member.status);
    set_text(node, "joinId", member.join_id);
    set_text(node, "keyFingerprint", member.key_fingerprint);
    set_text(node, "mgmtAddress", member.mgmt_address);
    node.set("addresses", texts(member.addresses));
    set_number(node, "generationApplied", member.generation_applied);
    set_time(node, "lastHeartbeat", member.heard_at);
    node.set("healthy", Node::boolean(member.healthy));
    node.set("complaints", texts(member.complaints));
    if (member.removal_order != 0) node.set("removal", removal_document(member));
    return node;
}

Node networks_document(const Networks& networks) {
    Node list = Node::array();
    for (const NetworkUse& use : networks.networks) list.push(network_document(use));
    Node node = Node::object();
    node.set("networks", std::move(list));
    set_text(node, "providerTopology", networks.provider.topology);
    if (networks.provider.vlan) set_number(node, "providerVlan", *networks.provider.vlan);
    set_text(node, "providerUpstreamInterface", networks.provider.upstream_interface);
    set_text(node, "providerUpstreamPurpose", networks.provider.upstream_purpose);
    return node;
}

Node check_document(const health::CheckState& state, std::int64_t now) {
    Node node = Node::object();
    node.set("name", state.check.name);
    const char* word = state.passes(now) ? "passing" : state.has_run ? "failing" : "pending";
    node.set("state", word);
    set_text(node, "said", state.outcome.said);
    set_time(node, "checkedAt", state.at);
    set_number(node, "everySeconds", state.check.every_s);
    return node;
}

Node cluster_document(const ClusterStatus& status) {
    Node node = Node::object();
    node.set("name", status.name);
    set_number(node, "plannedSize", status.planned_size);
    set_number(node, "generation", status.generation);
    node.set("green", Node::boolean(status.green));
    node.set("reasons", texts(status.reasons));
    Node checks = Node::array();
    for (const health::CheckState& state : status.checks)
        checks.push(check_document(state, status.now));
    node.set("healthChecks", std::move(checks));
    set_text(node, "healthChecksFault", status.checks_fault);
    Node queue = Node::array();
    for (const QueueEntry& entry : status.queue) {
        Node each = Node::object();
        each.set("joinId", entry.join_id).set("name", entry.name);
        each.set("state", std::string(state_name(entry.state)));
        set_text(each, "waitReason", entry.wait_reason);
        queue.push(std::move(each));
    }
    node.set("queue", std::move(queue));
    Node removals = Node::array();
    for (const MemberRecord& member : status.removals) {
        Node each = removal_document(member);
        each.set("nodeId", member.node_id).set("name", member.name);
        removals.push(std::move(each));
    }
    node.set("removals", std::move(removals));
    set_time(node, "registrationPausedUntil", status.registration_paused_until);
    set_text(node, "release", status.release);
    set_text(node, "founderKey", status.key);
    return node;
}

Node token_document(const TokenRecord& token) {
    Node node = Node::object();
    node.set("id", token.id);
    set_text(node, "note", token.note);
    node.set("policy", token.policy);
    set_text(node, "madeBy", token.made_by);
    set_time(node, "madeAt", token.made_at);
    set_time(node, "revokedAt", token.revoked_at);
    return node;
}

Node audit_document(const AuditRecord& entry) {
    Node node = Node::object();
    set_number(node, "seq", entry.sequence);
    set_time(node, "at", entry.at);
    node.set("action", entry.action).set("actor", entry.actor);
    set_text(node, "from", entry.from);
    node.set("object", entry.object).set("result", entry.result);
    set_text(node, "detail", entry.detail);
    set_text(node, "requestId", entry.request_id);
    set_text(node, "hash", entry.hash);
    return node;
}

} // namespace stratum::founder
