// As many disks as an inventory has room for. Pure.
#pragma once

#include <string>
#include <vector>

#include "common/facts/inventory.hpp"

namespace stratum::hw {

constexpr std::size_t kMostDisks = 512; // as many as the API takes

// Leaves at most `most` disks, in their order. Those that nobody could use (loops, memory, empty
// drives) give way first, from the back, then others, and the system's own never before them. Says
// what is not listed; empty: all are.
std::string shorten_disks(std::vector<facts::Disk>& disks, std::size_t most = kMostDisks);

} // namespace stratum::hw
