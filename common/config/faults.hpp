// What is wrong with one value, in words; nothing where it is right. Shared by the rules of an
// approval and those of node.yaml, so that both say the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/net.hpp"

namespace stratum::config {

using Fault = std::optional<std::string>;

Fault label_fault(std::string_view text);
// A network device's name: 1 to 15 letters, digits, dots, hyphens and underscores, not digits
// alone, none that the platform makes itself (br-int, br-ex, genev…, ovs-…) or Linux keeps (all,
// default, bonding_masters), not lo.
Fault device_fault(std::string_view text);
Fault ip_fault(std::string_view text);
// One machine's: not 0.0.0.0 or ::, not a group's, not 255.255.255.255.
Fault server_address_fault(std::string_view text);
Fault cidr_fault(std::string_view text);
// An address that a host may have, with its prefix, which is not 0.
Fault host_cidr_fault(std::string_view text);
Fault ipv4_host_cidr_fault(std::string_view text);
// A network's own address with its prefix, which is not 0: no host bits.
Fault network_fault(std::string_view text);
// A DNS name or an address.
Fault host_fault(std::string_view text);
Fault host_port_fault(std::string_view text);
// A key's fingerprint or a digest: 64 lower-case hex digits.
Fault sha256_fault(std::string_view text);
Fault mac_fault(std::string_view text);
Fault mtu_fault(std::int64_t mtu, bool with_ipv6);
Fault vlan_id_fault(std::int64_t id);
// An entry of a network's reserved list: an address, a CIDR, or FROM-TO.
Fault reserved_fault(std::string_view text);

// The first and last address of such an entry.
struct AddressSpan {
    IpAddress first;
    IpAddress last;
};
Result<AddressSpan> parse_reserved(std::string_view text);

// Why `gateway` cannot serve a node with this address; both have been parsed.
Fault gateway_fault(const IpAddress& gateway, const Cidr& node);

} // namespace stratum::config
