// A disk's partitions, from the kernel's list and from the table itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

struct DiskPartitions {
    std::vector<facts::Partition> partitions; // by where they start
    std::vector<std::string> warnings;
    bool is_cut = false; // there are more than are listed, or the place of one is not known
};

DiskPartitions partitions_of(const BlockRecord& disk, const BlockGraph& graph,
                             const DiskRecords& records);

// What is free behind the last partition, in whole MiB without the table's copy; absent where there
// are no partitions, where one reaches past the disk's end, and where a second table beside the
// first may have others (after the disk's holds are known).
std::optional<std::uint64_t> free_tail(const facts::Disk& disk);

} // namespace stratum::hw
