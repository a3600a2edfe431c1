#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum {

Result<MacAddress> MacAddress::parse(std::string_view text) {
    const auto wrong = [&] {
        return fail(ErrorCode::kInvalid,
                    "\"" + to_valid_utf8(text.substr(0, 64)) +
                        "\" is not a MAC address; it is written as six pairs of "
                        "hex digits, such as 52:54:00:12:34:56");
    };
    if (text.size() != 17 || (text[2] != ':' && text[2] != '-')) return wrong();
    const std::vector<std::string> pairs = split(text, text[2]);
    const auto bytes = from_hex(join(pairs, ""));
    MacAddress address;
    if (pairs.size() != 6 || !bytes || bytes->size() != 6) return wrong();
    for (std::size_t i = 0; i < 6; ++i) {
        if (pairs[i].size() != 2) return wrong();
        address.bytes_[i] = (*bytes)[i];
    }
    return address;
}

std::string MacAddress::str() const {
    std::string text;
    for (const std::uint8_t byte : bytes_) {
        if (!text.empty()) text += ':';
        text += to_hex({&byte, 1});
    }
    return text;
}

bool MacAddress::is_plausible() const {
    // All ones is a group address too.
    return bytes_ != std::array<std::uint8_t, 6>{} && (bytes_[0] & 1) == 0;
}

} // namespace stratum
