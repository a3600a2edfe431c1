#include <algorithm>
#include <tuple>

#include "common/base/text.hpp"
#include "common/config/defaults.hpp"
#include "common/config/faults.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

struct Held {
    const facts::NicAddress* address;
    Cidr cidr;
};

std::vector<Held> global_addresses(const facts::Nic& nic) {
    std::vector<Held> all;
    for (const facts::NicAddress& address : nic.addresses) {
        const auto cidr = Cidr::parse(address.cidr);
        if (cidr && !cidr->address().is_link_local() && !cidr->address().is_loopback())
            all.push_back({&address, *cidr});
    }
    return all;
}

// The stable one: of the family asked for, not temporary, static before leased, the lowest.
std::optional<Held> best_address(const facts::Nic& nic, bool prefer_v4) {
    auto all = global_addresses(nic);
    std::erase_if(all, [](const Held& held) { return held.address->how == "temporary"; });
    const auto rank = [&](const Held& held) {
        return std::tuple(held.cidr.address().is_v4() != prefer_v4, held.address->how != "static",
                          held.cidr);
    };
    const auto best = std::min_element(
        all.begin(), all.end(), [&](const Held& a, const Held& b) { return rank(a) < rank(b); });
    if (best == all.end()) return {};
    return *best;
}

std::optional<Held> held_at(const MachineView& machine, const std::vector<std::string>& devices,
                            const IpAddress& address) {
    for (const std::string& device : devices)
        if (const auto* held = machine.address_on(device, address))
            return Held{held, *Cidr::parse(held->cidr)};
    return {};
}

std::optional<IpAddress> remote_of(const JoinFacts& join) {
    const std::string_view text = join.remote_address;
    const auto parsed = IpAddress::parse(text.substr(0, text.find('%')));
    if (!parsed) return {};
    return *parsed;
}

// The address that the join registered from, or the one that stands in for it.
void choose_address(const DefaultsInput& in, Mgmt& mgmt, std::vector<std::string>& notes) {
    const facts::Nic* nic = in.machine.registered();
    if (!nic) return;
    const auto remote = remote_of(in.join);
    const bool prefer_v4 = !remote || remote->is_v4();
    if (!in.machine.is_behind_nat() && remote) {
        const auto* held = in.machine.address_on(nic->name, *remote);
        if (held && held->how != "temporary" && !remote->is_link_local()) {
            mgmt.address = held->cidr;
            return;
        }
    }
    const auto best = best_address(*nic, prefer_v4);
    if (!best) return;
    mgmt.address = best->cidr.str();
    if (in.machine.is_behind_nat())
        notes.push_back(say("no NIC holds ", in.join.remote_address,
                            ", from which the machine registered; mgmt is the NIC that reaches "
                            "the founder, ",
                            nic->name, " with ", *mgmt.address, ": check it"));
    else
        notes.push_back(say("the machine registered from ", in.join.remote_address,
                            ", which does not last; mgmt gets the lasting address ", *mgmt.address,
                            " of ", nic->name, ": check it"));
}

// What the NIC was told, without what cannot be anybody's answer tomorrow: the machine itself.
std::vector<std::string> lasting_servers(const std::vector<std::string>& told,
                                         const IpAddress& own) {
    std::vector<std::string> servers;
    for (const std::string& text : told) {
        const auto server = IpAddress::parse(text);
        if (server && *server != own && !server->is_loopback() && !has_word(servers, server->str()))
            servers.push_back(server->str());
    }
    return servers;
}

void take_gateway_and_dns(const DefaultsInput& in, const std::vector<std::string>& places,
                          Mgmt& mgmt) {
    const auto cidr = Cidr::parse(*mgmt.address);
    if (!cidr) return;
    for (const std::string& place : places) {
        const facts::Nic* nic = in.machine.device(place);
        if (!nic) continue;
        const auto gateway = IpAddress::parse(nic->gateway);
        if (!mgmt.gateway && gateway && !gateway_fault(*gateway, *cidr))
            mgmt.gateway = gateway->str();
        if (auto servers = lasting_servers(nic->dns, cidr->address());
            !mgmt.dns && !servers.empty())
            mgmt.dns = std::move(servers);
    }
}

} // namespace

std::vector<std::string> mgmt_places(const MachineView& machine, const LinkGraph& links,
                                     const std::string& device) {
    std::vector<std::string> places{device};
    const auto below = links.nics_below(device);
    places.insert(places.end(), below.begin(), below.end());
    if (const facts::Nic* registered = machine.registered()) {
        const auto physical = machine.physical_below(registered->name);
        const bool stands_on = std::any_of(below.begin(), below.end(), [&](const std::string& nic) {
            return has_word(physical, nic);
        });
        if (stands_on) places.push_back(registered->name);
    }
    return places;
}

void fill_mgmt(const DefaultsInput& in, const LinkGraph& links, Mgmt& mgmt,
               std::vector<std::string>& notes) {
    if (!mgmt.interface && in.machine.registered()) mgmt.interface = in.machine.registered()->name;
    if (!mgmt.address) choose_address(in, mgmt, notes);
    if (!mgmt.interface || !mgmt.address) return;
    const auto places = mgmt_places(in.machine, links, *mgmt.interface);
    const auto as_address = IpAddress::parse(*mgmt.address);
    const auto as_cidr = Cidr::parse(*mgmt.address);
    if (!as_address && !as_cidr) return;
    const auto held = held_at(in.machine, places, as_address ? *as_address : as_cidr->address());
    if (!held) { // new on this machine: prefix and gateway are the request's to give
        if (!mgmt.dns) {
            const facts::Nic* nic = in.machine.device(*mgmt.interface);
            const IpAddress own = as_address ? *as_address : as_cidr->address();
            mgmt.dns = nic ? lasting_servers(nic->dns, own) : std::vector<std::string>{};
        }
        return;
    }
    if (as_address) mgmt.address = held->cidr.str();
    take_gateway_and_dns(in, places, mgmt);
    if (!mgmt.dns) mgmt.dns = std::vector<std::string>{};
    if (held->address->how == "dhcp")
        notes.push_back(say("the address ", held->cidr.address().str(),
                            " is leased today and becomes static: take it out of the DHCP range"));
}

} // namespace stratum::config
