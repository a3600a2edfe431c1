#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

using Bytes16 = std::array<std::uint8_t, 16>;

std::optional<std::uint32_t> parse_v4(std::string_view text) {
    const std::vector<std::string> parts = split(text, '.');
    if (parts.size() != 4) return std::nullopt;
    std::uint32_t value = 0;
    for (const std::string& part : parts) {
        const auto number = parse_decimal(part);
        if (!number || *number > 255) return std::nullopt;
        value = value << 8 | static_cast<std::uint32_t>(*number);
    }
    return value;
}

std::optional<std::uint16_t> parse_group(std::string_view text) {
    if (text.empty() || text.size() > 4) return std::nullopt;
    const auto bytes = from_hex(std::string(4 - text.size(), '0') + std::string(text));
    if (!bytes) return std::nullopt;
    return static_cast<std::uint16_t>((*bytes)[0] << 8 | (*bytes)[1]);
}

// The groups on one side of "::"; the very last may be a dotted IPv4 address, worth two.
std::optional<std::vector<std::uint16_t>> parse_groups(std::string_view text, bool may_end_in_v4) {
    std::vector<std::uint16_t> groups;
    if (text.empty()) return groups;
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() > 8) return std::nullopt;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (may_end_in_v4 && i + 1 == parts.size() && parts[i].find('.') != std::string::npos) {
            const auto v4 = parse_v4(parts[i]);
            if (!v4) return std::nullopt;
            groups.push_back(static_cast<std::uint16_t>(*v4 >> 16));
            groups.push_back(static_cast<std::uint16_t>(*v4 & 0xffff));
            continue;
        }
        const auto group = parse_group(parts[i]);
        if (!group) return std::nullopt;
        groups.push_back(*group);
    }
    return groups;
}

std::optional<Bytes16> parse_v6(std::string_view text) {
    const std::size_t gap = text.find("::");
    const bool has_gap = gap != std::string_view::npos;
    const auto head = parse_groups(text.substr(0, gap), !has_gap);
    const auto tail = has_gap ? parse_groups(text.substr(gap + 2), true)
                              : std::optional(std::vector<std::uint16_t>{});
    if (!head || !tail) return std::nullopt;
    const std::size_t given = head->size() + tail->size();
    // "::" stands for one group at least.
    if (has_gap ? given > 7 : given != 8) return std::nullopt;
    Bytes16 bytes{};
    const auto put = [&](std::size_t place, std::uint16_t group) {
        bytes.at(place * 2) = static_cast<std::uint8_t>(group >> 8);
        bytes.at(place * 2 + 1) = static_cast<std::uint8_t>(group & 0xff);
    };
    for (std::size_t i = 0; i < head->size(); ++i) put(i, (*head)[i]);
    for (std::size_t i = 0; i < tail->size(); ++i) put(8 - tail->size() + i, (*tail)[i]);
    return bytes;
}

bool is_mapped_v4(const Bytes16& bytes) {
    return std::all_of(bytes.begin(), bytes.begin() + 10, [](auto byte) { return byte == 0; }) &&
           bytes[10] == 0xff && bytes[11] == 0xff;
}

struct Run {
    std::size_t start = 8;
    std::size_t length = 0;
};

// RFC 5952: the longest run of zero groups, the first of equals, never a single group.
Run longest_zero_run(const std::array<unsigned, 8>& groups) {
    Run best;
    for (std::size_t i = 0; i < 8; ++i) {
        std::size_t end = i;
        while (end < 8 && groups.at(end) == 0) ++end;
        if (end - i > best.length && end - i > 1) best = {i, end - i};
        if (end > i) i = end - 1;
    }
    return best;
}

std::string hex_group(unsigned group) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 12; shift >= 0; shift -= 4) {
        const unsigned digit = group >> shift & 15;
        if (digit != 0 || !text.empty() || shift == 0) text += kDigits[digit];
    }
    return text;
}

std::string v6_text(const Bytes16& bytes) {
    std::array<unsigned, 8> groups{};
    for (std::size_t i = 0; i < 8; ++i) groups.at(i) = bytes.at(2 * i) << 8 | bytes.at(2 * i + 1);
    const Run zeros = longest_zero_run(groups);
    std::string text;
    for (std::size_t i = 0; i < 8; ++i) {
        if (i == zeros.start) {
            text += "::";
            i += zeros.length - 1;
            continue;
        }
        if (!text.empty() && text.back() != ':') text += ':';
        text += hex_group(groups.at(i));
    }
    return text;
}

} // namespace

Result<IpAddress> IpAddress::parse(std::string_view text) {
    if (text.size() <= 45) {
        if (const auto value = parse_v4(text)) return v4(*value);
        if (const auto bytes = parse_v6(text)) {
            IpAddress address;
            address.is_v4_ = is_mapped_v4(*bytes);
            address.bytes_ = *bytes;
            if (address.is_v4_) std::fill_n(address.bytes_.begin(), 12, std::uint8_t{0});
            return address;
        }
    }
    return fail(ErrorCode::kInvalid, "\"" + to_valid_utf8(text.substr(0, 64)) +
                                         "\" is not an IP address; give IPv4 such as 10.20.0.11 or "
                                         "IPv6 such as fd00::11, without a zone");
}

IpAddress IpAddress::v4(std::uint32_t host_order) {
    IpAddress address;
    for (std::size_t i = 0; i < 4; ++i) {
        address.bytes_.at(15 - i) = static_cast<std::uint8_t>(host_order >> (8 * i) & 0xff);
    }
    return address;
}

std::uint32_t IpAddress::v4_value() const {
    if (!is_v4_) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 12; i < 16; ++i) value = value << 8 | bytes_.at(i);
    return value;
}

bool IpAddress::is_loopback() const {
    if (is_v4_) return bytes_[12] == 127;
    Bytes16 loopback{};
    loopback[15] = 1;
    return bytes_ == loopback;
}

bool IpAddress::is_link_local() const {
    if (is_v4_) return bytes_[12] == 169 && bytes_[13] == 254;
    return bytes_[0] == 0xfe && (bytes_[1] & 0xc0) == 0x80;
}

bool IpAddress::is_unspecified() const {
    return bytes_ == Bytes16{};
}

bool IpAddress::is_multicast() const {
    return is_v4_ ? (bytes_[12] & 0xf0) == 0xe0 : bytes_[0] == 0xff;
}

std::string IpAddress::str() const {
    if (!is_v4_) return v6_text(bytes_);
    std::string text;
    for (std::size_t i = 12; i < 16; ++i) {
        if (!text.empty()) text += '.';
        text += std::to_string(bytes_.at(i));
    }
    return text;
}

} // namespace stratum
