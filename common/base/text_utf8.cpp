// UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF.
#include "common/base/text.hpp"

namespace stratum {
namespace {

bool is_continuation(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

// The length of the whole character at the start of `text` (not empty); 0 where there is none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4 || text.size() < length) return 0;
    const unsigned char second = byte(1);
    if (first == 0xe0 && second < 0xa0) return 0; // overlong
    if (first == 0xed && second > 0x9f) return 0; // surrogates
    if (first == 0xf0 && second < 0x90) return 0; // overlong
    if (first == 0xf4 && second > 0x8f) return 0; // past U+10FFFF
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(byte(i))) return 0;
    }
    return length;
}

// C0 but tab, DEL, and C1 (two bytes: C2 80 to C2 9F).
bool is_control(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (first == 0xc2) return static_cast<unsigned char>(character[1]) < 0xa0;
    return (first < 0x20 && first != '\t') || first == 0x7f;
}

} // namespace

std::size_t utf8_length(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = character_length(text.substr(at));
        if (length == 0) break;
        at += length;
    }
    return at;
}

bool is_utf8(std::string_view text) {
    return utf8_length(text) == text.size();
}

std::string to_valid_utf8(std::string_view bytes) {
    static constexpr std::string_view kReplacement = "\xef\xbf\xbd";
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = character_length(bytes);
        if (length == 0 || is_control(bytes)) {
            out += kReplacement;
        } else {
            out += bytes.substr(0, length);
        }
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

} // namespace stratum
