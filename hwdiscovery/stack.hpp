// The arrays and maps above a disk, and the other disks that they tie it to.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

// In the order to take them down.
std::vector<facts::StackLayer> stack_of(const BlockRecord& disk, const BlockGraph& graph,
                                        const DiskRecords& records);

// What ties disks together, one text each: a layer that stands on it, the uuid of an array, a
// volume group, a filesystem or a pool that it is a member of. Two disks with a tie in common lose
// together.
std::set<std::string> ties_of(const BlockRecord& disk, const BlockGraph& graph,
                              const DiskRecords& records);

// Names of the volume groups that it is a part of, and the uuids that go by each name: more than
// one on a machine, and a name means nothing.
std::map<std::string, std::set<std::string>>
volume_groups_on(const BlockRecord& disk, const BlockGraph& graph, const DiskRecords& records);

} // namespace stratum::hw
