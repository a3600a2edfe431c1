// Rules about the mgmt address: the one way to the machine, so none of it may be wrong.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"
#include "common/config/words.hpp"

namespace stratum::config::rules {

namespace {

const std::string& interface_of(const Context& c) {
    return *c.assignment.mgmt.interface;
}

// A network device that is there without anybody making it.
bool is_machines_nic(const Context& c, const std::string& name) {
    const facts::Nic* nic = c.machine.device(name);
    return nic && !nic->bmc && (nic->kind == "physical" || nic->kind == "other");
}

const Link* made_device(const Context& c, const std::string& name) {
    const Link* link = c.links.by_device(name);
    return link && !is_ethernet(*link) ? link : nullptr;
}

bool stands_on_registered(const Context& c, const std::string& device) {
    const facts::Nic* registered = c.machine.registered();
    if (!registered) return false;
    const auto physical = c.machine.physical_below(registered->name);
    const auto below = c.links.nics_below(device);
    return std::any_of(below.begin(), below.end(),
                       [&](const std::string& nic) { return has_word(physical, nic); });
}

std::optional<std::string> device_holding(const Context& c, const IpAddress& address) {
    for (const facts::Nic& nic : c.machine.inventory().nics)
        if (c.machine.address_on(nic.name, address)) return nic.name;
    return {};
}

bool is_complete_new_address(const Context& c) {
    return c.mgmt_cidr().has_value() && c.request.assignment.mgmt.gateway.has_value();
}

} // namespace

Sentences mgmt_interface_missing(const Context& c, Place) {
    if (c.assignment.mgmt.interface) return {};
    return {say("no NIC of this machine holds ", c.join.remote_address,
                ", from which it registered, and it does not say which NIC reaches the founder; "
                "name one: ",
                c.machine.choices())};
}

Sentences mgmt_interface_unknown(const Context& c, Place) {
    const std::string& name = interface_of(c);
    if (made_device(c, name)) {
        if (stands_on_registered(c, name)) return {};
        const facts::Nic* registered = c.machine.registered();
        return {say(name, " does not stand on ",
                    registered ? registered->name : "a NIC that the machine registered from",
                    registered ? ", from which the machine registered" : " (it is not known)",
                    "; the founder would lose sight of it")};
    }
    if (is_machines_nic(c, name)) return {};
    const facts::Nic* device = c.machine.device(name);
    if (device && device->bmc) return {say(name, " is the BMC's; ", c.machine.choices())};
    if (device)
        return {say(name, " is a ", device->kind,
                    " that the machine has now and this assignment does not list; list it and "
                    "what it stands on in links, so that it stays")};
    if (const facts::Nic* nic = c.machine.nic_also_called(name))
        return {say(name, " is another name of ", nic->name, "; write ", nic->name)};
    return {say("no NIC, bond or VLAN ", name, "; ", c.machine.choices())};
}

Sentences mgmt_interface_is_member(const Context& c, Place) {
    const std::string& name = interface_of(c);
    const auto bond = c.links.bond_of_nic(name);
    if (!bond) return {};
    return {say(name, " becomes a member of ", *bond, " and loses its address there; make ", *bond,
                " (or a VLAN on it) the mgmt interface, or leave the NIC out of the bond")};
}

Sentences mgmt_interface_not_told_apart(const Context& c, Place) {
    return sentences(nic_identity_fault(c.machine, interface_of(c)));
}

Sentences mgmt_interface_is_down(const Context& c, Place) {
    std::vector<std::string> down;
    for (const std::string& name : c.links.nics_below(interface_of(c))) {
        const facts::Nic* nic = c.machine.device(name);
        if (!nic || nic->state != facts::LinkState::kDown) return {};
        down.push_back(name);
    }
    if (down.empty()) return {};
    return {
        say(listed(down), " has no carrier; plug it in, or choose another: ", c.machine.choices())};
}

Sentences mgmt_interface_lacks_address(const Context& c, Place) {
    const auto address = c.mgmt_ip();
    if (!address || c.is_mgmt_address_in_place() || is_complete_new_address(c)) return {};
    const auto holder = device_holding(c, *address);
    if (!holder) return {};
    return {say(interface_of(c), " does not hold ", address->str(), ", ", *holder, " does; name ",
                *holder, ", or give mgmt.address with its prefix length and mgmt.gateway, new on ",
                interface_of(c))};
}

Sentences mgmt_address_missing(const Context& c, Place) {
    if (c.assignment.mgmt.address) return {};
    const std::string& name = interface_of(c);
    return {say("none is given, and ", name,
                " has no lasting address; give one with its prefix length, and mgmt.gateway")};
}

Sentences mgmt_address_malformed(const Context& c, Place) {
    if (!c.assignment.mgmt.address || c.mgmt_ip()) return {};
    return {say("\"", *c.assignment.mgmt.address,
                "\" is neither an address nor an address with prefix length, such as "
                "10.77.0.11/24")};
}

Sentences mgmt_address_new_without_prefix(const Context& c, Place) {
    const auto address = c.mgmt_ip();
    if (!address || c.mgmt_cidr() || c.is_mgmt_address_in_place()) return {};
    return {say(address->str(), " is new on ", interface_of(c),
                ", so its prefix length is needed: ", address->str(), "/…, and mgmt.gateway")};
}

Sentences mgmt_address_new_without_gateway(const Context& c, Place) {
    const auto cidr = c.mgmt_cidr();
    if (!cidr || c.is_mgmt_address_in_place() || is_complete_new_address(c)) return {};
    return {say(cidr->str(), " is new on ", interface_of(c), ", so mgmt.gateway is needed too")};
}

Sentences mgmt_address_no_host(const Context& c, Place) {
    const auto address = c.mgmt_ip();
    if (!address) return {};
    if (address->is_loopback() || address->is_multicast() || address->is_unspecified() ||
        address->is_link_local())
        return {say(address->str(), " is no address that other nodes can reach")};
    if (!c.mgmt_cidr()) return {};
    return sentences(host_cidr_fault(*c.assignment.mgmt.address));
}

Sentences mgmt_address_taken(const Context& c, Place) {
    const auto address = c.mgmt_ip();
    if (!address) return {};
    if (const auto holder = c.book.node_or_vip_at(*address))
        return {say(address->str(), " is taken: ", *holder)};
    return {};
}

Sentences mgmt_gateway_malformed(const Context& c, Place) {
    if (!c.assignment.mgmt.gateway) return {};
    return sentences(ip_fault(*c.assignment.mgmt.gateway));
}

Sentences mgmt_gateway_unreachable(const Context& c, Place) {
    const auto cidr = c.mgmt_cidr();
    if (!c.assignment.mgmt.gateway || !cidr) return {};
    const auto gateway = IpAddress::parse(*c.assignment.mgmt.gateway);
    return sentences(gateway_fault(*gateway, *cidr));
}

Sentences mgmt_dns_malformed(const Context& c, Place at) {
    return sentences(server_address_fault((*c.assignment.mgmt.dns)[at.i]));
}

Sentences mgmt_dns_is_itself(const Context& c, Place at) {
    const auto server = IpAddress::parse((*c.assignment.mgmt.dns)[at.i]);
    const auto own = c.mgmt_ip();
    if (!server || !own || (*server != *own && !server->is_loopback())) return {};
    return {say(server->str(), " is the node's own address; name another machine's")};
}

} // namespace stratum::config::rules
