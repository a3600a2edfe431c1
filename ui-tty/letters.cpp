#include "ui-tty/letters.hpp"

namespace stratum::ui {
namespace {

struct Letter {
    char character;
    std::array<std::string_view, kLetterRows> rows;
};

// Drawn so that 8 and B, 5 and S, 2 and Z, 6 and G cannot be taken for each other.
constexpr Letter kLetters[] = {
    {'2', {" ### ", "#   #", "   # ", "  #  ", "#####"}},
    {'3', {"#### ", "    #", " ### ", "    #", "#### "}},
    {'4', {"   # ", "  ## ", " # # ", "#####", "   # "}},
    {'5', {"#####", "#    ", "#### ", "    #", "#### "}},
    {'6', {"  ## ", " #   ", "#### ", "#   #", " ### "}},
    {'7', {"#####", "    #", "   # ", "  #  ", "  #  "}},
    {'8', {" ### ", "#   #", " ### ", "#   #", " ### "}},
    {'9', {" ### ", "#   #", " ####", "   # ", " ##  "}},
    {'A', {"  #  ", " # # ", "#   #", "#####", "#   #"}},
    {'B', {"#### ", "#   #", "#### ", "#   #", "#### "}},
    {'C', {" ####", "#    ", "#    ", "#    ", " ####"}},
    {'D', {"###  ", "#  # ", "#   #", "#  # ", "###  "}},
    {'E', {"#####", "#    ", "###  ", "#    ", "#####"}},
    {'F', {"#####", "#    ", "###  ", "#    ", "#    "}},
    {'G', {" ####", "#    ", "#  ##", "#   #", " ####"}},
    {'H', {"#   #", "#   #", "#####", "#   #", "#   #"}},
    {'J', {"    #", "    #", "    #", "#   #", " ### "}},
    {'K', {"#   #", "#  # ", "###  ", "#  # ", "#   #"}},
    {'M', {"#   #", "## ##", "# # #", "#   #", "#   #"}},
    {'N', {"#   #", "##  #", "# # #", "#  ##", "#   #"}},
    {'P', {"#### ", "#   #", "#### ", "#    ", "#    "}},
    {'Q', {" ### ", "#   #", "#   #", "#  # ", " ## #"}},
    {'R', {"#### ", "#   #", "#### ", "#  # ", "#   #"}},
    {'S', {" ####", "#    ", " ### ", "    #", "#### "}},
    {'T', {"#####", "  #  ", "  #  ", "  #  ", "  #  "}},
    {'V', {"#   #", "#   #", "#   #", " # # ", "  #  "}},
    {'W', {"#   #", "#   #", "# # #", "## ##", "#   #"}},
    {'X', {"#   #", " # # ", "  #  ", " # # ", "#   #"}},
    {'Y', {"#   #", " # # ", "  #  ", "  #  ", "  #  "}},
    {'Z', {"#####", "   # ", "  #  ", " #   ", "#####"}},
    {'-', {"     ", "     ", " ### ", "     ", "     "}},
};
constexpr Letter kBlank{' ', {"     ", "     ", "     ", "     ", "     "}};
constexpr std::string_view kGap = "  ";

const Letter& letter_of(char character) {
    for (const Letter& letter : kLetters) {
        if (letter.character == character) return letter;
    }
    return kBlank;
}

} // namespace

std::array<std::string, kLetterRows> big_letters(std::string_view text, std::string_view mark) {
    std::array<std::string, kLetterRows> rows;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const char character : text) {
            if (!rows[row].empty()) rows[row] += kGap;
            for (const char dot : letter_of(character).rows[row]) {
                rows[row] += dot == '#' ? mark : " ";
            }
        }
    }
    return rows;
}

int big_columns(std::size_t characters) {
    const auto count = static_cast<int>(characters);
    return count == 0 ? 0 : count * kLetterColumns + (count - 1) * static_cast<int>(kGap.size());
}

} // namespace stratum::ui
