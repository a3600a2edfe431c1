#include "hwdiscovery/cell_width.hpp"

#include <algorithm>
#include <array>

namespace stratum::hw {
namespace {

struct Range {
    char32_t first, last;
};

constexpr std::array<Range, 31> kNothing = {{
    {0x0300, 0x036f},   {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c7},
    {0x0610, 0x061a},   {0x064b, 0x065f}, {0x0670, 0x0670}, {0x06d6, 0x06dc}, {0x06df, 0x06e4},
    {0x06e7, 0x06e8},   {0x06ea, 0x06ed}, {0x0900, 0x0902}, {0x093a, 0x093a}, {0x093c, 0x093c},
    {0x0941, 0x0948},   {0x094d, 0x094d}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e},
    {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2060, 0x2064}, {0x20d0, 0x20ff},
    {0x302a, 0x302d},   {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
    {0xe0001, 0xe01ef},
}};

constexpr std::array<Range, 49> kWide = {{
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x23f0, 0x23f0},   {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},
    {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x2b1b, 0x2b1c},
    {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
    {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x1b2ff},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
}};

constexpr std::array<Range, 3> kTurning = {{{0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}}};

template<std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t character) {
    const auto after =
        std::upper_bound(ranges.begin(), ranges.end(), character,
                         [](char32_t value, const Range& range) { return value < range.first; });
    return after != ranges.begin() && character <= std::prev(after)->last;
}

std::size_t size_at(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    return std::min(size, text.size());
}

char32_t decoded(std::string_view bytes) {
    static constexpr std::array<unsigned char, 4> kLeadBits = {0x7f, 0x1f, 0x0f, 0x07};
    char32_t character = static_cast<unsigned char>(bytes[0]) & kLeadBits.at(bytes.size() - 1);
    for (char byte : bytes.substr(1))
        character = character << 6 | (static_cast<unsigned char>(byte) & 0x3f);
    return character;
}

std::size_t cells_of_one(char32_t character) {
    if (character < 0x300)
        return character < 0x20 || (character >= 0x7f && character < 0xa0) ? 0 : 1;
    if (is_in(kNothing, character)) return 0;
    return is_in(kWide, character) ? 2 : 1;
}

} // namespace

std::size_t cells_of(std::string_view text) {
    std::size_t cells = 0;
    while (!text.empty()) {
        const std::size_t size = size_at(text);
        cells += cells_of_one(decoded(text.substr(0, size)));
        text.remove_prefix(size);
    }
    return cells;
}

std::string cut_to_cells(std::string_view text, std::size_t cells) {
    std::size_t used = 0, end = 0;
    while (end < text.size()) {
        const std::size_t size = size_at(text.substr(end));
        used += cells_of_one(decoded(text.substr(end, size)));
        if (used > cells) break;
        end += size;
    }
    return std::string(text.substr(0, end));
}

std::string without_turns(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = size_at(text);
        const auto one = text.substr(0, size);
        out += is_in(kTurning, decoded(one)) ? std::string_view("\xef\xbf\xbd") : one;
        text.remove_prefix(size);
    }
    return out;
}

} // namespace stratum::hw
