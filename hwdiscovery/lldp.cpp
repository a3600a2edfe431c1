#include "hwdiscovery/lldp.hpp"

#include <algorithm>
#include <array>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

using BytesView = std::span<const std::uint8_t>;

// 802.1AB, table 8-1, and of 802.1Q's own (OUI 00-80-c2) the port's VLAN.
constexpr std::uint8_t kEnd = 0, kChassis = 1, kPort = 2, kTimeToLive = 3, kPortDescription = 4,
                       kSystemName = 5, kOwn = 127;
constexpr std::array<std::uint8_t, 4> kPortVlan = {0x00, 0x80, 0xc2, 1};
constexpr std::size_t kMostIdentifier = 255;

struct Part {
    std::uint8_t type = 0;
    BytesView value;
};

// Seven bits of type, nine of length, then that many bytes.
std::optional<Part> take_part(BytesView& rest) {
    if (rest.size() < 2) return std::nullopt;
    const auto type = static_cast<std::uint8_t>(rest[0] >> 1);
    const std::size_t length = static_cast<std::size_t>(rest[0] & 1) << 8 | rest[1];
    if (rest.size() - 2 < length) return std::nullopt;
    const Part part{type, rest.subspan(2, length)};
    rest = rest.subspan(2 + length);
    return part;
}

std::string text_of(BytesView bytes) {
    std::string text(bytes.begin(), bytes.end());
    // Some switches count the byte that ends a C string.
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return to_valid_utf8(trim(text));
}

std::string with_colons(BytesView bytes) {
    std::vector<std::string> parts;
    for (const std::uint8_t byte : bytes) parts.push_back(to_hex({&byte, 1}));
    return join(parts, ":");
}

// IANA's number of the family, then the address.
std::string network_address_of(BytesView bytes) {
    constexpr std::uint8_t kIpv4 = 1, kIpv6 = 2;
    const BytesView address = bytes.subspan(1);
    if (bytes[0] == kIpv4 && address.size() == 4)
        return IpAddress::v4(static_cast<std::uint32_t>(address[0]) << 24 | address[1] << 16 |
                             address[2] << 8 | address[3])
            .str();
    if (bytes[0] != kIpv6 || address.size() != 16) return to_hex(bytes);
    std::vector<std::string> groups;
    for (std::size_t i = 0; i < 16; i += 2) groups.push_back(to_hex(address.subspan(i, 2)));
    const auto parsed = IpAddress::parse(join(groups, ":"));
    return parsed ? parsed->str() : to_hex(bytes);
}

// A subtype, then 1 to 255 bytes in its form. `mac`, `network`: the subtypes of those forms.
std::optional<std::string> identifier_of(BytesView value, std::uint8_t mac, std::uint8_t network) {
    if (value.size() < 2 || value.size() > 1 + kMostIdentifier) return std::nullopt;
    const BytesView bytes = value.subspan(1);
    if (value[0] == mac && bytes.size() == 6) return with_colons(bytes);
    if (value[0] == network && bytes.size() >= 2) return network_address_of(bytes);
    std::string text = text_of(bytes);
    const bool is_binary = !is_utf8({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return is_binary || text.empty() ? to_hex(bytes) : text;
}

void take_own(BytesView value, facts::LldpNeighbour& neighbour) {
    const bool is_vlan = value.size() == kPortVlan.size() + 2 &&
                         std::equal(kPortVlan.begin(), kPortVlan.end(), value.begin());
    if (!is_vlan) return;
    const int id = value[4] << 8 | value[5];
    // 0: the port has none.
    if (id >= 1 && id <= 4094) neighbour.vlan_id = id;
}

// The three that must come first, in this order.
std::optional<facts::LldpNeighbour> take_head(BytesView& rest) {
    const auto chassis = take_part(rest), port = take_part(rest), life = take_part(rest);
    if (!life || chassis->type != kChassis || port->type != kPort || life->type != kTimeToLive)
        return std::nullopt;
    const auto chassis_id = identifier_of(chassis->value, 4, 5);
    const auto port_id = identifier_of(port->value, 3, 4);
    if (!chassis_id || !port_id || life->value.size() < 2) return std::nullopt;
    if (life->value[0] == 0 && life->value[1] == 0) return std::nullopt;
    facts::LldpNeighbour neighbour;
    neighbour.chassis_id = *chassis_id;
    neighbour.port_id = *port_id;
    return neighbour;
}

} // namespace

std::optional<facts::LldpNeighbour> parse_lldp(std::span<const std::uint8_t> bytes) {
    auto neighbour = take_head(bytes);
    if (!neighbour) return std::nullopt;
    // The end may be left out where the frame ends; after it comes padding.
    while (!bytes.empty()) {
        const auto part = take_part(bytes);
        if (!part) return std::nullopt;
        if (part->type == kEnd) return part->value.empty() ? neighbour : std::nullopt;
        if (part->type <= kTimeToLive) return std::nullopt;
        if (part->type == kPortDescription) neighbour->port_description = text_of(part->value);
        if (part->type == kSystemName) neighbour->system_name = text_of(part->value);
        if (part->type == kOwn) take_own(part->value, *neighbour);
    }
    return neighbour;
}

std::vector<LldpPort> lldp_ports(const std::vector<facts::Nic>& nics,
                                 const std::vector<std::pair<std::string, int>>& indexes) {
    std::vector<LldpPort> ports;
    for (const auto& nic : nics) {
        const auto index = std::find_if(indexes.begin(), indexes.end(),
                                        [&](const auto& one) { return one.first == nic.name; });
        const bool is_heard = nic.kind == "physical" && nic.state == facts::LinkState::kUp &&
                              !nic.bmc && index != indexes.end();
        if (is_heard) ports.push_back({index->second, nic.name});
    }
    return ports;
}

} // namespace stratum::hw
