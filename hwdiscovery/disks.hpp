// A machine's disks, from its raw records. Pure.
#pragma once

#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/machine_records.hpp"
#include "hwdiscovery/prober.hpp"

namespace stratum::hw {

// What there is to be read, before `contents` can be filled.
std::vector<ProbeTarget> probe_targets(const std::vector<BlockRecord>& blocks);

// In natural order of their names. Text is valid UTF-8, lists are short enough for the API.
std::vector<facts::Disk> make_disks(const DiskRecords& records);

} // namespace stratum::hw
