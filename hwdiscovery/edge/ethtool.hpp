// What the drivers say of their cards (the ethtool requests of the kernel).
#pragma once

#include <vector>

#include "hwdiscovery/net_records.hpp"

namespace stratum::hw {

// Fills driver, firmware_version and, where it is not known, permanent_mac of each link. A driver
// without an answer costs that answer alone.
void ask_drivers(std::vector<LinkRecord>& links);

} // namespace stratum::hw
