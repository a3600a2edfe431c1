#include "founder/approval.hpp"

#include <array>
#include <set>
#include <type_traits>

#include "common/base/text.hpp"
#include "founder/cluster_view.hpp"
#include "founder/delivery.hpp"
#include "founder/given.hpp"
#include "founder/ids.hpp"
#include "founder/join_list.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {
namespace {

using link::ProblemCode;

constexpr std::array kPlaceClaims = {Claim::kName, Claim::kNodeId, Claim::kAddress,
                                     Claim::kDiskKey};

link::Problem not_found(const std::string& id) {
    return problem(ProblemCode::kNotFound, "there is no join " + id);
}

link::Problem precondition_failed(const JoinRecord& join) {
    return problem(ProblemCode::kPreconditionFailed,
                   "join " + join.id + " has changed: it is at revision " +
                       std::to_string(join.revision) + ". Look at it again, then decide");
}

link::Problem refusal(const config::Refusal& why) {
    const auto count = why.problems.size();
    link::Problem made =
        problem(ProblemCode::kJoinApprovalRefused, "the approval has " + std::to_string(count) +
                                                       (count == 1 ? " problem" : " problems"));
    made.errors = why.problems.all();
    Node reasons = Node::array();
    for (const std::string& line : why.problems.lines()) reasons.push(Node::string(line));
    made.details = Node::object();
    made.details.set("reasons", std::move(reasons));
    if (!why.copy_notes.empty()) {
        Node notes = Node::array();
        for (const std::string& note : why.copy_notes) notes.push(Node::string(note));
        made.details.set("copyNotes", std::move(notes));
    }
    return made;
}

// One approval being judged.
struct Desk {
    Context& context;
    Ledger& ledger;
    const config::ApprovalRequest& request;
    const ApproveOptions& options;
    std::int64_t now;
};

std::optional<link::Problem> why_not_now(const JoinRecord& join, const ApproveOptions& options) {
    if (!matches(options.if_match, join)) return precondition_failed(join);
    if (!next_state(join.state, JoinEvent::kApprovedBy))
        return state_conflict(join, "only a pending or queued join can be approved");
    if (!join.is_revealed())
        return state_conflict(join, "its pairing is not finished yet, there is no pairing code to "
                                    "compare");
    return std::nullopt;
}

// Its join's id with another prefix, so that a dry run tells the one that the approval will give.
std::string node_id_for(Ledger& ledger, const JoinRecord& join) {
    const auto is_taken = [&](const std::string& id) {
        return ledger.holder(Claim::kNodeId, id).has_value();
    };
    std::string id = "n-" + join.id.substr(join.id.find('-') + 1);
    return is_taken(id) ? fresh_id("n-", is_taken) : id;
}

config::JoinFacts facts_of(const Desk& desk, const JoinRecord& join,
                           const std::optional<Node>& inventory) {
    config::JoinFacts facts;
    facts.join_id = join.id;
    facts.node_id = join.node_id.empty() ? node_id_for(desk.ledger, join) : join.node_id;
    facts.remote_address = join.address;
    facts.pairing_code = join.pairing_code;
    Findings findings;
    if (inventory)
        facts.inventory = facts::read_inventory(*inventory, {}, findings);
    else
        desk.ledger.fault("a revealed join has no inventory");
    if (join.assignment) {
        facts.earlier = config::read_assignment(*join.assignment, {}, findings);
    }
    return facts;
}

// What the plan takes, each of it unique in the cluster by the store's own constraint: two
// approvals at once, on two founders, never get the same.
std::vector<std::string> take_claims(Ledger& ledger, const JoinRecord& join, bool is_first) {
    if (!is_first)
        for (const Claim claim : kPlaceClaims) ledger.give_back(claim, join.id);
    std::vector<std::string> lost;
    if (!ledger.take(Claim::kName, join.name, join.id)) lost.push_back("the name " + join.name);
    if (!ledger.take(Claim::kNodeId, join.node_id, join.id)) lost.push_back("its node id");
    for (const std::string& address : join.addresses)
        if (!ledger.take(Claim::kAddress, address, join.id)) lost.push_back("address " + address);
    for (const std::string& key : join.disk_keys)
        if (!ledger.take(Claim::kDiskKey, key, join.id)) lost.push_back("disk " + key);
    return lost;
}

template<class T>
std::vector<std::string> distinct(const std::vector<T>& values) {
    std::set<std::string> all;
    for (const T& value : values) {
        if constexpr (std::is_same_v<T, std::string>)
            all.insert(value);
        else
            all.insert(value.str());
    }
    return {all.begin(), all.end()};
}

void write_plan(const Desk& desk, const config::ApprovalPlan& plan, JoinRecord& join) {
    join.assignment = config::to_node(plan.assignment);
    join.node_id = plan.node.node_id;
    join.name = plan.node.name;
    join.addresses = distinct(plan.addresses);
    join.disk_keys = distinct(plan.disk_keys);
    join.approved_at = desk.now;
    // Approving again keeps the place in the queue.
    if (join.state != JoinState::kApproved) join.queue_order = desk.ledger.next("queue");
}

// What it will wait for, told with the approval itself rather than at the queue's next look.
std::string reason_to_wait(QueueFacts facts, JoinRecord join) {
    join.state = JoinState::kApproved;
    std::erase_if(facts.joins, [&](const JoinRecord& other) { return other.id == join.id; });
    facts.joins.push_back(join);
    return why_waiting(facts, join);
}

config::Refusal whole(const std::string& message) {
    config::Refusal made;
    made.problems.add({}, message);
    return made;
}

Decision<Approval> judge(const Desk& desk, JoinRecord join) {
    auto inventory = stored_inventory(desk.ledger, join.id);
    const config::JoinFacts facts = facts_of(desk, join, inventory);
    config::ClusterView view = cluster_view(desk.context, desk.ledger, join.id);
    read_copied_inventory(desk.ledger, desk.request, view);
    const auto plan = config::plan_approval(view, facts, desk.request);
    if (!plan) return refused<Approval>(refusal(plan.error()));
    QueueFacts queue = queue_facts(desk.context, desk.ledger);
    const bool is_first = join.node_id.empty(); // a join without a plan holds nothing
    write_plan(desk, *plan, join);
    if (const auto lost = take_claims(desk.ledger, join, is_first); !lost.empty())
        return refused<Approval>(
            refusal(whole("already held by another node: " + stratum::join(lost, ", "))));
    const Rendered rendered = render_for(desk.context, desk.ledger, join, plan->node);
    if (!rendered.findings.empty())
        return refused<Approval>(refusal(whole("the node.yaml made from it is not valid: " +
                                               stratum::join(rendered.findings.lines(), "; "))));
    desk.ledger.put_text(Kind::kNodeYaml, join.id, rendered.text);
    join.wait_reason = reason_to_wait(std::move(queue), join);
    const Occasion occasion{desk.now, desk.options.caller,
                            "as " + join.name + " (" + join.node_id + "), revision " +
                                std::to_string(join.revision)};
    if (!enter(desk.ledger, join, JoinEvent::kApprovedBy, occasion))
        desk.ledger.fault("an approvable join cannot be approved");
    Approval approval{detail_of(desk.ledger, join, std::move(inventory)), rendered.text,
                      plan->wipes};
    if (desk.options.dry_run) return dropped(std::move(approval));
    keep_given(desk.ledger, desk.options.caller, approval.join, desk.now);
    return kept(std::move(approval));
}

JoinDetail given_again(GivenRecord given) {
    JoinDetail detail;
    detail.given = std::move(given);
    return detail;
}

// A change of one join by a person: who, and on what condition.
struct Deciding {
    const Caller& caller;
    const std::optional<std::string>& if_match;
};

// Makes it in one transaction.
template<class Work>
Answer<JoinDetail> decide(Context& context, const std::string& id, const Deciding& deciding,
                          const Work& work) {
    return change<JoinDetail>(context, [&](Ledger& ledger) {
        const std::int64_t now = context.clock.unix_seconds();
        auto given = given_before(ledger, deciding.caller, now);
        if (!given) return refused<JoinDetail>(std::move(given.error()));
        if (*given) return dropped(given_again(std::move(**given)));
        auto join = find_join(ledger, id);
        if (!join) return refused<JoinDetail>(not_found(id));
        if (!matches(deciding.if_match, *join))
            return refused<JoinDetail>(precondition_failed(*join));
        if (auto why_not = work(ledger, *join)) return refused<JoinDetail>(std::move(*why_not));
        JoinDetail detail = detail_of(ledger, *join);
        keep_given(ledger, deciding.caller, detail, now);
        return kept(std::move(detail));
    });
}

void clear_run(JoinRecord& join) {
    join.steps.clear();
    join.last_seq = 0;
    join.failed_step.clear();
    join.failed_step_title.clear();
    join.failed_error.clear();
    join.node_yaml_sha256.clear();
    join.bundle_sha256.clear();
}

} // namespace

