// Writes a machine down, so that somebody else can look at it: what discovery read of it, in the
// layout that DiscoverOptions::root reads back, and the inventory that came of it (expected.json).
// Serial numbers, addresses and mount paths are in it; no content of a file system is, and no key.
#pragma once

#include <string>

#include "common/base/result.hpp"
#include "hwdiscovery/discover.hpp"

namespace stratum::hw {

// The inventory as discovered. The folder must be new or empty and is closed to others (0700);
// after an error what is in it is no whole machine (expected.json comes last). kInternal where
// reading it back gave another inventory: the folder is whole then, and worth sending all the same.
Result<facts::Inventory> capture(const DiscoverOptions& options, const std::string& folder);

} // namespace stratum::hw
