// What the bus that a disk hangs on tells of it: SCSI's pages, NVMe's controller and namespace, the
// card behind an mmc device. From sysfs; what cannot be read is absent.
#pragma once

#include <string>

#include "hwdiscovery/records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// Fills scsi, nvme and mmc of a whole disk whose name and sysfs path are there.
void read_bus(const Tree& tree, BlockRecord& block);

} // namespace stratum::hw
