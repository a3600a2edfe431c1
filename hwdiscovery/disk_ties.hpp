// What disks are to each other and to the system: which lose together, which the system lives on,
// which the machine runs from.
#pragma once

#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

// GPT names by which we know our own partitions again.
inline constexpr std::string_view kStatePartition = "stratum-state";
inline constexpr std::string_view kEspPartition = "stratum-esp";

// One disk of the machine: its record, and what is known of it so far.
struct MadeDisk {
    const BlockRecord* block = nullptr;
    facts::Disk disk;
};

// system, and unusable where the machine runs from it; by its partitions, mounts and stack.
void mark_system(const BlockRecord& block, const BlockGraph& graph, const DiskRecords& records,
                 facts::Disk& disk);
// system, by the install record. Before shared keys are dropped: a disk that might be the one
// counts as it.
void mark_recorded(const facts::InstallRecord& record, facts::Disk& disk);

// closure of each, another way to the same disk too; then unusable where it is another way to a
// disk in use, and where one stands in a stack with a system disk. Before shared keys are dropped.
void tie_disks(const BlockGraph& graph, const DiskRecords& records, std::vector<MadeDisk>& disks);

// A warning on each disk of a volume group whose name another one has too.
void warn_of_doubled_groups(const BlockGraph& graph, const DiskRecords& records,
                            std::vector<MadeDisk>& disks);

} // namespace stratum::hw
