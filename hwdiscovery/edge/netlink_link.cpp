#include "hwdiscovery/edge/netlink_link.hpp"

#include <array>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

namespace stratum::hw::route {
namespace {

// Younger than some headers this is built with.
constexpr int kMaxMtu = 51, kPropertyList = 52, kAltName = 53, kPermanentMac = 54;
constexpr int kParentDevice = 56, kParentBus = 57;
constexpr int kMostAttributes = 64;
constexpr unsigned kLowerUp = 1u << 16; // IFF_LOWER_UP: there is a carrier

template<std::size_t N>
std::string named(const std::array<const char*, N>& names, std::optional<std::uint8_t> number) {
    return number && *number < N ? names[*number] : std::string{};
}

void read_vlan(nlattr* data, LinkRecord& link) {
    std::array<nlattr*, IFLA_VLAN_MAX + 1> parts{};
    if (nla_parse_nested(parts.data(), IFLA_VLAN_MAX, data, nullptr) < 0) return;
    nlattr* id = parts[IFLA_VLAN_ID];
    if (id != nullptr && nla_len(id) >= 2) link.vlan_id = nla_get_u16(id);
}

// The numbers of <linux/if_bonding.h> in the words of sysfs.
void read_bond(nlattr* data, LinkRecord& link) {
    static constexpr std::array<const char*, 7> kModes = {
        "balance-rr", "active-backup", "balance-xor", "broadcast",
        "802.3ad",    "balance-tlb",   "balance-alb"};
    static constexpr std::array<const char*, 6> kPolicies = {"layer2",   "layer3+4", "layer2+3",
                                                             "encap2+3", "encap3+4", "vlan+srcmac"};
    static constexpr std::array<const char*, 2> kRates = {"slow", "fast"};
    std::array<nlattr*, IFLA_BOND_MAX + 1> parts{};
    if (nla_parse_nested(parts.data(), IFLA_BOND_MAX, data, nullptr) < 0) return;
    link.bond.mode = named(kModes, byte_of(parts[IFLA_BOND_MODE]));
    link.bond.xmit_hash_policy = named(kPolicies, byte_of(parts[IFLA_BOND_XMIT_HASH_POLICY]));
    link.bond.lacp_rate = named(kRates, byte_of(parts[IFLA_BOND_AD_LACP_RATE]));
    link.bond.miimon_ms = number_of(parts[IFLA_BOND_MIIMON]);
}

// Kernels before 5.6 tell a card's own address of a bond's member alone.
void read_membership(nlattr* data, LinkRecord& link) {
    std::array<nlattr*, IFLA_BOND_SLAVE_MAX + 1> parts{};
    if (nla_parse_nested(parts.data(), IFLA_BOND_SLAVE_MAX, data, nullptr) < 0) return;
    if (link.permanent_mac.empty()) link.permanent_mac = mac_of(parts[IFLA_BOND_SLAVE_PERM_HWADDR]);
}

void read_kind(nlattr* info, LinkRecord& link) {
    std::array<nlattr*, IFLA_INFO_MAX + 1> parts{};
    if (info == nullptr || nla_parse_nested(parts.data(), IFLA_INFO_MAX, info, nullptr) < 0) return;
    link.kind = string_of(parts[IFLA_INFO_KIND]);
    nlattr* data = parts[IFLA_INFO_DATA];
    if (link.kind == "vlan" && data != nullptr) read_vlan(data, link);
    if (link.kind == "bond" && data != nullptr) read_bond(data, link);
    nlattr* membership = parts[IFLA_INFO_SLAVE_DATA];
    if (string_of(parts[IFLA_INFO_SLAVE_KIND]) == "bond" && membership != nullptr)
        read_membership(membership, link);
}

void read_alt_names(nlattr* list, LinkRecord& link) {
    if (list == nullptr) return;
    nlattr* one = nullptr;
    int rest = 0;
    nla_for_each_nested(one, list, rest) {
        if (nla_type(one) == kAltName) link.alt_names.push_back(string_of(one));
    }
}

} // namespace

RawLink link_of(nlmsghdr* header) {
    RawLink raw;
    const auto* info = static_cast<const ifinfomsg*>(nlmsg_data(header));
    std::array<nlattr*, kMostAttributes + 1> parts{};
    if (nlmsg_parse(header, sizeof(ifinfomsg), parts.data(), kMostAttributes, nullptr) < 0)
        return raw;
    LinkRecord& link = raw.record;
    link.index = info->ifi_index;
    link.name = string_of(parts[IFLA_IFNAME]);
    link.hardware_type = info->ifi_type;
    link.mac = mac_of(parts[IFLA_ADDRESS]);
    link.permanent_mac = mac_of(parts[kPermanentMac]);
    link.mtu = number_of(parts[IFLA_MTU]);
    link.max_mtu = number_of(parts[kMaxMtu]);
    // A device that is not up knows nothing of its carrier.
    if ((info->ifi_flags & IFF_UP) != 0) link.carrier = (info->ifi_flags & kLowerUp) != 0;
    link.parent_bus = string_of(parts[kParentBus]);
    link.parent_device = string_of(parts[kParentDevice]);
    raw.master = static_cast<int>(number_of(parts[IFLA_MASTER]).value_or(0));
    raw.parent = static_cast<int>(number_of(parts[IFLA_LINK]).value_or(0));
    // IFLA_LINK of a namespaced device counts in the other namespace.
    if (parts[IFLA_LINK_NETNSID] != nullptr) raw.parent = 0;
    read_kind(parts[IFLA_LINKINFO], link);
    read_alt_names(parts[kPropertyList], link);
    return raw;
}

} // namespace stratum::hw::route
