// What a person must know about where this machine keeps its state: the boot's one line about it
// (/run/stratum/state: "ram", "partition DEVICE", "refused WHY") in words for the consoles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stratum::installer {

// Nothing for a partition in use, and nothing for an empty text (an installed system).
std::vector<std::string> notes_of_state(std::string_view line);

} // namespace stratum::installer
