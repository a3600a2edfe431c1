// node.yaml's rules about its connections.
#include <algorithm>

#include "common/config/document_rules.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/stacking.hpp"
#include "common/config/words.hpp"

namespace stratum::config::document {

namespace {

std::string connection(std::size_t i) {
    return path_of("network.connections[i]", {i, 0}).str();
}

const std::string& mac_at(const Context& c, std::size_t i) {
    return c.config.connections[i].mac;
}

std::optional<IpAddress> ip_of(std::string_view cidr_text) {
    const auto cidr = Cidr::parse(cidr_text);
    if (!cidr) return {};
    return cidr->address();
}

bool has_ipv6(const Context& c, const Link& link) {
    const auto mgmt = ip_of(c.config.mgmt.address);
    return mgmt && !mgmt->is_v4() && c.config.mgmt.nic.interface == link.interface;
}

} // namespace

Sentences name_missing(const Context& c, Place at) {
    return sentences(stacking::name_missing(c.link(at)));
}

Sentences name_no_label(const Context& c, Place at) {
    return sentences(label_fault(c.link(at).name));
}

Sentences name_twice(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j)
        if (c.links[j].name == c.link(at).name)
            return {say("\"", c.link(at).name, "\" is also the name of ", connection(j),
                        "; each connection needs its own")};
    return {};
}

Sentences device_malformed(const Context& c, Place at) {
    return sentences(device_fault(c.link(at).interface));
}

Sentences device_twice(const Context& c, Place at) {
    for (std::size_t j = 0; j < at.i; ++j)
        if (c.links[j].interface == c.link(at).interface)
            return {say(c.link(at).interface, " is also the device of ", connection(j),
                        "; one connection for each device")};
    return {};
}

Sentences mac_missing(const Context& c, Place at) {
    if (!c.is_joiners() || !is_ethernet(c.link(at)) || !mac_at(c, at.i).empty()) return {};
    return {"missing: the NIC's permanent MAC, which finds it again under another name"};
}

Sentences mac_on_other_kind(const Context& c, Place at) {
    if (is_ethernet(c.link(at)) || mac_at(c, at.i).empty()) return {};
    return {
        say("only a NIC has a MAC of its own, and this connection is of kind ", *c.link(at).kind)};
}

Sentences mac_twice(const Context& c, Place at) {
    const auto own = MacAddress::parse(mac_at(c, at.i));
    for (std::size_t j = 0; own && j < at.i; ++j) {
        const auto other = MacAddress::parse(mac_at(c, j));
        if (other && *other == *own)
            return {say(own->str(), " is also the MAC of ", connection(j))};
    }
    return {};
}

Sentences parent_missing(const Context& c, Place at) {
    if (!is_vlan(c.link(at)) || c.link(at).parent) return {};
    return {"missing: the NIC or bond that the VLAN stands on"};
}

Sentences parent_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::parent_on_other_kind(c.link(at)));
}

Sentences parent_unknown(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || !link.parent) return {};
    const Link* parent = c.graph.by_device(*link.parent);
    if (parent && is_vlan(*parent))
        return {say(*link.parent, " is itself a VLAN; a VLAN stands on a NIC or a bond")};
    if (parent || *link.parent == c.config.mgmt.nic.interface) return {};
    return {say("no NIC or bond ", *link.parent,
                "; list it as a connection of its own, or name mgmt's interface, ",
                c.config.mgmt.nic.interface)};
}

Sentences parent_is_member(const Context& c, Place at) {
    return sentences(stacking::parent_is_member(c.graph, c.link(at)));
}

Sentences vlan_id_missing(const Context& c, Place at) {
    return sentences(stacking::vlan_id_missing(c.link(at)));
}

Sentences vlan_id_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::vlan_id_on_other_kind(c.link(at)));
}

Sentences vlan_id_out_of_range(const Context& c, Place at) {
    return sentences(stacking::vlan_id_out_of_range(c.link(at)));
}

Sentences vlan_id_twice(const Context& c, Place at) {
    return sentences(stacking::vlan_id_twice(c.graph, at.i));
}

