// Rules about the addresses and the MTU of links.
#include <algorithm>

#include "common/config/allocation.hpp"
#include "common/config/defaults.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/stacking.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

std::optional<Cidr> address_at(const Context& c, Place at) {
    const auto cidr = Cidr::parse(c.link(at).addresses[at.j]);
    if (!cidr) return {};
    return *cidr;
}

bool has_ipv6(const Context& c, const Link& link) {
    const auto mgmt = c.mgmt_ip();
    return mgmt && !mgmt->is_v4() && c.assignment.mgmt.interface == link.interface;
}

// The NIC of the device that can have the least.
std::string tightest_nic(const Context& c, const std::string& device, std::int64_t largest) {
    for (const std::string& name : c.links.nics_below(device)) {
        const facts::Nic* nic = c.machine.device(name);
        if (nic && nic->max_mtu && *nic->max_mtu == largest) return name;
    }
    return device;
}

} // namespace

Sentences address_malformed(const Context& c, Place at) {
    return sentences(ipv4_host_cidr_fault(c.link(at).addresses[at.j]));
}

Sentences address_not_wanted(const Context& c, Place at) {
    return sentences(stacking::address_not_wanted(c.link(at)));
}

Sentences address_outside_networks(const Context& c, Place at) {
    return sentences(outside_networks_fault(c.link(at).addresses[at.j], c.networks_of(c.link(at))));
}

Sentences address_taken(const Context& c, Place at) {
    const auto address = address_at(c, at);
    if (!address) return {};
    const auto holder = c.book.holder_of(address->address());
    if (!holder) return {};
    return {say(address->address().str(), " is taken: ", *holder,
                "; leave addresses out and the founder picks a free one")};
}

Sentences address_twice(const Context& c, Place at) {
    const auto address = address_at(c, at);
    if (!address) return {};
    if (const auto mgmt = c.mgmt_ip(); mgmt && *mgmt == address->address())
        return {say(mgmt->str(), " is given twice: mgmt.address has it too")};
    for (std::size_t i = 0; i <= at.i; ++i) {
        const Link& link = c.link_list()[i];
        const std::size_t end = i == at.i ? at.j : link.addresses.size();
        for (std::size_t j = 0; j < end; ++j) {
            const auto other = Cidr::parse(link.addresses[j]);
            if (other && other->address() == address->address())
                return {say(address->address().str(), " is given twice: link ", link.name,
                            " has it too")};
        }
    }
    return {};
}

Sentences network_without_address(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (link.addresses.empty() || is_bond_member(link)) return {};
    Sentences without;
    for (const Network* network : c.networks_of(link)) {
        const bool has_one =
            std::any_of(link.addresses.begin(), link.addresses.end(), [&](const auto& text) {
                const auto address = Cidr::parse(text);
                return address && network->cidr.contains(address->address());
            });
        if (!has_one)
            without.push_back(say("none is in network ", network->name, " (", network->cidr.str(),
                                  "), which this link carries; add one, or leave addresses out "
                                  "and the founder picks them all"));
    }
    return without;
}

Sentences network_not_recorded(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!wants_addresses(link)) return {};
    Sentences missing;
    for (const std::string_view purpose : {"storage", "overlay"}) {
        const auto& networks = c.cluster.networks;
        const bool is_recorded =
            std::any_of(networks.begin(), networks.end(),
                        [&](const Network& network) { return network.purpose == purpose; });
        if (carries(link, purpose) && !is_recorded)
            missing.push_back(say("the cluster records no ", purpose,
                                  " network to pick an address from; name one yourself"));
    }
    return missing;
}

Sentences network_full(const Context& c, Place at) {
    return at.i < c.full_networks.size() ? c.full_networks[at.i] : Sentences{};
}

Sentences mtu_out_of_range(const Context& c, Place at) {
    const Link& link = c.link(at);
    return sentences(mtu_fault(*link.mtu, has_ipv6(c, link)));
}

Sentences mtu_past_nic(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (is_vlan(link)) return {};
    // A member that only follows its bond: the problem is told at the bond.
    const Link* bond = is_bond_member(link) ? c.links.bond(*link.controller) : nullptr;
    if (bond && bond->mtu == link.mtu) return {};
    const auto largest = largest_mtu(c.machine, c.links, link.interface);
    if (!largest || *link.mtu <= *largest) return {};
    return {say(*link.mtu, " is past ", *largest, ", the most that ",
                tightest_nic(c, link.interface, *largest), " can have")};
}

Sentences mtu_past_parent(const Context& c, Place at) {
    const Link& link = c.link(at);
    if (!is_vlan(link) || !link.parent) return {};
    const auto largest = largest_mtu(c.machine, c.links, *link.parent);
    if (!largest || *link.mtu <= *largest) return {};
    return {say(*link.mtu, " is above ", *largest, ", the most that its parent ", *link.parent,
                " can have")};
}

Sentences mtu_below_network(const Context& c, Place at) {
    const Link& link = c.link(at);
    for (const Network& network : c.cluster.networks)
        if (carries(link, network.purpose) && *link.mtu < network.mtu)
            return {say(*link.mtu, " is less than network ", network.name, " (", network.purpose,
                        ") needs: ", network.mtu)};
    return {};
}

} // namespace stratum::config::rules