std::string etag_of(const JoinRecord& join) {
    return '"' + std::to_string(join.revision) + '"';
}

bool matches(const std::optional<std::string>& if_match, const JoinRecord& join) {
    if (!if_match) return true;
    for (const std::string& part : split(*if_match, ',')) {
        const std::string_view tag = trim(part);
        if (tag == "*" || tag == etag_of(join)) return true;
    }
    return false;
}

Answer<Approval> approve(Context& context, const std::string& id, const Node& body,
                         const ApproveOptions& options) {
    Findings findings;
    const config::ApprovalRequest request = config::read_approval(body, findings);
    return change<Approval>(context, [&](Ledger& ledger) {
        const Desk desk{context, ledger, request, options, context.clock.unix_seconds()};
        auto given = given_before(ledger, options.caller, desk.now);
        if (!given) return refused<Approval>(std::move(given.error()));
        if (*given) return dropped(Approval{given_again(std::move(**given)), {}, {}});
        const auto join = find_join(ledger, id);
        if (!join) return refused<Approval>(not_found(id));
        if (!findings.empty()) return refused<Approval>(link::invalid_input(findings));
        if (auto why_not = why_not_now(*join, options))
            return refused<Approval>(std::move(*why_not));
        return judge(desk, *join);
    });
}

Answer<JoinDetail> reject(Context& context, const std::string& id, const RejectOptions& options) {
    const auto work = [&](Ledger& ledger, JoinRecord& join) -> std::optional<link::Problem> {
        const bool runs = info_of(join.state).is_running;
        if (runs && !(options.force && join.stalled))
            return state_conflict(join, "a running join can only be rejected with force, once it "
                                        "has been silent for 10 minutes");
        const JoinEvent event = runs ? JoinEvent::kForcedOut : JoinEvent::kRejectedBy;
        if (!next_state(join.state, event))
            return state_conflict(join, "it cannot be rejected any more");
        join.ended_reason =
            options.reason.empty() ? "rejected by an administrator" : options.reason;
        const Occasion occasion{context.clock.unix_seconds(), options.caller, options.reason};
        if (!enter(ledger, join, event, occasion)) ledger.fault("a join cannot be rejected");
        return std::nullopt;
    };
    return decide(context, id, {options.caller, options.if_match}, work);
}

Answer<JoinDetail> retry(Context& context, const std::string& id, const RetryOptions& options) {
    const auto work = [&](Ledger& ledger, JoinRecord& join) -> std::optional<link::Problem> {
        if (!next_state(join.state, JoinEvent::kRetriedBy))
            return state_conflict(join, "only a failed join can be retried");
        ++join.attempt;
        clear_run(join);
        join.queue_order = ledger.next("queue");
        const Occasion occasion{context.clock.unix_seconds(), options.caller,
                                "attempt " + std::to_string(join.attempt)};
        if (!enter(ledger, join, JoinEvent::kRetriedBy, occasion))
            ledger.fault("a failed join cannot be retried");
        return std::nullopt;
    };
    return decide(context, id, {options.caller, options.if_match}, work);
}

} // namespace stratum::founder
