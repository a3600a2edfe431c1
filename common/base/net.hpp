// Addresses as values that cannot be wrong once parsed.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/result.hpp"

namespace stratum {

// 48 bits; read with colons or hyphens in either case, written aa:bb:cc:dd:ee:ff.
class MacAddress {
public:
    static Result<MacAddress> parse(std::string_view text);
    [[nodiscard]] std::string str() const;
    // No placeholder: not all zeros, not all ones, not a group address.
    [[nodiscard]] bool is_plausible() const;
    friend auto operator<=>(const MacAddress&, const MacAddress&) = default;

private:
    std::array<std::uint8_t, 6> bytes_{};
};

// IPv4 or IPv6, no zone. IPv4: four decimal numbers without leading zeros. An IPv4-mapped IPv6
// address (::ffff:10.0.0.1) becomes its IPv4 address.
class IpAddress {
public:
    IpAddress() = default; // 0.0.0.0
    static Result<IpAddress> parse(std::string_view text);
    static IpAddress v4(std::uint32_t host_order);

    [[nodiscard]] bool is_v4() const { return is_v4_; }
    [[nodiscard]] std::uint32_t v4_value() const; // host order; 0 for IPv6
    [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }
    [[nodiscard]] bool is_loopback() const;
    [[nodiscard]] bool is_link_local() const; // 169.254/16, fe80::/10
    [[nodiscard]] bool is_unspecified() const;
    [[nodiscard]] bool is_multicast() const;
    [[nodiscard]] std::string str() const; // IPv6 by RFC 5952
    friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

private:
    friend class Cidr;

    bool is_v4_ = true;
    std::array<std::uint8_t, 16> bytes_{}; // IPv4 in the last four
};

// An address with the length of its network's prefix, as written on a NIC: 10.20.0.11/24.
class Cidr {
public:
    Cidr() = default;
    static Result<Cidr> parse(std::string_view text);
    static Result<Cidr> make(const IpAddress& address, int prefix);

    [[nodiscard]] const IpAddress& address() const { return address_; }
    [[nodiscard]] int prefix() const { return prefix_; }
    [[nodiscard]] IpAddress network() const;   // host bits cleared
    [[nodiscard]] IpAddress broadcast() const; // IPv4's last address; IPv6: the last too
    [[nodiscard]] bool contains(const IpAddress& other) const;
    [[nodiscard]] bool overlaps(const Cidr& other) const;
    // May a host have this address: not the network's own nor its broadcast address (IPv4 of /30
    // and wider), not the subnet-router address of an IPv6 network wider than /127; never
    // multicast, unspecified or 255.255.255.255.
    [[nodiscard]] bool is_host() const;
    [[nodiscard]] std::string str() const;
    friend auto operator<=>(const Cidr&, const Cidr&) = default;

private:
    [[nodiscard]] IpAddress with_host_bits(std::uint8_t fill) const;

    IpAddress address_;
    int prefix_ = 0;
};

// HOST:PORT as listeners and the join URI write it; IPv6 in brackets; port 0 to 65535.
struct HostPort {
    std::string host; // a name or an address, without brackets
    std::uint16_t port = 0;

    static Result<HostPort> parse(std::string_view text);
    [[nodiscard]] std::string str() const;
    friend auto operator<=>(const HostPort&, const HostPort&) = default;
};

} // namespace stratum
