// Which block devices are disks at all, and which of those can never be used.
#pragma once

#include <string>

#include "hwdiscovery/block_graph.hpp"

namespace stratum::hw {

// Whole devices a person would call a disk, and the odd ones that are listed to say why not.
// Partitions, arrays, maps and unbound loops are none; a container of firmware RAID is listed.
bool is_listed(const BlockRecord& block);

// Why this device can not be used whatever stands on it; empty: no such reason. Goes on from the
// device's name, as facts::DiskVerdict's refusals do.
std::string never_usable(const BlockRecord& block, const BlockGraph& graph);

} // namespace stratum::hw
