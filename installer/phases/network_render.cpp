#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "installer/phases/network_plan.hpp"

namespace stratum::installer {
namespace {

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
        line(out, device.mac_is_permanent ? "PermanentMACAddress" : "MACAddress", device.mac);
        line(out, "Type", "ether");
        line(out, "Kind", "!*");
    } else {
        line(out, "Name", device.name);
    }
    return out;
}

// An OS that waits for its network waits for the devices that carry addresses, no others.
std::string link_section(const PlannedDevice& device) {
    std::string out;
    if (device.mtu) line(out, "MTUBytes", std::to_string(*device.mtu));
    if (device.addresses.empty()) line(out, "RequiredForOnline", "no");
    return out.empty() ? out : "\n[Link]\n" + out;
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
    line(out, "DHCP", device.dhcp ? "ipv4" : "no");
    line(out, "IPv6AcceptRA", "no");
    // A bond's member or a provider's uplink carries no addresses of the host's own.
    if (device.addresses.empty() && !device.dhcp) line(out, "LinkLocalAddressing", "no");
    if (!device.controller.empty()) line(out, "Bond", device.controller);
    for (const std::string& vlan : device.vlans) line(out, "VLAN", vlan);
    for (const std::string& address : device.addresses) line(out, "Address", address);
    for (const std::string& server : device.dns) line(out, "DNS", server);
    if (device.dhcp) {
        out +=
            "\n[DHCPv4]\nClientIdentifier=mac\nUseRoutes=no\nUseGateway=no\nUseDNS=no\nUseNTP=no\n"
            "UseHostname=no\n";
    }
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
    // A VLAN gets its MTU by its .network file, once its parent has one that is large enough: to
    // make it with a larger one than its parent's fails for good.
    const bool is_bond = device.kind == DeviceKind::kBond;
    if (is_bond && device.mtu) line(out, "MTUBytes", std::to_string(*device.mtu));
    if (is_bond && device.bond) bond_section(out, *device.bond);
    if (device.kind == DeviceKind::kVlan) {
        out += "\n[VLAN]\nId=" + std::to_string(device.vlan_id.value_or(0)) + "\n";
    }
    return out;
}

std::string render_others() {
    return std::string(kHead) + "[Match]\nType=ether\nKind=!*\n\n[Link]\nRequiredForOnline=no\n\n["
                                "Network]\nDHCP=no\nIPv6AcceptRA=no\n"
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

} // namespace stratum::installer
