#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "installer/phases/network_plan.hpp"

namespace stratum::installer {
namespace {

// Before every name that a distribution's or an administrator's own files usually have.
constexpr std::string_view kOwnPrefix = "05-stratum-";
// After ours, before the image's first-boot DHCP (80-…): NICs that nobody ordered get nothing.
constexpr std::string_view kOthersName = "70-stratum-others.network";
constexpr std::string_view kHead =
    "# Written by firstboot from node.yaml; changes are overwritten.\n";

void line(std::string& out, std::string_view key, std::string_view value) {
    out.append(key).append("=").append(value).append("\n");
}

std::string match_section(const PlannedDevice& device) {
    std::string out = "[Match]\n";
    if (device.kind == DeviceKind::kPhysical) {
        line(out, "PermanentMACAddress", device.mac);
        line(out, "Type", "ether");
        line(out, "Kind", "!*");
    } else {
        line(out, "Name", device.name);
    }
    return out;
}

std::string link_section(const PlannedDevice& device) {
    if (!device.mtu) return {};
    return "\n[Link]\nMTUBytes=" + std::to_string(*device.mtu) + "\n";
}

// A gateway outside every subnet of the device (a /32 host, fe80::1) is reached on the link itself.
bool is_on_link(const PlannedDevice& device) {
    const auto gateway = IpAddress::parse(device.gateway);
    if (!gateway) return false;
    return std::none_of(device.addresses.begin(), device.addresses.end(),
                        [&](const std::string& text) {
                            const auto cidr = Cidr::parse(text);
                            return cidr && cidr->contains(*gateway);
                        });
}

std::string route_section(const PlannedDevice& device) {
    if (device.gateway.empty()) return {};
    std::string out = "\n[Route]\n";
    line(out, "Gateway", device.gateway);
    if (is_on_link(device)) line(out, "GatewayOnLink", "yes");
    return out;
}

std::string network_section(const PlannedDevice& device) {
    std::string out = "\n[Network]\n";
    line(out, "DHCP", device.dhcp ? "yes" : "no");
    line(out, "IPv6AcceptRA", "no");
    // A bond's member or a provider's uplink carries no addresses of the host's own.
    if (device.addresses.empty() && !device.dhcp) line(out, "LinkLocalAddressing", "no");
    if (!device.controller.empty()) line(out, "Bond", device.controller);
    for (const std::string& vlan : device.vlans) line(out, "VLAN", vlan);
    for (const std::string& address : device.addresses) line(out, "Address", address);
    for (const std::string& server : device.dns) line(out, "DNS", server);
    if (device.dhcp) out += "\n[DHCPv4]\nUseRoutes=no\nUseGateway=no\nUseDNS=no\n";
    return out;
}

std::string render_device(const PlannedDevice& device) {
    return std::string(kHead) + match_section(device) + link_section(device) +
           network_section(device) + route_section(device);
}

void bond_section(std::string& out, const config::Bond& bond) {
    out += "\n[Bond]\n";
    if (bond.mode) line(out, "Mode", *bond.mode);
    if (bond.xmit_hash_policy) line(out, "TransmitHashPolicy", *bond.xmit_hash_policy);
    if (bond.miimon_ms) line(out, "MIIMonitorSec", std::to_string(*bond.miimon_ms) + "ms");
    if (bond.lacp_rate) line(out, "LACPTransmitRate", *bond.lacp_rate);
}

std::string render_netdev(const PlannedDevice& device) {
    std::string out(kHead);
    out += "[NetDev]\n";
    line(out, "Name", device.name);
    line(out, "Kind", device.kind == DeviceKind::kBond ? "bond" : "vlan");
    if (device.mtu) line(out, "MTUBytes", std::to_string(*device.mtu));
    if (device.kind == DeviceKind::kBond && device.bond) bond_section(out, *device.bond);
    if (device.kind == DeviceKind::kVlan) {
        out += "\n[VLAN]\nId=" + std::to_string(device.vlan_id.value_or(0)) + "\n";
    }
    return out;
}

std::string render_others() {
    return std::string(kHead) +
           "[Match]\nType=ether\nKind=!*\n\n[Network]\nDHCP=no\nIPv6AcceptRA=no\n"
           "LinkLocalAddressing=no\n";
}

} // namespace

std::vector<NetworkFile> render_network(const NetworkPlan& plan) {
    std::vector<NetworkFile> files;
    for (const PlannedDevice& device : plan.devices) {
        const std::string stem = std::string(kOwnPrefix) + device.name;
        files.push_back({stem + ".network", render_device(device)});
        if (device.kind != DeviceKind::kPhysical) {
            files.push_back({stem + ".netdev", render_netdev(device)});
        }
    }
    files.push_back({std::string(kOthersName), render_others()});
    std::sort(files.begin(), files.end(),
              [](const NetworkFile& a, const NetworkFile& b) { return a.name < b.name; });
    return files;
}

bool is_our_network_file(std::string_view name) {
    return name.substr(0, kOwnPrefix.size()) == kOwnPrefix || name == kOthersName;
}

namespace {

const facts::Nic* find_nic(const facts::Inventory& machine, const std::string& name) {
    for (const facts::Nic& nic : machine.nics) {
        if (nic.name == name) return &nic;
    }
    return nullptr;
}

bool has_address(const facts::Nic& nic, const std::string& cidr) {
    return std::any_of(nic.addresses.begin(), nic.addresses.end(),
                       [&](const facts::NicAddress& one) { return one.cidr == cidr; });
}

// Addresses the kernel or an IPv6 router gives by itself are nobody's leftover.
bool is_leftover(const facts::NicAddress& address, const PlannedDevice& device) {
    if (address.how == "link-local" || device.dhcp) return false;
    const auto& ordered = device.addresses;
    return std::find(ordered.begin(), ordered.end(), address.cidr) == ordered.end();
}

void compare_addresses(const PlannedDevice& device, const facts::Nic& nic,
                       std::vector<std::string>& out) {
    for (const std::string& address : device.addresses) {
        if (!has_address(nic, address)) out.push_back(device.name + " has no address " + address);
    }
    for (const facts::NicAddress& address : nic.addresses) {
        if (is_leftover(address, device)) {
            out.push_back(device.name + " still has " + address.cidr + ", which nobody ordered");
        }
    }
    if (nic.gateway != device.gateway && !device.dhcp) {
        out.push_back(device.name + ": the default route is " +
                      (nic.gateway.empty() ? "missing" : "by " + nic.gateway) + ", ordered is " +
                      (device.gateway.empty() ? "none" : device.gateway));
    }
}

void compare_device(const PlannedDevice& device, const facts::Nic& nic,
                    std::vector<std::string>& out) {
    if (device.mtu && nic.mtu && *nic.mtu != static_cast<std::uint32_t>(*device.mtu)) {
        out.push_back(device.name + " has MTU " + std::to_string(*nic.mtu) + ", ordered is " +
                      std::to_string(*device.mtu));
    }
    if (!device.controller.empty() && nic.master != device.controller) {
        out.push_back(device.name + " is not yet a member of " + device.controller);
    }
    const bool has_mode = device.kind == DeviceKind::kBond && device.bond && device.bond->mode;
    if (has_mode && nic.bond && nic.bond->mode != *device.bond->mode) {
        out.push_back(device.name + " has bond mode " + nic.bond->mode + ", ordered is " +
                      *device.bond->mode);
    }
    if (device.kind == DeviceKind::kVlan && nic.vlan_id && device.vlan_id &&
        *nic.vlan_id != *device.vlan_id) {
        out.push_back(device.name + " has VLAN id " + std::to_string(*nic.vlan_id) +
                      ", ordered is " + std::to_string(*device.vlan_id));
    }
    compare_addresses(device, nic, out);
}

} // namespace

std::vector<std::string> differences(const NetworkPlan& plan, const facts::Inventory& machine) {
    std::vector<std::string> out;
    for (const PlannedDevice& device : plan.devices) {
        const facts::Nic* nic = find_nic(machine, device.name);
        if (nic == nullptr) {
            out.push_back("there is no " + device.name + " yet");
            continue;
        }
        compare_device(device, *nic, out);
    }
    return out;
}

} // namespace stratum::installer
