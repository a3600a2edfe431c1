// Rules about the VM uplink.
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

bool is_bridged(const Context& c) {
    return c.cluster.provider.topology == "bridged";
}

const std::optional<std::string>& uplink(const Context& c) {
    return c.assignment.provider.upstream_interface;
}

} // namespace

Sentences topology_not_clusters(const Context& c, Place) {
    const auto& topology = c.assignment.provider.topology;
    const std::string& clusters = c.cluster.provider.topology;
    if (!topology || *topology == clusters) return {};
    if (clusters.empty()) return {"the cluster has no provider network; leave it out"};
    return {say(*topology, " is not the cluster's; it is ", clusters, " for every node")};
}

Sentences vlan_not_clusters(const Context& c, Place) {
    const auto& vlan = c.assignment.provider.vlan;
    const auto& clusters = c.cluster.provider.vlan;
    if (!vlan) return {};
    if (c.cluster.provider.topology.empty())
        return {"the cluster has no provider network; leave it out"};
    if (vlan == clusters) return {};
    if (!clusters)
        return {say(*vlan, " is not the cluster's: its provider network has no VLAN; leave it "
                           "out")};
    return {say(*vlan, " is not the cluster's; it is ", *clusters, " for every node")};
}

Sentences uplink_unwanted(const Context& c, Place) {
    if (!uplink(c) || !c.cluster.provider.topology.empty()) return {};
    return {"the cluster has no provider network, so there is no uplink; leave it out"};
}

Sentences uplink_malformed(const Context& c, Place) {
    return uplink(c) ? sentences(device_fault(*uplink(c))) : Sentences{};
}

Sentences uplink_missing(const Context& c, Place) {
    if (!is_bridged(c) || uplink(c)) return {};
    return {say("the cluster bridges VM traffic and this machine has no NIC like the founder's "
                "uplink, ",
                c.cluster.provider.upstream_interface, "; name one: ", c.machine.choices())};
}

Sentences uplink_unknown(const Context& c, Place) {
    if (!is_bridged(c) || !uplink(c)) return {};
    if (c.links.bond(*uplink(c))) return {};
    const facts::Nic* device = c.machine.device(*uplink(c));
    const bool is_nic =
        device && !device->bmc && (device->kind == "physical" || device->kind == "other");
    const Link* link = c.links.by_device(*uplink(c));
    if (is_nic && !(link && is_vlan(*link))) return {};
    if (link && is_vlan(*link))
        return {say(*uplink(c), " is a VLAN; the uplink is a NIC or a bond")};
    if (const facts::Nic* nic = c.machine.nic_also_called(*uplink(c)))
        return {say(*uplink(c), " is another name of ", nic->name, "; write ", nic->name)};
    return {say("no NIC or bond ", *uplink(c), "; ", c.machine.choices())};
}

Sentences uplink_is_member(const Context& c, Place) {
    if (!uplink(c)) return {};
    const auto bond = c.links.bond_of_nic(*uplink(c));
    if (!bond) return {};
    return {say(*uplink(c), " is a member of ", *bond, "; name ", *bond)};
}

Sentences uplink_not_told_apart(const Context& c, Place) {
    if (!uplink(c)) return {};
    return sentences(nic_identity_fault(c.machine, *uplink(c)));
}

Sentences uplink_is_oob(const Context& c, Place) {
    if (!uplink(c) || !c.is_oob(*uplink(c))) return {};
    return {say(*uplink(c),
                " is the out-of-band NIC that stage 1 fixed, and keeps its own address; "
                "choose another")};
}

Sentences uplink_carries_network(const Context& c, Place) {
    if (!is_bridged(c) || !uplink(c)) return {};
    const Link* link = c.links.by_device(*uplink(c));
    if (!link || !carries_network(*link)) return {};
    return {say("link ", link->name, " carries ", listed(link->purposes), " on ", *uplink(c),
                " itself, and a bridged uplink would take that away; put it on a VLAN, or choose "
                "another NIC: ",
                c.machine.choices())};
}

} // namespace stratum::config::rules
