#include "ui-tty/text_columns.hpp"

#include <algorithm>
#include <cstdint>

#include "common/base/text.hpp"

namespace stratum::ui {
namespace {

struct Character {
    std::string_view bytes;
    std::uint32_t point = 0;
};

// The next character of valid UTF-8.
Character next_of(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    Character character{text.substr(0, length), first};
    if (length == 1) return character;
    character.point = first & (0xFFu >> (length + 1));
    for (const char byte : character.bytes.substr(1)) {
        character.point = character.point << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
    }
    return character;
}

int width_of(std::uint32_t point) {
    const bool is_wide =
        (point >= 0x1100 && point <= 0x115F) || (point >= 0x2E80 && point <= 0xA4CF) ||
        (point >= 0xAC00 && point <= 0xD7A3) || (point >= 0xF900 && point <= 0xFAFF) ||
        (point >= 0xFE30 && point <= 0xFE6F) || (point >= 0xFF00 && point <= 0xFF60) ||
        (point >= 0x1F300 && point <= 0x1FAFF) || (point >= 0x20000 && point <= 0x3FFFD);
    const bool is_mark = (point >= 0x0300 && point <= 0x036F) || point == 0x200B;
    return is_mark ? 0 : is_wide ? 2 : 1;
}

std::string_view ascii_of(std::uint32_t point) {
    switch (point) {
    case 0x00B7:
    case 0x2022:
    case 0x2013:
    case 0x2014:
    case 0x2212:
        return "-";
    case 0x2018:
    case 0x2019:
        return "'";
    case 0x201C:
    case 0x201D:
        return "\"";
    case 0x2026:
        return "...";
    case 0x00D7:
        return "x";
    case 0x2192:
        return "->";
    default:
        return "?";
    }
}

} // namespace

std::string clean(std::string_view text, bool utf8) {
    const std::string valid = to_valid_utf8(text);
    std::string out;
    for (std::string_view rest = valid; !rest.empty();) {
        const Character character = next_of(rest);
        rest.remove_prefix(character.bytes.size());
        // C1 controls and the directions' overrides move the cursor or turn the line around.
        const bool is_command = (character.point >= 0x80 && character.point < 0xA0) ||
                                (character.point >= 0x202A && character.point <= 0x202E) ||
                                (character.point >= 0x2066 && character.point <= 0x2069);
        if (character.point == '\t') {
            out += ' ';
        } else if (character.point < 0x20 || character.point == 0x7F || is_command) {
            out += '?';
        } else if (character.point < 0x80 || utf8) {
            out += character.bytes;
        } else {
            out += ascii_of(character.point);
        }
    }
    return out;
}

int columns_of(std::string_view text) {
    int columns = 0;
    while (!text.empty()) {
        const Character character = next_of(text);
        text.remove_prefix(character.bytes.size());
        columns += width_of(character.point);
    }
    return columns;
}

std::string clip(std::string_view text, int columns) {
    if (columns_of(text) <= columns) return std::string(text);
    std::string out;
    int used = 0;
    while (!text.empty()) {
        const Character character = next_of(text);
        if (used + width_of(character.point) > columns - 1) break;
        used += width_of(character.point);
        out += character.bytes;
        text.remove_prefix(character.bytes.size());
    }
    return columns > 0 ? out + "~" : std::string();
}

std::vector<std::string> wrap(std::string_view text, int columns, int indent) {
    std::vector<std::string> lines;
    std::string line;
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    for (std::string word : words(text)) {
        if (!line.empty() && trim(line).size() > 0 &&
            columns_of(line) + 1 + columns_of(word) > columns) {
            lines.push_back(line);
            line = margin;
        } else if (!line.empty() && line != margin) {
            line += ' ';
        }
        // A word longer than a line is cut where the line ends.
        while (columns_of(line) + columns_of(word) > columns) {
            std::size_t bytes = 0;
            int used = columns_of(line);
            while (bytes < word.size()) {
                const Character character = next_of(std::string_view(word).substr(bytes));
                if (used + width_of(character.point) > columns) break;
                used += width_of(character.point);
                bytes += character.bytes.size();
            }
            if (bytes == 0) break;
            lines.push_back(line + word.substr(0, bytes));
            word.erase(0, bytes);
            line = margin;
        }
        line += word;
    }
    if (!trim(line).empty()) lines.push_back(line);
    return lines;
}

} // namespace stratum::ui
