// Which mounts stand on which devices, through filesystems that span several of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

// By kernel name of the device that is mounted. A mount of another namespace is there only where
// our own has none of that device.
std::map<std::string, std::vector<MountRecord>> mounts_by_device(const DiskRecords& records,
                                                                 const BlockGraph& graph);

} // namespace stratum::hw
