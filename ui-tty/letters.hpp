// Letters five rows high for the pairing code, so that it can be read from across the aisle.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace stratum::ui {

inline constexpr int kLetterRows = 5;
inline constexpr int kLetterColumns = 5;

// The rows of `text` in big letters: the 30 characters of the codes' alphabet and the hyphen; any
// other is left blank. `mark` fills the dots: "#" or a block.
std::array<std::string, kLetterRows> big_letters(std::string_view text, std::string_view mark);
// Columns that big_letters takes for that many characters.
int big_columns(std::size_t characters);

} // namespace stratum::ui
