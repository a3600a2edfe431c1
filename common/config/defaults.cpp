#include "common/config/defaults.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/places.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

constexpr std::int64_t kDefaultMiimonMs = 100;

void fill_bond(Bond& bond) {
    if (!bond.miimon_ms) bond.miimon_ms = kDefaultMiimonMs;
    if (bond.mode != "802.3ad") return;
    if (!bond.lacp_rate) bond.lacp_rate = "slow";
    if (!bond.xmit_hash_policy) bond.xmit_hash_policy = "layer2+3";
}

void fill_disk(DiskChoice& disk) {
    if (!disk.role) disk.role = "compute";
    if (*disk.role == "compute" && !disk.storage_class) disk.storage_class = disk.pool;
}

constexpr std::string_view kMgmtField = "mgmt.interface";
constexpr std::string_view kUplinkField = "provider.upstreamInterface";

// A device of the assignment, and the field that names it.
struct Named {
    std::string device;
    std::string field;
};

std::optional<Named> link_carrying(const Assignment& assignment, std::string_view purpose) {
    const std::vector<Link>& links = *assignment.links;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (!purpose.empty() && carries(links[i], purpose))
            return Named{links[i].interface, path_of("links[i].interface", {i, 0}).str()};
    return {};
}

// The joiner's NIC or bond of the founder's uplink's purpose; of a VLAN, what it stands on.
std::optional<Named> nic_of_purpose(const Assignment& assignment, std::string_view purpose) {
    std::optional<Named> found = link_carrying(assignment, purpose);
    if (purpose == "mgmt" && assignment.mgmt.interface)
        found = Named{*assignment.mgmt.interface, std::string(kMgmtField)};
    if (!found) return {};
    const Link* link = LinkGraph(*assignment.links).by_device(found->device);
    if (link && is_vlan(*link) && link->parent) found->device = *link->parent;
    return found;
}

// The mgmt NIC (or a bare NIC below VLANs) has no MTU of its own in the assignment: that it will be
// raised is said here.
void note_raised_nics(const DefaultsInput& in, const Assignment& assignment,
                      std::vector<std::string>& notes) {
    const LinkGraph graph(*assignment.links);
    std::vector<std::string> said;
    for (const Link& link : *assignment.links) {
        if (!is_vlan(link) || !link.parent || graph.by_device(*link.parent)) continue;
        const std::string& nic = *link.parent;
        const auto mtu = raised_mtu(in.machine, graph, nic);
        if (!mtu || *mtu <= mtu_today(in.machine, nic) || has_word(said, nic)) continue;
        said.push_back(nic);
        notes.push_back(say(nic, ": its MTU is raised to ", *mtu, " for the VLANs on it"));
    }
}

} // namespace

std::string default_name(const DefaultsInput& in) {
    const std::string& hostname = in.machine.inventory().hostname;
    std::string first = lower(hostname.substr(0, hostname.find('.')));
    if (first == "localhost" || !is_label(first)) return in.join.node_id;
    for (const Holder& holder : in.cluster.holders)
        if (lower(holder.name) == first) return in.join.node_id;
    return first;
}

void fill_links(std::vector<Link>& links) {
    for (Link& link : links) {
        if (!link.kind) link.kind = "ethernet";
        if (is_bond(link) && link.bond) fill_bond(*link.bond);
    }
}

void fill_provider(const DefaultsInput& in, Assignment& assignment, Follows& follows) {
    const Provider& cluster = in.cluster.provider;
    ProviderChoice& choice = assignment.provider;
    if (cluster.topology.empty()) return;
    if (!choice.topology) choice.topology = cluster.topology;
    if (!choice.vlan) choice.vlan = cluster.vlan;
    if (choice.upstream_interface) return;
    auto uplink = link_carrying(assignment, "provider");
    if (!uplink) uplink = nic_of_purpose(assignment, cluster.upstream_purpose);
    if (uplink) {
        choice.upstream_interface = std::move(uplink->device);
        follows.emplace(kUplinkField, std::move(uplink->field));
    } else if (in.machine.nic(cluster.upstream_interface)) {
        choice.upstream_interface = cluster.upstream_interface;
    }
}

Follows fill_defaults(const DefaultsInput& in, Assignment& assignment,
                      std::vector<std::string>& notes) {
    Follows follows;
    if (!assignment.name) assignment.name = default_name(in);
    if (!assignment.role) assignment.role = "hybrid";
    if (!assignment.links) assignment.links.emplace();
    if (!assignment.disks) assignment.disks.emplace();
    fill_links(*assignment.links);
    fill_mgmt(in, LinkGraph(*assignment.links), assignment.mgmt, notes);
    fill_mtus(in, *assignment.links, notes);
    note_raised_nics(in, assignment, notes);
    for (DiskChoice& disk : *assignment.disks) fill_disk(disk);
    if (!assignment.ntp_servers) assignment.ntp_servers = in.cluster.ntp_servers;
    fill_provider(in, assignment, follows);
    return follows;
}

} // namespace stratum::config
