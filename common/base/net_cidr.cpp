#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

using Bytes16 = std::array<std::uint8_t, 16>;

std::string quoted(std::string_view text) {
    return "\"" + to_valid_utf8(text.substr(0, 64)) + "\"";
}

int width(const IpAddress& address) {
    return address.is_v4() ? 32 : 128;
}

// Bits from the left of the 16 bytes that belong to the network.
int network_bits(const Cidr& cidr) {
    return cidr.prefix() + (cidr.address().is_v4() ? 96 : 0);
}

std::uint8_t network_mask(int bits, int byte) {
    const int in_byte = bits - byte * 8;
    if (in_byte >= 8) return 0xff;
    return in_byte <= 0 ? 0 : static_cast<std::uint8_t>(0xff << (8 - in_byte) & 0xff);
}

bool same_network(const IpAddress& a, const IpAddress& b, int bits) {
    for (int i = 0; i < 16; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (((a.bytes().at(at) ^ b.bytes().at(at)) & network_mask(bits, i)) != 0) return false;
    }
    return a.is_v4() == b.is_v4();
}

} // namespace

Result<Cidr> Cidr::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
        return fail(ErrorCode::kInvalid,
                    quoted(text) + " has no prefix length; give the address with it, such "
                                   "as 10.20.0.11/24");
    }
    const auto address = IpAddress::parse(text.substr(0, slash));
    if (!address) return tl::make_unexpected(address.error());
    const auto prefix = parse_decimal(text.substr(slash + 1));
    if (!prefix || *prefix > 128) {
        return fail(ErrorCode::kInvalid, quoted(text) + " has no prefix length behind its slash; " +
                                             "give a number from 0 to " +
                                             std::to_string(width(*address)));
    }
    return make(*address, static_cast<int>(*prefix));
}

Result<Cidr> Cidr::make(const IpAddress& address, int prefix) {
    if (prefix < 0 || prefix > width(address)) {
        return fail(ErrorCode::kInvalid, "the prefix length " + std::to_string(prefix) + " of " +
                                             address.str() + " is not between 0 and " +
                                             std::to_string(width(address)));
    }
    Cidr cidr;
    cidr.address_ = address;
    cidr.prefix_ = prefix;
    return cidr;
}

IpAddress Cidr::network() const {
    return with_host_bits(0);
}
IpAddress Cidr::broadcast() const {
    return with_host_bits(0xff);
}

IpAddress Cidr::with_host_bits(std::uint8_t fill) const {
    IpAddress address = address_;
    for (int i = address.is_v4() ? 12 : 0; i < 16; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::uint8_t mask = network_mask(network_bits(*this), i);
        address.bytes_.at(at) = static_cast<std::uint8_t>(
            (address_.bytes_.at(at) & mask) | (fill & static_cast<std::uint8_t>(~mask)));
    }
    return address;
}

bool Cidr::contains(const IpAddress& other) const {
    return same_network(address_, other, network_bits(*this));
}

bool Cidr::overlaps(const Cidr& other) const {
    return same_network(address_, other.address_,
                        std::min(network_bits(*this), network_bits(other)));
}

bool Cidr::is_host() const {
    if (address_.is_unspecified() || address_.is_multicast()) return false;
    if (!address_.is_v4()) return prefix_ >= 127 || address_ != network();
    if (address_.v4_value() == 0xffff'ffff) return false;
    return prefix_ >= 31 || (address_ != network() && address_ != broadcast());
}

std::string Cidr::str() const {
    return address_.str() + "/" + std::to_string(prefix_);
}

} // namespace stratum
