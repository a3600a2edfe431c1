// One device read once, by libblkid and by what libblkid does not tell. Runs in the probing
// process: it may hang.
#pragma once

#include "hwdiscovery/prober.hpp"

namespace stratum::hw {

ContentRecord probe_device(const ProbeTarget& target);

} // namespace stratum::hw
