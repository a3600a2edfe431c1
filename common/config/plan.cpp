#include "common/config/approval.hpp"

#include <algorithm>

#include "common/config/allocation.hpp"
#include "common/config/copy.hpp"
#include "common/config/defaults.hpp"
#include "common/config/node_of_plan.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rules.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

// The order in which a person reads an assignment; problems come in it.
constexpr std::string_view kSections[] = {"copyFrom", "pairingCode", "name",    "role",
                                          "rack",     "az",          "mgmt",    "links",
                                          "disks",    "ntpServers",  "provider"};

struct Draft {
    Assignment assignment;
    std::optional<std::string> copy_fault;
    std::vector<std::string> copy_notes; // of copying alone; the assignment has the defaults' too
    Follows follows;
};

Draft make_draft(const ClusterView& cluster, const JoinFacts& join, const MachineView& machine,
                 const ApprovalRequest& request) {
    Copied copied = copy_and_merge(cluster, machine, request);
    Draft draft{std::move(copied.assignment), std::move(copied.fault), copied.notes, {}};
    draft.follows = fill_defaults({cluster, join, machine}, draft.assignment, copied.notes);
    draft.assignment.copied_from = std::move(copied.from);
    draft.assignment.copy_notes = std::move(copied.notes);
    return draft;
}

std::vector<Wipe> wipes_of(const ApprovalContext& context) {
    std::vector<Wipe> wipes;
    for (std::size_t i = 0; i < context.disks.size(); ++i) {
        const facts::DiskVerdict& verdict = *context.disks[i].verdict;
        if (verdict.contents == facts::Contents::kBlank) continue;
        const DiskChoice& choice = context.disk({i, 0});
        wipes.push_back({choice.key, context.disk_found(i)->path, choice.role.value_or(""),
                         verdict.losses, verdict.also_breaks});
    }
    return wipes;
}

std::vector<IpAddress> addresses_of(const Assignment& assignment) {
    std::vector<IpAddress> addresses{Cidr::parse(*assignment.mgmt.address)->address()};
    for (const Link& link : *assignment.links)
        for (const std::string& text : link.addresses)
            addresses.push_back(Cidr::parse(text)->address());
    return addresses;
}

std::vector<std::string> wwns_of(const ApprovalContext& context) {
    std::vector<std::string> wwns;
    for (std::size_t i = 0; i < context.disks.size(); ++i)
        if (auto wwn = facts::world_wide_name(*context.disk_found(i)); !wwn.empty())
            wwns.push_back(std::move(wwn));
    return wwns;
}

struct Placed {
    std::string what, device;
    Cidr cidr;
};

// The kernel answers for an address of one NIC on the other, too, and sends by whichever it likes.
// Some sites have no second network, so it is said and not refused.
void note_shared_subnets(Assignment& assignment) {
    std::vector<Placed> placed{
        {"mgmt", *assignment.mgmt.interface, *Cidr::parse(*assignment.mgmt.address)}};
    for (const Link& link : *assignment.links)
        for (const std::string& text : link.addresses)
            placed.push_back({"link " + link.name, link.interface, *Cidr::parse(text)});
    for (std::size_t i = 0; i < placed.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Placed &one = placed[j], &other = placed[i];
            if (one.device == other.device || !one.cidr.overlaps(other.cidr)) continue;
            assignment.copy_notes.push_back(say(one.what, " (", one.device, ", ", one.cidr.str(),
                                                ") and ", other.what, " (", other.device, ", ",
                                                other.cidr.str(),
                                                ") are in one subnet on two devices: check it"));
        }
}

// The file that would be delivered, read as the checker reads it: what it refuses must not be
// queued, and what it reads must be what was planned.
void check_rendered(const NodeConfig& node, Findings& findings) {
    const CheckedNodeConfig checked = check_node_yaml(render_node_yaml(node));
    for (const Finding& finding : checked.findings.all())
        findings.add(FieldPath{},
                     say("the node.yaml made from this assignment is not valid: ", finding.field,
                         finding.field.empty() ? "" : ": ", finding.message));
    if (checked.findings.empty() && checked.config != node)
        findings.add(FieldPath{}, "the node.yaml made from this assignment does not read back as "
                                  "what was planned; this is a fault of the founder");
}

} // namespace

tl::expected<ApprovalPlan, Refusal> plan_approval(const ClusterView& cluster, const JoinFacts& join,
                                                  const ApprovalRequest& request) {
    const facts::Inventory inventory = in_stable_order(join.inventory);
    const MachineView machine(inventory, join.remote_address);
    const Draft draft = make_draft(cluster, join, machine, request);
    ApprovalContext context(cluster, join, request, draft.assignment, machine);
    context.copy_fault = draft.copy_fault;
    context.follows = draft.follows;
    Allocation allocation = allocate(context);
    context.full_networks = std::move(allocation.full_networks);

    Findings findings;
    judge(approval_rules(), context, findings);
    ApprovalPlan plan;
    plan.assignment = draft.assignment;
    plan.assignment.links = std::move(allocation.links);
    if (findings.empty()) {
        plan.node = node_of_plan(context, plan.assignment);
        check_rendered(plan.node, findings);
    }
    if (!findings.empty())
        return tl::make_unexpected(Refusal{in_field_order(findings, kSections), draft.copy_notes});
    note_shared_subnets(plan.assignment);
    plan.wipes = wipes_of(context);
    plan.addresses = addresses_of(plan.assignment);
    plan.disk_keys = wwns_of(context);
    return plan;
}

} // namespace stratum::config
