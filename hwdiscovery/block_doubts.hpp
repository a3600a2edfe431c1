// Disks whose layers, as the kernel lists them, do not fit together.
#pragma once

#include <vector>

#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// Such a disk may be in use by what nobody sees: held by something that is not listed, made of
// itself or of nothing that is listed, an array by its name that says nothing of itself. Sets
// `doubt` where there is none yet; a partition's holders are its disk's affair.
void doubt_tangles(std::vector<BlockRecord>& blocks);

} // namespace stratum::hw
