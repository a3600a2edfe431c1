#include "hwdiscovery/table_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/base/text.hpp"
#include "hwdiscovery/cell_width.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kLabelWidth = 9;
constexpr std::string_view kMargin = "  ";

std::string_view escape_of(Ink ink) {
    switch (ink) {
    case Ink::kBold:
        return "\x1b[1m";
    case Ink::kGood:
        return "\x1b[32m";
    case Ink::kWarn:
        return "\x1b[33m";
    case Ink::kBad:
        return "\x1b[31m";
    case Ink::kFaint:
        return "\x1b[2m";
    case Ink::kPlain:
        break;
    }
    return "";
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// What the words of this program use beyond ASCII; anything else becomes a question mark.
std::string to_ascii(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPairs = {{
        {"“", "\""},
        {"”", "\""},
        {"…", "..."},
        {"·", "-"},
        {"’", "'"},
        {"–", "-"},
    }};
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const auto pair = std::find_if(kPairs.begin(), kPairs.end(), [&](const auto& one) {
            return rest.starts_with(one.first);
        });
        if (pair != kPairs.end()) {
            out += pair->second;
            i += pair->first.size();
            continue;
        }
        out += static_cast<unsigned char>(text[i]) < 0x80 ? text[i] : '?';
        for (++i; i < text.size() && is_continuation(text[i]);) ++i;
    }
    return out;
}

std::string spaces(std::size_t count) {
    return std::string(count, ' ');
}

} // namespace

std::size_t width_of(std::string_view text) {
    return cells_of(text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    for (const auto& word : words(text)) {
        const bool fits = !lines.empty() && width_of(lines.back()) + 1 + width_of(word) <= width;
        if (fits)
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}

std::string TableText::shown(std::string_view text) const {
    const std::string valid = without_turns(to_valid_utf8(text));
    return style_.utf8 ? valid : to_ascii(valid);
}

std::string TableText::inked(const std::string& text, Ink ink) const {
    if (!style_.colour || ink == Ink::kPlain) return text;
    return std::string(escape_of(ink)) + text + "\x1b[0m";
}

void TableText::line(std::string_view text, Ink ink) {
    out_ += inked(cut_to_cells(shown(text), static_cast<std::size_t>(style_.columns)), ink) + "\n";
}

void TableText::paragraph(std::string_view text, Ink ink) {
    for (const auto& one : wrapped(shown(text), static_cast<std::size_t>(style_.columns)))
        out_ += inked(one, ink) + "\n";
}

void TableText::heading(std::string_view left, std::string_view right, Ink right_ink) {
    const std::string at_left = shown(left);
    const std::string at_right = shown(right);
    const auto columns = static_cast<std::size_t>(style_.columns);
    const std::size_t used = width_of(at_left) + width_of(at_right);
    if (used + 2 <= columns) {
        out_ +=
            inked(at_left, Ink::kBold) + spaces(columns - used) + inked(at_right, right_ink) + "\n";
        return;
    }
    out_ += inked(cut_to_cells(at_left, columns), Ink::kBold) + "\n";
    const std::string below = cut_to_cells(at_right, columns);
    out_ += spaces(columns - width_of(below)) + inked(below, right_ink) + "\n";
}

void TableText::field(std::string_view label, std::string_view text, Ink ink) {
    if (text.empty()) return;
    const std::size_t indent = kMargin.size() + kLabelWidth;
    const std::size_t room = static_cast<std::size_t>(style_.columns) - indent;
    bool is_first = true;
    for (const auto& one : wrapped(shown(text), room)) {
        const std::string head = is_first ? shown(label) : "";
        out_ += std::string(kMargin) + inked(head, Ink::kFaint) +
                spaces(kLabelWidth - std::min(kLabelWidth, width_of(head))) + inked(one, ink) +
                "\n";
        is_first = false;
    }
}

} // namespace stratum::hw
