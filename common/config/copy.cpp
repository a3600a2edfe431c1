#include "common/config/copy.hpp"

#include <algorithm>

#include "common/config/words.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::config {

namespace {

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

// Each of the request's replaces the copied one of its name; a name that the request itself gives
// twice stays twice, and a rule says so.
std::vector<Link> merge_links(std::vector<Link> copied, const std::vector<Link>& own) {
    std::vector<bool> replaced(copied.size(), false);
    for (const Link& link : own) {
        std::size_t at = 0;
        while (at < replaced.size() &&
               (replaced[at] || link.name.empty() || copied[at].name != link.name))
            ++at;
        if (at == replaced.size()) {
            copied.push_back(link);
        } else {
            copied[at] = link;
            replaced[at] = true;
        }
    }
    return copied;
}

std::vector<DiskChoice> merge_disks(std::vector<DiskChoice> copied,
                                    const std::vector<DiskChoice>& own,
                                    const facts::Inventory& inventory) {
    const std::size_t copied_count = copied.size();
    std::vector<bool> replaced(copied_count, false);
    for (const DiskChoice& choice : own) {
        const auto disk = facts::find_disk(inventory.disks, choice.key);
        std::size_t at = 0;
        for (; at < copied_count; ++at) {
            if (replaced[at]) continue; // a second choice of that disk is the request's own fault
            const auto other = facts::find_disk(inventory.disks, copied[at].key);
            if (disk && other && *disk == *other) break;
        }
        if (at == copied_count) {
            copied.push_back(choice);
        } else {
            copied[at] = choice;
            replaced[at] = true;
        }
    }
    return copied;
}

const CopySource* first_node(const ClusterView& cluster) {
    for (const CopySource& source : cluster.sources)
        if (source.is_first_node) return &source;
    return nullptr;
}

bool has_something(const CopySource& source) {
    const Assignment& from = source.assignment;
    return source.has_plan &&
           ((from.links && !from.links->empty()) || (from.disks && !from.disks->empty()) ||
            from.rack || from.az || from.ntp_servers || from.provider.upstream_interface);
}

// The default: the first node's links, all of them or none.
void copy_first_node(const ClusterView& cluster, const MachineView& machine, Copied& result) {
    const CopySource* source = first_node(cluster);
    if (!source || !source->has_plan) {
        result.notes.push_back("nothing was copied: the cluster records no links of its first "
                               "node; name links, or a node in copyFrom");
        return;
    }
    CopiedLinks copied = copy_links(*source, machine);
    if (copied.complete && !copied.links.empty()) {
        result.assignment.links = std::move(copied.links);
        result.from = source->node_id;
        append(result.notes, copied.notes);
        return;
    }
    if (copied.complete) {
        result.notes.push_back(
            say("nothing was copied: the first node, ", name_of(*source), ", has no links"));
        return;
    }
    result.notes.push_back(say("nothing was copied: not every link of the first node, ",
                               name_of(*source), ", has its NIC here"));
    append(result.notes, copied.notes);
}

void copy_node(const ClusterView& cluster, const CopySource& source, const MachineView& machine,
               Copied& result) {
    const Assignment& from = source.assignment;
    CopiedLinks links = copy_links(source, machine);
    CopiedDisks disks = copy_disks(source, machine);
    result.from = source.node_id;
    result.assignment.links = std::move(links.links);
    result.assignment.disks = std::move(disks.disks);
    result.assignment.rack = from.rack;
    result.assignment.az = from.az;
    result.assignment.ntp_servers = from.ntp_servers;
    if (!links.upstream_interface.empty() && !cluster.provider.topology.empty())
        result.assignment.provider.upstream_interface = links.upstream_interface;
    append(result.notes, links.notes);
    append(result.notes, disks.notes);
}

std::string source_choices(const ClusterView& cluster) {
    std::vector<std::string> nodes;
    for (const CopySource& source : cluster.sources)
        if (has_something(source)) nodes.push_back(say(source.node_id, " (", name_of(source), ")"));
    std::sort(nodes.begin(), nodes.end());
    return "nodes to copy from: " + listed(nodes) + "; \"none\" copies nothing";
}

void copy_named(const ClusterView& cluster, const MachineView& machine, const std::string& node,
                Copied& result) {
    for (const CopySource& source : cluster.sources) {
        if (source.node_id != node) continue;
        if (has_something(source)) return copy_node(cluster, source, machine, result);
        result.fault = say("node ", node, " has nothing to copy; ", source_choices(cluster));
        return;
    }
    result.fault = say("no node ", node, "; ", source_choices(cluster));
}

template<class T>
void override_with(std::optional<T>& value, const std::optional<T>& own) {
    if (own) value = own;
}

void merge(const Assignment& own, const facts::Inventory& inventory, Assignment& into) {
    override_with(into.name, own.name);
    override_with(into.role, own.role);
    override_with(into.rack, own.rack);
    override_with(into.az, own.az);
    into.mgmt = own.mgmt;
    if (own.links) into.links = merge_links(into.links.value_or(std::vector<Link>{}), *own.links);
    if (own.disks)
        into.disks =
            merge_disks(into.disks.value_or(std::vector<DiskChoice>{}), *own.disks, inventory);
    override_with(into.ntp_servers, own.ntp_servers);
    override_with(into.provider.topology, own.provider.topology);
    override_with(into.provider.upstream_interface, own.provider.upstream_interface);
    override_with(into.provider.vlan, own.provider.vlan);
}

} // namespace

std::string name_of(const CopySource& source) {
    return source.assignment.name.value_or(source.node_id);
}

Copied copy_and_merge(const ClusterView& cluster, const MachineView& machine,
                      const ApprovalRequest& request) {
    Copied result;
    if (request.copy_from && *request.copy_from != "none")
        copy_named(cluster, machine, *request.copy_from, result);
    else if (!request.copy_from && !request.assignment.links)
        copy_first_node(cluster, machine, result);
    merge(request.assignment, machine.inventory(), result.assignment);
    return result;
}

} // namespace stratum::config
