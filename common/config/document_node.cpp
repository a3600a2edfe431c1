// node.yaml's rules about the node itself: mgmt, uplink, disks, time servers.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/document_rules.hpp"
#include "common/config/words.hpp"

namespace stratum::config::document {

namespace {

const DiskChoice& disk(const Context& c, Place at) {
    return c.config.disks[at.i].choice;
}

bool is_osd(const DiskChoice& choice) {
    return choice.role == "ceph-osd";
}

bool is_bridged(const Context& c) {
    return c.config.provider.topology == "bridged";
}

const Link* uplink(const Context& c) {
    const auto& interface = c.config.provider.upstream_interface;
    return interface ? c.graph.by_device(*interface) : nullptr;
}

bool is_made_device(const Context& c, const std::string& name) {
    const Link* link = c.graph.by_device(name);
    return link && !is_ethernet(*link);
}

} // namespace

Sentences mgmt_device_is_member(const Context& c, Place) {
    const std::string& interface = c.config.mgmt.nic.interface;
    const auto bond = c.graph.bond_of_nic(interface);
    if (!bond) return {};
    return {say(interface, " is a member of ", *bond, " and has no address of its own; name ",
                *bond, " or a VLAN on it")};
}

Sentences mgmt_mac_missing(const Context& c, Place) {
    const NicRef& nic = c.config.mgmt.nic;
    if (!c.is_joiners() || !nic.mac.empty() || is_made_device(c, nic.interface)) return {};
    return {"missing: the NIC's permanent MAC, which finds it again under another name"};
}

Sentences gateway_unreachable(const Context& c, Place) {
    const auto gateway = IpAddress::parse(c.config.mgmt.gateway);
    const auto own = Cidr::parse(c.config.mgmt.address);
    if (!gateway || !own) return {};
    return sentences(gateway_fault(*gateway, *own));
}

Sentences dns_is_itself(const Context& c, Place at) {
    const auto server = IpAddress::parse(c.config.mgmt.dns[at.i]);
    const auto own = Cidr::parse(c.config.mgmt.address);
    const bool is_own =
        server && own && (*server == own->address() || (server->is_loopback() && c.is_joiners()));
    if (!is_own) return {};
    return {say(server->str(), " is the node's own address; name another machine's")};
}

Sentences topology_missing(const Context& c, Place) {
    const ProviderChoice& provider = c.config.provider;
    if (provider.topology) return {};
    if (!provider.upstream_interface && !provider.vlan && c.config.provider_mac.empty()) return {};
    return {say("missing: it is one of ", listed(kTopologies))};
}

Sentences uplink_missing(const Context& c, Place) {
    if (!is_bridged(c) || c.config.provider.upstream_interface) return {};
    return {"missing: a bridged provider network needs the NIC or bond it leaves by"};
}

Sentences uplink_malformed(const Context& c, Place) {
    const auto& interface = c.config.provider.upstream_interface;
    return interface ? sentences(device_fault(*interface)) : Sentences{};
}

Sentences uplink_is_vlan(const Context& c, Place) {
    const Link* link = uplink(c);
    if (!link || !is_vlan(*link)) return {};
    return {say(link->interface, " is a VLAN; the uplink is a NIC or a bond")};
}

Sentences uplink_is_member(const Context& c, Place) {
    const auto& interface = c.config.provider.upstream_interface;
    const auto bond = interface ? c.graph.bond_of_nic(*interface) : std::nullopt;
    if (!bond) return {};
    return {say(*interface, " is a member of ", *bond, "; name ", *bond)};
}

Sentences uplink_carries_network(const Context& c, Place) {
    const Link* link = uplink(c);
    if (!link || !is_bridged(c) || !carries_network(*link)) return {};
    return {say("connection ", link->name, " carries ", listed(link->purposes), " on ",
                link->interface,
                " itself, and a bridged uplink would take that away; put it on a VLAN, or choose "
                "another NIC")};
}

Sentences provider_vlan_out_of_range(const Context& c, Place) {
    if (!c.config.provider.vlan) return {};
    return sentences(vlan_id_fault(*c.config.provider.vlan));
}

Sentences disk_key_moves(const Context& c, Place at) {
    const std::string& key = disk(c, at).key;
    const bool is_by_id = key.starts_with("/dev/disk/by-id/");
    if (!key.starts_with("/") || is_by_id) return {};
    return {say(key, " can name another disk tomorrow; give a WWN or a /dev/disk/by-id path")};
}

Sentences disk_twice(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j)
        if (lower(c.config.disks[j].choice.key) == lower(disk(c, at).key))
            return {say(disk(c, at).key, " is named twice: disks[", j, "] has it too")};
    return {};
}

