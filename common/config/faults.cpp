#include "common/config/faults.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/words.hpp"

namespace stratum::config {

namespace {

constexpr std::int64_t kLargestVlanId = 4094;
constexpr std::size_t kLongestDevice = 15; // the kernel's IFNAMSIZ less its ending zero

bool is_platform_device(std::string_view text) {
    return text == "br-int" || text == "br-ex" || text.starts_with("genev") ||
           text.starts_with("ovs-");
}

// Linux keeps these for itself: two folders of /proc/sys/net/…/conf, and bonding's file beside the
// devices of /sys/class/net.
bool is_kernels_name(std::string_view text) {
    return text == "all" || text == "default" || text == "bonding_masters";
}

// Fewer than the kernel takes: systemd.network(5) reads a name as a pattern (e*), systemd.netdev(5)
// and the kernel read % in it, and a number is an interface's index.
bool is_device_name(std::string_view text) {
    const auto good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-' || c == '_';
    };
    const bool is_number = text.find_first_not_of("0123456789") == std::string_view::npos;
    return std::all_of(text.begin(), text.end(), good) && !is_number && text.front() != '-' &&
           text != "." && text != "..";
}

// A destination of packets to one machine.
bool is_one_machines(const IpAddress& address) {
    return !address.is_unspecified() && !address.is_multicast() &&
           address != IpAddress::v4(0xffff'ffff);
}

bool is_name_part(std::string_view part) {
    return is_label(lower(part));
}

} // namespace

Fault label_fault(std::string_view text) {
    if (is_label(text)) return {};
    return say("\"", text,
               "\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end");
}

Fault device_fault(std::string_view text) {
    if (text.empty()) return "missing: the device's name, such as bond0 or enp1s0";
    if (text.size() > kLongestDevice)
        return say("\"", text, "\" has ", text.size(), " characters; a device's name has at most ",
                   kLongestDevice);
    if (!is_device_name(text))
        return say("\"", text,
                   "\" is no device name: letters, digits, dot, hyphen and underscore, not digits "
                   "alone, no hyphen in front");
    if (is_kernels_name(text)) return say(text, " is a name that Linux keeps; choose another");
    if (text == "lo") return "lo is the loopback device; name a NIC, a bond or a VLAN";
    if (is_platform_device(text))
        return say(text, " is a name that the platform uses itself (br-int, br-ex, genev*, ovs-*); "
                         "choose another");
    return {};
}

Fault ip_fault(std::string_view text) {
    if (IpAddress::parse(text)) return {};
    return say("\"", text, "\" is not an address, such as 10.77.0.1 or fd00::1");
}

Fault server_address_fault(std::string_view text) {
    if (Fault fault = ip_fault(text)) return fault;
    if (is_one_machines(*IpAddress::parse(text))) return {};
    return say(text, " is no server's address");
}

Fault cidr_fault(std::string_view text) {
    if (Cidr::parse(text)) return {};
    return say("\"", text, "\" is not an address with its prefix length, such as 10.77.0.11/24");
}

Fault host_cidr_fault(std::string_view text) {
    if (Fault fault = cidr_fault(text)) return fault;
    const Cidr cidr = *Cidr::parse(text);
    if (cidr.prefix() == 0)
        return say(cidr.str(), " would make every address a neighbour; give the network's own "
                               "prefix length, such as /24");
    if (cidr.is_host()) return {};
    const bool own = cidr.address() == cidr.network();
    return say(cidr.str(), " is the ", own ? "network's own" : "broadcast", " address of ",
               Cidr::make(cidr.network(), cidr.prefix())->str(), "; a node needs a host address");
}

Fault network_fault(std::string_view text) {
    if (Fault fault = cidr_fault(text)) return fault;
    const Cidr cidr = *Cidr::parse(text);
    if (cidr.prefix() == 0) return say(text, " is every address there is, and no network");
    if (cidr.address() == cidr.network()) return {};
    return say(text, " has host bits; the network is ",
               Cidr::make(cidr.network(), cidr.prefix())->str());
}

Fault ipv4_host_cidr_fault(std::string_view text) {
    const auto cidr = Cidr::parse(text);
    if (!cidr || !cidr->address().is_v4())
        return say("\"", text,
                   "\" is not an IPv4 address with its prefix length, such as 10.77.10.11/24");
    return host_cidr_fault(text);
}

Fault host_fault(std::string_view text) {
    if (IpAddress::parse(text)) return server_address_fault(text);
    const std::string wrong =
        say("\"", text, "\" is neither a host name nor an address, such as ntp.example.org");
    if (text.empty() || text.size() > 253) return wrong;
    const auto parts = split(text, '.');
    if (!std::all_of(parts.begin(), parts.end(), is_name_part)) return wrong;
    // A name whose last part is digits alone would be read as a (wrong) IPv4 address.
    const std::string& last = parts.back();
    const bool digits =
        std::all_of(last.begin(), last.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits) return wrong;
    return {};
}

Fault host_port_fault(std::string_view text) {
    const auto parsed = HostPort::parse(text);
    if (parsed && parsed->port != 0) return {};
    return say("\"", text, "\" is not HOST:PORT, such as 10.77.0.1:8444 or [fd00::1]:8444");
}

Fault sha256_fault(std::string_view text) {
    const auto bytes = from_hex(text);
    if (bytes && bytes->size() == 32 && lower(text) == text) return {};
    return say("\"", text, "\" is not a SHA-256: 64 lower-case hex digits");
}

Fault mac_fault(std::string_view text) {
    const auto mac = MacAddress::parse(text);
    if (!mac) return say("\"", text, "\" is not a MAC address, such as 02:00:00:00:00:01");
    if (!mac->is_plausible())
        return say(mac->str(), " is no NIC's own address (all zeros, all ones or a group)");
    return {};
}

Fault mtu_fault(std::int64_t mtu, bool with_ipv6) {
    const int smallest = with_ipv6 ? kSmallestIpv6Mtu : kSmallestMtu;
    if (mtu >= smallest && mtu <= kLargestMtu) return {};
    return say(mtu, " is outside ", smallest, "-", kLargestMtu,
               with_ipv6 ? " (IPv6 needs 1280 at least)" : "");
}

Fault vlan_id_fault(std::int64_t id) {
    if (id >= 1 && id <= kLargestVlanId) return {};
    return say(id, " is outside 1-", kLargestVlanId);
}

Result<AddressSpan> parse_reserved(std::string_view text) {
    if (const auto cidr = Cidr::parse(text)) return AddressSpan{cidr->network(), cidr->broadcast()};
    if (const auto one = IpAddress::parse(text)) return AddressSpan{*one, *one};
    const auto dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto first = IpAddress::parse(trim(text.substr(0, dash)));
        const auto last = IpAddress::parse(trim(text.substr(dash + 1)));
        if (first && last && first->is_v4() == last->is_v4() && *first <= *last)
            return AddressSpan{*first, *last};
    }
    return fail(ErrorCode::kInvalid,
                say("\"", text,
                    "\" is neither an address, nor a CIDR, nor a range such as "
                    "10.77.10.200-10.77.10.250"));
}

Fault reserved_fault(std::string_view text) {
    const auto parsed = parse_reserved(text);
    if (parsed) return {};
    return parsed.error().message;
}

Fault gateway_fault(const IpAddress& gateway, const Cidr& node) {
    if (gateway == node.address())
        return say(gateway.str(), " is the node's own address; a gateway is another machine");
    if (gateway.is_unspecified() || gateway.is_multicast() || gateway.is_loopback())
        return say(gateway.str(), " cannot be a gateway");
    const bool same_family = gateway.is_v4() == node.address().is_v4();
    if (same_family && !gateway.is_v4() && gateway.is_link_local()) return {};
    // A lone address (/32, /128) has no subnet: its gateway is reached on the link.
    const int whole = node.address().is_v4() ? 32 : 128;
    if (same_family && node.prefix() == whole) return {};
    const Cidr network = *Cidr::make(node.network(), node.prefix());
    if (!same_family || !node.contains(gateway))
        return say(gateway.str(), " is not in ", network.str(), ", the subnet of ",
                   node.address().str());
    if (!Cidr::make(gateway, node.prefix())->is_host())
        return say(gateway.str(), " is no host address of ", network.str());
    return {};
}

} // namespace stratum::config
