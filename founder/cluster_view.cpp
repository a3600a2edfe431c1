#include "founder/cluster_view.hpp"

#include <algorithm>

#include "common/facts/disk_verdict.hpp"
#include "founder/join_codes.hpp"
#include "founder/join_list.hpp"

namespace stratum::founder {
namespace {

bool is_control_plane(const std::string& role) {
    return role.empty() || role == "hybrid" || role == "control-plane";
}

void add_address(std::vector<IpAddress>& all, const std::string& text) {
    if (const auto cidr = Cidr::parse(text))
        all.push_back(cidr->address());
    else if (const auto address = IpAddress::parse(text))
        all.push_back(*address);
}

// The founder's own holdings are its node.yaml's; it came by no join.
config::Holder founder_holder(const Context& context, const MemberRecord& member) {
    config::Holder holder{
        member.node_id,  "", member.name, "member", is_control_plane(member.role), {},
        member.disk_keys};
    add_address(holder.addresses, context.config.mgmt.address);
    for (const config::Connection& connection : context.config.connections)
        for (const std::string& address : connection.link.addresses)
            add_address(holder.addresses, address);
    return holder;
}

std::string role_of(const JoinRecord& join) {
    const Node* role = join.assignment ? join.assignment->find("role") : nullptr;
    return role != nullptr ? role->as_string() : "";
}

config::Holder join_holder(const JoinRecord& join) {
    config::Holder holder{join.node_id,
                          join.id,
                          join.name,
                          std::string(state_name(join.state)),
                          is_control_plane(role_of(join)),
                          {},
                          join.disk_keys};
    if (join.state == JoinState::kJoined) holder.state = "member";
    for (const std::string& address : join.addresses) add_address(holder.addresses, address);
    return holder;
}

std::optional<config::Assignment> assignment_of(const JoinRecord& join) {
    if (!join.assignment) return std::nullopt;
    Findings findings;
    return config::read_assignment(*join.assignment, {}, findings);
}

std::optional<JoinRecord> join_of(Ledger& ledger, const MemberRecord& member) {
    for (const JoinRecord& join : placed_joins(ledger))
        if (join.id == member.join_id) return join;
    return find_join(ledger, member.join_id);
}

// What its inventory is kept under.
std::string inventory_id(Ledger& ledger, const config::CopySource& source) {
    if (source.is_first_node) return source.node_id;
    for (const MemberRecord& member : ledger.members())
        if (member.node_id == source.node_id) return member.join_id;
    return "";
}

void add_members(Context& context, Ledger& ledger, const std::string& except,
                 config::ClusterView& view) {
    for (const MemberRecord& member : ledger.members()) {
        if (member.join_id == except && !except.empty()) continue;
        if (member.join_id.empty()) {
            view.holders.push_back(founder_holder(context, member));
            continue;
        }
        const auto join = join_of(ledger, member);
        if (!join) {
            ledger.fault("a member's join is not there");
            continue;
        }
        view.holders.push_back(join_holder(*join));
        if (join->state != JoinState::kJoined) continue;
        config::CopySource source;
        source.node_id = member.node_id;
        source.has_plan = join->assignment.has_value();
        source.assignment = assignment_of(*join).value_or(config::Assignment{});
        view.sources.push_back(std::move(source));
    }
}

// Joins that hold their place without a row yet: approved ones, and failed ones that had none.
void add_joins(Ledger& ledger, const std::string& except, config::ClusterView& view) {
    for (const JoinRecord& join : placed_joins(ledger)) {
        if (join.id == except) continue;
        const bool listed =
            std::any_of(view.holders.begin(), view.holders.end(),
                        [&](const config::Holder& holder) { return holder.join_id == join.id; });
        if (!listed) view.holders.push_back(join_holder(join));
    }
}

void add_first_node(const Context& context, config::ClusterView& view) {
    config::CopySource source;
    source.node_id = context.config.node_id;
    source.is_first_node = true;
    source.assignment = founder_assignment(context.config);
    source.has_plan = !source.assignment.links->empty() || !source.assignment.disks->empty();
    view.sources.insert(view.sources.begin(), std::move(source));
}

} // namespace

config::Assignment founder_assignment(const config::NodeConfig& config) {
    config::Assignment made;
    made.name = config.name;
    made.role = config.role;
    if (!config.rack.empty()) made.rack = config.rack;
    if (!config.az.empty()) made.az = config.az;
    made.mgmt.interface = config.mgmt.nic.interface;
    made.mgmt.address = config.mgmt.address;
    made.links.emplace();
    for (const config::Connection& connection : config.connections) {
        const auto& purposes = connection.link.purposes;
        const bool lifeline = std::any_of(purposes.begin(), purposes.end(),
                                          [](const auto& p) { return p == "mgmt" || p == "oob"; });
        if (!lifeline) made.links->push_back(connection.link);
    }
    made.disks.emplace();
    for (const config::NodeDisk& disk : config.disks) made.disks->push_back(disk.choice);
    made.ntp_servers = config.ntp_servers;
    made.provider = config.provider;
    return made;
}

config::ClusterView cluster_view(Context& context, Ledger& ledger, const std::string& except) {
    const config::NodeConfig& own = context.config;
    config::ClusterView view;
    view.region = own.region;
    view.ntp_servers = own.ntp_servers;
    view.provider.topology = own.provider.topology.value_or("");
    view.provider.vlan = own.provider.vlan;
    view.provider.upstream_interface = own.provider.upstream_interface.value_or("");
    view.provider.upstream_purpose = own.provider_upstream_purpose;
    if (own.cluster) {
        view.name = own.cluster->name;
        view.networks = own.cluster->networks;
        view.default_pool = own.cluster->default_pool;
        view.allow_emulation = own.cluster->allow_emulation;
        view.allow_no_compute = own.cluster->allow_no_compute;
        for (const std::string& vip : own.cluster->vips) add_address(view.vips, vip);
    }
    view.max_control_plane = context.options.max_control_plane;
    add_members(context, ledger, except, view);
    add_joins(ledger, except, view);
    add_first_node(context, view);
    return view;
}

void read_copied_inventory(Ledger& ledger, const config::ApprovalRequest& request,
                           config::ClusterView& view) {
    for (config::CopySource& source : view.sources) {
        const bool is_default = source.is_first_node && !request.assignment.links;
        const bool is_copied =
            request.copy_from ? *request.copy_from == source.node_id : is_default;
        if (!is_copied) continue;
        const auto inventory = inventory_of(ledger, inventory_id(ledger, source));
        source.inventory = inventory.value_or(facts::Inventory{});
    }
}

std::optional<facts::Inventory> inventory_of(Ledger& ledger, const std::string& id) {
    const auto stored = stored_inventory(ledger, id);
    if (!stored) return std::nullopt;
    Findings findings;
    return facts::read_inventory(*stored, {}, findings);
}

facts::Member member_fact(const MemberRecord& record) {
    return {record.node_id, record.name,         record.role,
            record.status,  record.mgmt_address, record.addresses};
}

std::vector<facts::Member> member_list(Ledger& ledger) {
    std::vector<facts::Member> members;
    for (const MemberRecord& record : ledger.members()) members.push_back(member_fact(record));
    std::sort(members.begin(), members.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return members;
}

Rendered render_for(Context& context, Ledger& ledger, const JoinRecord& join,
                    const config::NodeConfig& plan) {
    const ClusterRecord cluster = cluster_record(ledger);
    config::NodeConfig node = plan;
    node.cluster = context.config.cluster;
    if (!node.cluster) node.cluster.emplace();
    node.cluster->generation = cluster.generation;
    node.cluster->members = member_list(ledger);
    node.founder.emplace();
    for (const HostPort& address : advertised(context, cluster))
        node.founder->addresses.push_back(address.str());
    node.founder->key = context.options.identity.str();
    node.join_id = join.id;
    node.attempt = join.attempt;
    Rendered rendered;
    rendered.text = config::render_node_yaml(node);
    rendered.findings = config::check_node_yaml(rendered.text).findings;
    return rendered;
}

} // namespace stratum::founder
