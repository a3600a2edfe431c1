#include "common/base/text.hpp"
#include "hwdiscovery/table_parts.hpp"

namespace stratum::hw {
namespace {

std::string speed_words(std::uint32_t mbps) {
    if (mbps < 1000 || mbps % 100 != 0) return std::to_string(mbps) + " Mb/s";
    std::string text = std::to_string(mbps / 1000);
    if (mbps % 1000 != 0) text += "." + std::to_string(mbps % 1000 / 100);
    return text + " Gb/s";
}

std::string nic_title(const facts::Nic& nic) {
    std::vector<std::string> parts = {nic.name};
    if (nic.kind != "physical") add_part(parts, nic.kind);
    if (nic.speed_mbps) add_part(parts, speed_words(*nic.speed_mbps));
    if (nic.duplex == "half") add_part(parts, "half duplex");
    if (nic.mtu) add_part(parts, "mtu " + std::to_string(*nic.mtu));
    return join(parts, "  ");
}

std::string nic_hardware(const facts::Nic& nic) {
    std::vector<std::string> parts;
    add_part(parts, nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac);
    if (!nic.permanent_mac.empty() && nic.permanent_mac != nic.mac)
        add_part(parts, "now " + nic.mac);
    add_part(parts, nic.driver);
    add_part(parts, nic.pci_address);
    add_part(parts, nic.firmware_version.empty() ? "" : "firmware " + nic.firmware_version);
    if (nic.bmc) add_part(parts, "of the management controller");
    return join(parts, ", ");
}

std::string bond_words(const facts::NicBond& bond) {
    std::vector<std::string> options;
    add_part(options, bond.xmit_hash_policy);
    add_part(options, bond.lacp_rate.empty() ? "" : "LACP " + bond.lacp_rate);
    if (bond.miimon_ms.value_or(0) > 0)
        add_part(options, "miimon " + std::to_string(*bond.miimon_ms) + " ms");
    std::string text = bond.mode.empty() ? "of " : bond.mode + " of ";
    text += bond.members.empty() ? "nothing" : join(bond.members, ", ");
    return text + (options.empty() ? "" : " (" + join(options, ", ") + ")");
}

std::string nic_make_up(const facts::Nic& nic) {
    std::vector<std::string> parts;
    if (nic.bond) add_part(parts, bond_words(*nic.bond));
    add_part(parts, join(nic.bridge_members, ", "));
    if (nic.vlan_id)
        add_part(parts, "VLAN " + std::to_string(*nic.vlan_id) +
                            (nic.parent.empty() ? "" : " on " + nic.parent));
    if (nic.kind == "other" && !nic.parent.empty()) add_part(parts, "a function of " + nic.parent);
    if (!nic.master.empty()) add_part(parts, "member of " + nic.master);
    return join(parts, ", ");
}

std::string neighbour_words(const facts::LldpNeighbour& neighbour) {
    std::vector<std::string> parts;
    add_part(parts, neighbour.system_name.empty() ? neighbour.chassis_id : neighbour.system_name);
    add_part(parts, "port " + neighbour.port_id);
    add_part(parts, neighbour.port_description);
    if (neighbour.vlan_id) add_part(parts, "VLAN " + std::to_string(*neighbour.vlan_id));
    return join(parts, ", ");
}

} // namespace

void draw_nic(const facts::Nic& nic, bool reaches_founder, TableText& text) {
    const Ink ink = nic.state == facts::LinkState::kUp     ? Ink::kGood
                    : nic.state == facts::LinkState::kDown ? Ink::kBad
                                                           : Ink::kFaint;
    const std::string state = nic.state == facts::LinkState::kUnknown
                                  ? "state not known"
                                  : std::string(facts::link_state_name(nic.state));
    text.heading(nic_title(nic), state, ink);
    text.field("what", nic_hardware(nic));
    text.field("made of", nic_make_up(nic));
    std::vector<std::string> addresses;
    for (const auto& address : nic.addresses)
        addresses.push_back(address.cidr + " (" + address.how + ")");
    text.field("address", join(addresses, ", "));
    text.field("gateway", nic.gateway);
    text.field("routes", short_list(nic.routes));
    text.field("dns", join(nic.dns, ", "));
    for (const auto& neighbour : nic.lldp) text.field("switch", neighbour_words(neighbour));
    if (reaches_founder) text.field("founder", "is reached through this one");
}

} // namespace stratum::hw
