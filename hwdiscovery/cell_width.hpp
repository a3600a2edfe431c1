// How many cells of a terminal a text takes (Unicode's East Asian widths, UAX #11, and what stands
// on top of another character). Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stratum::hw {

// Of valid UTF-8: 2 for what is wide, 0 for what combines or shows nothing, 1 for all else.
std::size_t cells_of(std::string_view text);
// As much of the beginning as takes no more than `cells`, whole characters.
std::string cut_to_cells(std::string_view text, std::size_t cells);
// Characters that turn the direction of writing become U+FFFD: a disk's label must not rearrange
// the line that it stands in.
std::string without_turns(std::string_view text);

} // namespace stratum::hw
