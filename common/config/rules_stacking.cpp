// Rules about what stands on what: VLANs on parents, NICs in bonds.
#include <algorithm>
#include <set>

#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/stacking.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

std::string bonds_there(const Context& c) {
    return stacking::bonds_there(c.links);
}

const Bond* bond_of(const Context& c, Place at) {
    const Link& link = c.link(at);
    return is_bond(link) && link.bond ? &*link.bond : nullptr;
}

} // namespace

Sentences parent_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::parent_on_other_kind(c.link(at)));
}

Sentences parent_missing(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || link.parent) return {};
    return {say("missing: the NIC or bond that the VLAN stands on; ", c.machine.choices(), "; ",
                bonds_there(c))};
}

Sentences parent_unknown(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || !link.parent) return {};
    if (c.machine.nic(*link.parent) || c.links.bond(*link.parent)) return {};
    const Link* other = c.links.by_device(*link.parent);
    if (other && is_vlan(*other))
        return {say(*link.parent, " is itself a VLAN; a VLAN stands on a NIC or a bond")};
    if (const facts::Nic* device = c.machine.device(*link.parent); device && !device->bmc)
        return {say(*link.parent, " is a ", device->kind,
                    " that the machine has now and this assignment does not list; list it in "
                    "links, or choose a NIC: ",
                    c.machine.choices())};
    if (const facts::Nic* nic = c.machine.nic_also_called(*link.parent))
        return {say(*link.parent, " is another name of ", nic->name, "; write ", nic->name)};
    return {say("no NIC or bond ", *link.parent, "; ", c.machine.choices(), "; ", bonds_there(c))};
}

Sentences parent_is_member(const Context& c, Place at) {
    return sentences(stacking::parent_is_member(c.links, c.link(at)));
}

Sentences parent_not_told_apart(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || !link.parent || c.links.by_device(*link.parent)) return {};
    return sentences(nic_identity_fault(c.machine, *link.parent));
}

Sentences parent_is_oob(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || !link.parent || !c.is_oob(*link.parent)) return {};
    return {say(*link.parent, " is the out-of-band NIC that stage 1 fixed, and keeps its own "
                              "address; choose another")};
}

Sentences vlan_id_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::vlan_id_on_other_kind(c.link(at)));
}

Sentences vlan_id_missing(const Context& c, Place at) {
    return sentences(stacking::vlan_id_missing(c.link(at)));
}

Sentences vlan_id_out_of_range(const Context& c, Place at) {
    return sentences(stacking::vlan_id_out_of_range(c.link(at)));
}

Sentences vlan_id_twice(const Context& c, Place at) {
    return sentences(stacking::vlan_id_twice(c.links, at.i));
}

Sentences vlan_id_is_providers(const Context& c, Place at) {
    const Link& link = c.link(at);
    const ProviderChoice& provider = c.assignment.provider;
    if (!is_vlan(link) || !link.vlan_id || !provider.vlan) return {};
    if (link.vlan_id != provider.vlan || link.parent != provider.upstream_interface) return {};
    return {say(*link.vlan_id, " is the provider network's VLAN on the uplink ", *link.parent,
                "; VM traffic has it there, so this link needs another id or parent")};
}

Sentences controller_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::controller_on_other_kind(c.link(at)));
}

Sentences controller_unknown(const Context& c, Place at) {
    return sentences(stacking::controller_unknown(c.links, c.link(at)));
}

Sentences bond_missing(const Context& c, Place at) {
    return sentences(stacking::bond_missing(c.link(at)));
}

Sentences bond_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::bond_on_other_kind(c.link(at)));
}

Sentences bond_without_member(const Context& c, Place at) {
    return sentences(stacking::bond_without_member(c.links, c.link(at)));
}

Sentences bond_mode_missing(const Context& c, Place at) {
    return sentences(stacking::bond_mode_missing(c.link(at)));
}

Sentences bond_speeds_differ(const Context& c, Place at) {
    const Bond* bond = bond_of(c, at);
    if (!bond || bond->mode != "802.3ad") return {};
    std::set<std::uint32_t> speeds;
    std::vector<std::string> members;
    for (const std::size_t i : c.links.members_of(c.link(at).interface)) {
        const facts::Nic* nic = c.machine.nic(c.link_list()[i].interface);
        if (!nic || nic->speed_mbps.value_or(0) == 0) continue;
        speeds.insert(*nic->speed_mbps);
        members.push_back(nic_words(*nic));
    }
    if (speeds.size() < 2) return {};
    return {say("802.3ad needs members of one speed; these are ", listed(members))};
}

Sentences bond_hash_without_mode(const Context& c, Place at) {
    return sentences(stacking::bond_hash_without_mode(c.link(at)));
}

Sentences bond_miimon_out_of_range(const Context& c, Place at) {
    return sentences(stacking::bond_miimon_out_of_range(c.link(at)));
}

Sentences bond_lacp_without_mode(const Context& c, Place at) {
    return sentences(stacking::bond_lacp_without_mode(c.link(at)));
}

} // namespace stratum::config::rules
