#include "hwdiscovery/read_nics.hpp"

#include <algorithm>
#include <cstdlib>

#include "common/base/text.hpp"
#include "hwdiscovery/uevent.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kLoopback = 772; // ARPHRD_LOOPBACK
constexpr std::string_view kLower = "lower_";
constexpr std::uint64_t kOwnAddress = 0; // NET_ADDR_PERM: the address the hardware came with

std::optional<std::int64_t> signed_number(const std::string& text) {
    const bool is_negative = text.starts_with("-");
    const auto value = parse_decimal(is_negative ? text.substr(1) : text);
    if (!value || *value > 1ull << 40) return std::nullopt;
    return is_negative ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
}

// The USB device that a network interface belongs to stands some folders above it.
void read_usb(const Tree& tree, NicSysfs& nic) {
    std::string folder = nic.path;
    if (folder.find("/usb") == std::string::npos) return;
    for (int up = 0; up < 6 && folder.size() > 1; ++up) {
        folder = folder.substr(0, folder.rfind('/'));
        nic.usb_vendor = lower(tree.text(folder + "/idVendor"));
        if (nic.usb_vendor.empty()) continue;
        nic.usb_product =
            tree.text(folder + "/manufacturer") + " " + tree.text(folder + "/product");
        return;
    }
}

std::string driver_of(const Tree& tree, const NicSysfs& nic) {
    if (auto name = tree.link_name(nic.path + "/device/driver"); !name.empty()) return name;
    const auto data = tree.bytes("/run/udev/data/n" + std::to_string(nic.index));
    return data ? uevent_value(*data, "E:ID_NET_DRIVER") : std::string{};
}

// A bond gives its members its own address; each keeps its old one here.
std::string permanent_mac_of(const Tree& tree, const NicSysfs& nic) {
    auto kept = tree.text(nic.path + "/bonding_slave/perm_hwaddr");
    if (!kept.empty()) return kept;
    const bool is_own = tree.number(nic.path + "/addr_assign_type") == kOwnAddress;
    return is_own && nic.has_device ? nic.mac : std::string{};
}

// "802.3ad 4" as its first word.
std::string first_word(const std::string& text) {
    const auto all = words(text);
    return all.empty() ? std::string{} : all.front();
}

void read_bond(const Tree& tree, NicSysfs& nic) {
    const std::string folder = nic.path + "/bonding/";
    nic.is_bond = tree.exists(nic.path + "/bonding");
    if (!nic.is_bond) return;
    nic.bond.mode = first_word(tree.text(folder + "mode"));
    nic.bond.xmit_hash_policy = first_word(tree.text(folder + "xmit_hash_policy"));
    nic.bond.lacp_rate = first_word(tree.text(folder + "lacp_rate"));
    if (const auto miimon = tree.number(folder + "miimon"); miimon && *miimon <= 0x7fffffff)
        nic.bond.miimon_ms = static_cast<std::uint32_t>(*miimon);
    nic.bond_members = words(tree.text(folder + "slaves"));
}

// A virtual function of a card that is here too names that card.
void read_function(const Tree& tree, NicSysfs& nic) {
    const std::string card = nic.path + "/device/physfn";
    nic.port_name = tree.text(nic.path + "/phys_port_name");
    nic.is_virtual_function = tree.exists(card);
    if (!nic.is_virtual_function) return;
    for (const auto& name : tree.list(card + "/net")) {
        nic.physical_function = name;
        return;
    }
}

NicSysfs read_nic(const Tree& tree, const std::string& name) {
    NicSysfs nic;
    nic.name = name;
    nic.path = tree.followed("/sys/class/net/" + name);
    nic.index = static_cast<int>(tree.number(nic.path + "/ifindex").value_or(0) & 0x7fffffff);
    nic.hardware_type = tree.number(nic.path + "/type");
    nic.has_device = tree.exists(nic.path + "/device");
    nic.mac = lower(tree.text(nic.path + "/address"));
    nic.devtype = uevent_value(tree.text(nic.path + "/uevent"), "DEVTYPE");
    nic.driver = driver_of(tree, nic);
    nic.permanent_mac = lower(permanent_mac_of(tree, nic));
    nic.master = tree.link_name(nic.path + "/master");
    nic.is_bridge = tree.exists(nic.path + "/bridge");
    if (nic.is_bridge) nic.bridge_members = tree.list(nic.path + "/brif");
    read_bond(tree, nic);
    read_function(tree, nic);
    for (const auto& entry : tree.list(nic.path))
        if (entry.starts_with(kLower)) nic.lower.push_back(entry.substr(kLower.size()));
    if (const auto mtu = tree.number(nic.path + "/mtu"); mtu && *mtu <= 1u << 20)
        nic.mtu = static_cast<std::uint32_t>(*mtu);
    nic.carrier = tree.flag(nic.path + "/carrier");
    nic.speed = signed_number(tree.text(nic.path + "/speed"));
    nic.duplex = tree.text(nic.path + "/duplex");
    read_usb(tree, nic);
    return nic;
}

// "bond0.42       | 42  | bond0" for each VLAN.
void add_vlans(const Tree& tree, std::vector<LinkRecord>& links) {
    for (const auto& line : split(tree.text("/proc/net/vlan/config"), '\n')) {
        const auto parts = split(line, '|');
        if (parts.size() != 3) continue;
        const auto id = parse_decimal(trim(parts[1]));
        for (auto& link : links) {
            if (!id || *id > 4094 || link.name != trim(parts[0])) continue;
            link.kind = "vlan";
            link.vlan_id = static_cast<int>(*id);
            link.parent = trim(parts[2]);
        }
    }
}

} // namespace

std::vector<NicSysfs> read_nic_sysfs(const Tree& tree) {
    std::vector<NicSysfs> nics;
    for (const auto& name : tree.list("/sys/class/net")) {
        // bonding_masters and the like are files, no devices.
        if (tree.text("/sys/class/net/" + name + "/ifindex").empty()) continue;
        NicSysfs nic = read_nic(tree, name);
        if (nic.hardware_type != kLoopback) nics.push_back(std::move(nic));
    }
    std::sort(nics.begin(), nics.end(),
              [](const NicSysfs& a, const NicSysfs& b) { return natural_less(a.name, b.name); });
    return nics;
}

std::vector<LinkRecord> links_from_sysfs(const Tree& tree, const std::vector<NicSysfs>& nics) {
    std::vector<LinkRecord> links;
    for (const auto& nic : nics) {
        LinkRecord link;
        link.index = nic.index;
        link.name = nic.name;
        link.mac = nic.mac;
        link.kind = nic.is_bond ? "bond" : nic.is_bridge ? "bridge" : nic.devtype;
        link.mtu = nic.mtu;
        link.carrier = nic.carrier;
        link.master = nic.master;
        link.bond = nic.bond;
        if (link.kind == "vlan" && nic.lower.size() == 1) link.parent = nic.lower.front();
        links.push_back(std::move(link));
    }
    add_vlans(tree, links);
    return links;
}

} // namespace stratum::hw
