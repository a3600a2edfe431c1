// The words that documents may use where a field takes one of a few, and the small helper that puts
// a sentence together.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <string_view>

namespace stratum::config {

using Words = std::span<const std::string_view>;

inline constexpr std::array<std::string_view, 4> kRoles{"hybrid", "control-plane", "compute",
                                                        "storage"};
inline constexpr std::array<std::string_view, 3> kLinkKinds{"ethernet", "bond", "vlan"};
inline constexpr std::array<std::string_view, 7> kBondModes{
    "active-backup", "802.3ad",     "balance-xor", "balance-rr",
    "balance-tlb",   "balance-alb", "broadcast"};
inline constexpr std::array<std::string_view, 6> kHashPolicies{
    "layer2", "layer2+3", "layer3+4", "encap2+3", "encap3+4", "vlan+srcmac"};
inline constexpr std::array<std::string_view, 2> kLacpRates{"slow", "fast"};
inline constexpr std::array<std::string_view, 5> kPurposes{"oob", "mgmt", "storage", "overlay",
                                                           "provider"};
inline constexpr std::array<std::string_view, 2> kDiskRoles{"compute", "ceph-osd"};
inline constexpr std::array<std::string_view, 2> kTopologies{"bridged", "routed"};
inline constexpr std::array<std::string_view, 4> kNetworkPurposes{"storage", "overlay", "mgmt",
                                                                  "provider"};
inline constexpr std::array<std::string_view, 4> kUpstreamPurposes{"mgmt", "storage", "overlay",
                                                                   "provider"};
inline constexpr std::array<std::string_view, 2> kOsDiskLayouts{"compute-tail", "whole-disk"};

// MTUs a link may have, in bytes; IPv6 needs at least kSmallestIpv6Mtu.
inline constexpr int kSmallestMtu = 576;
inline constexpr int kSmallestIpv6Mtu = 1280;
inline constexpr int kLargestMtu = 9216;
inline constexpr int kUsualMtu = 1500;

namespace detail {
inline void put(std::string& out, std::string_view text) {
    out += text;
}
inline void put(std::string& out, char letter) {
    out += letter;
}
template<std::integral T>
void put(std::string& out, T number) {
    out += std::to_string(number);
}
} // namespace detail

// One text of all its parts, numbers in decimal.
template<class... Parts>
std::string say(const Parts&... parts) {
    std::string out;
    (detail::put(out, parts), ...);
    return out;
}

// "a, b, c"; `none` where the list is empty.
template<class List>
std::string listed(const List& texts, std::string_view none = "none") {
    std::string out;
    for (const auto& text : texts) {
        if (!out.empty()) out += ", ";
        out += text;
    }
    return out.empty() ? std::string(none) : out;
}

template<class List>
bool has_word(const List& texts, std::string_view word) {
    for (const auto& text : texts)
        if (text == word) return true;
    return false;
}

} // namespace stratum::config
