// Whether two looks at a machine found the same machine: what the joiner goes by when it decides
// whether the founder must hear of its hardware again.
#pragma once

#include <string>

#include "common/facts/inventory.hpp"

namespace stratum::installer {

// SHA-256 in hex of an inventory without what changes by itself: how far an array's resync is,
// process ids, IPv6 privacy addresses, neighbours, and the order in which the kernel lists
// addresses and routes. A carrier that comes or goes counts, and so does a device that is opened or
// let go: nobody may use it meanwhile.
std::string hardware_sha256(facts::Inventory inventory);

} // namespace stratum::installer