Sentences controller_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::controller_on_other_kind(c.link(at)));
}

Sentences controller_unknown(const Context& c, Place at) {
    return sentences(stacking::controller_unknown(c.graph, c.link(at)));
}

Sentences bond_missing(const Context& c, Place at) {
    return sentences(stacking::bond_missing(c.link(at)));
}

Sentences bond_on_other_kind(const Context& c, Place at) {
    return sentences(stacking::bond_on_other_kind(c.link(at)));
}

Sentences bond_without_member(const Context& c, Place at) {
    return sentences(stacking::bond_without_member(c.graph, c.link(at)));
}

Sentences bond_mode_missing(const Context& c, Place at) {
    return sentences(stacking::bond_mode_missing(c.link(at)));
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

Sentences purpose_is_lifeline(const Context& c, Place at) {
    return sentences(stacking::purpose_is_lifeline(c.link(at).purposes[at.j]));
}

Sentences purpose_on_member(const Context& c, Place at) {
    return sentences(stacking::purpose_on_member(c.link(at), c.link(at).purposes[at.j]));
}

Sentences purpose_repeated(const Context& c, Place at) {
    return sentences(stacking::purpose_repeated(c.link(at), at.j));
}

Sentences purpose_on_two_links(const Context& c, Place) {
    Sentences twice;
    for (const std::string_view purpose : {"storage", "overlay", "provider"}) {
        std::vector<std::string> names;
        for (const Link& link : c.links)
            if (carries(link, purpose)) names.push_back(link.name);
        if (names.size() > 1)
            twice.push_back(
                say(listed(names), " all carry ", purpose, "; one connection carries it"));
    }
    return twice;
}

Sentences address_malformed(const Context& c, Place at) {
    return sentences(ipv4_host_cidr_fault(c.link(at).addresses[at.j]));
}

Sentences address_not_wanted(const Context& c, Place at) {
    return sentences(stacking::address_not_wanted(c.link(at)));
}

Sentences address_outside_networks(const Context& c, Place at) {
    if (!c.config.cluster) return {};
    const Link& link = c.link(at);
    return sentences(outside_networks_fault(link.addresses[at.j],
                                            networks_carried(c.config.cluster->networks, link)));
}

Sentences address_twice(const Context& c, Place at) {
    const auto address = ip_of(c.link(at).addresses[at.j]);
    if (address == ip_of(c.config.mgmt.address))
        return {say(address->str(), " is given twice: mgmt.address has it too")};
    for (std::size_t i = 0; i <= at.i; ++i) {
        const auto& others = c.links[i].addresses;
        const std::size_t end = i == at.i ? at.j : others.size();
        for (std::size_t j = 0; j < end; ++j)
            if (ip_of(others[j]) == address)
                return {say(address->str(), " is given twice: ", connection(i), " has it too")};
    }
    return {};
}

Sentences mtu_out_of_range(const Context& c, Place at) {
    if (!c.link(at).mtu) return {};
    return sentences(mtu_fault(*c.link(at).mtu, has_ipv6(c, c.link(at))));
}

Sentences mtu_past_parent(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || !link.mtu || !link.parent) return {};
    const Link* parent = c.graph.by_device(*link.parent);
    const auto above = parent ? parent->mtu : c.config.mgmt.mtu;
    if (!above || *link.mtu <= *above) return {};
    return {say(*link.mtu, " is above ", *link.parent, "'s ", *above,
                "; raise the parent, or lower this")};
}

Sentences mtu_not_bonds(const Context& c, Place at) {
    const Link& link = c.link(at);
    const Link* bond = is_bond_member(link) ? c.graph.bond(*link.controller) : nullptr;
    if (!bond || !bond->mtu || !link.mtu || *bond->mtu == *link.mtu) return {};
    return {say(*link.mtu, " is not the ", *bond->mtu, " of its bond ", bond->interface,
                "; the kernel gives a member its bond's")};
}

} // namespace stratum::config::document
