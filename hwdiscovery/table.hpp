// An inventory for a person: what `firstboot discover` prints. Disks with what they hold and why
// each may or may not be used, then NICs. Ends with a line feed; no line is wider than `columns`
// unless a single word is (a key is never broken).
#pragma once

#include <string>
#include <vector>

#include "common/facts/inventory.hpp"

namespace stratum::hw {

// `columns` below 40 counts as 40. Without `utf8` the text is plain ASCII; without `colour` it has
// no escape sequences.
std::string render_table(const facts::Inventory& inventory, int columns, bool colour, bool utf8);

// The line below a table that was drawn again: "changed: …", wrapped. Empty: there is none.
std::string render_changes(const std::vector<std::string>& changes, int columns, bool utf8);

} // namespace stratum::hw