Sentences disk_size_missing(const Context& c, Place at) {
    if (!c.is_joiners() || c.config.disks[at.i].size_bytes > 0) return {};
    return {"missing: the disk's size in bytes, which is compared before it is written"};
}

Sentences disk_digest_missing(const Context& c, Place at) {
    if (!c.is_joiners() || !c.config.disks[at.i].digest.empty()) return {};
    return {"missing: the digest of what was approved, which is compared before the disk is "
            "written"};
}

Sentences pool_missing(const Context& c, Place at) {
    if (is_osd(disk(c, at)) || disk(c, at).pool) return {};
    return {"missing: a compute disk needs a pool"};
}

Sentences pool_on_osd(const Context& c, Place at) {
    if (!is_osd(disk(c, at)) || !disk(c, at).pool) return {};
    return {"a ceph-osd disk has no pool: Ceph decides; take it out"};
}

Sentences pool_no_label(const Context& c, Place at) {
    if (is_osd(disk(c, at)) || !disk(c, at).pool) return {};
    return sentences(label_fault(*disk(c, at).pool));
}

Sentences class_on_osd(const Context& c, Place at) {
    if (!is_osd(disk(c, at)) || !disk(c, at).storage_class) return {};
    return {"a ceph-osd disk has no storage class: Ceph decides; take it out"};
}

Sentences class_no_label(const Context& c, Place at) {
    if (is_osd(disk(c, at)) || !disk(c, at).storage_class) return {};
    return sentences(label_fault(*disk(c, at).storage_class));
}

Sentences class_differs_in_pool(const Context& c, Place at) {
    const DiskChoice& own = disk(c, at);
    if (is_osd(own) || !own.storage_class || !own.pool) return {};
    for (std::size_t j = 0; j < at.i; ++j) {
        const DiskChoice& other = c.config.disks[j].choice;
        if (!is_osd(other) && other.pool == own.pool && other.storage_class &&
            other.storage_class != own.storage_class)
            return {say("pool ", *own.pool, " has storage class ", *other.storage_class,
                        " at disks[", j, "] and ", *own.storage_class, " here; one pool has one")};
    }
    return {};
}

Sentences confirm_for_other_key(const Context& c, Place at) {
    const DiskChoice& choice = disk(c, at);
    if (!choice.confirm || *choice.confirm == choice.key) return {};
    return {say("\"", *choice.confirm, "\" is not this disk's key, ", choice.key)};
}

Sentences tail_pool_missing(const Context& c, Place) {
    if (c.config.os_disk_layout != "compute-tail" || !c.config.compute_tail_pool.empty()) return {};
    return {"missing: with layout compute-tail, the pool that the tail belongs to"};
}

Sentences tail_pool_without_tail(const Context& c, Place) {
    if (c.config.os_disk_layout == "compute-tail" || c.config.compute_tail_pool.empty()) return {};
    return {"there is a compute tail with layout compute-tail only; take it out, or set layout"};
}

Sentences ntp_twice(const Context& c, Place at) {
    const auto& servers = c.config.ntp_servers;
    for (std::size_t j = 0; j < at.i; ++j)
        if (lower(servers[j]) == lower(servers[at.i]))
            return {say(servers[at.i], " is given twice; each server once")};
    return {};
}

} // namespace stratum::config::document
