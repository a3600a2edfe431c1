// Lines for a terminal: wrapped, indented, coloured, ASCII where asked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stratum::hw {

struct TableStyle {
    int columns = 80;
    bool colour = false;
    bool utf8 = true;
};

enum class Ink { kPlain, kBold, kGood, kWarn, kBad, kFaint };

class TableText {
public:
    explicit TableText(const TableStyle& style) : style_(style) {}

    // A line as it is, in one ink, cut at the width.
    void line(std::string_view text, Ink ink = Ink::kPlain);
    // Wrapped at the margin.
    void paragraph(std::string_view text, Ink ink = Ink::kPlain);
    // `left` at the margin and `right` at the other end of the line, where both fit; else below.
    void heading(std::string_view left, std::string_view right, Ink right_ink);
    // "  label  text…", wrapped; further lines stand under the text.
    void field(std::string_view label, std::string_view text, Ink ink = Ink::kPlain);
    void blank() { out_ += '\n'; }

    [[nodiscard]] const std::string& str() const { return out_; }

private:
    [[nodiscard]] std::string shown(std::string_view text) const;
    [[nodiscard]] std::string inked(const std::string& text, Ink ink) const;

    TableStyle style_;
    std::string out_;
};

// How many cells of the terminal a text takes.
std::size_t width_of(std::string_view text);
// At spaces alone; a word that is wider than the line stands on one of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

} // namespace stratum::hw
