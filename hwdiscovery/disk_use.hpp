// Who uses a disk now: mounts, swap, and whoever has it without a name that anybody lists.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

struct InUse {
    std::map<std::string, std::vector<MountRecord>> mounts; // by kernel name
    std::set<std::string> swaps, exports;                   // kernel names
};

InUse find_use(const DiskRecords& records, const BlockGraph& graph);

// Where a mount or a swap leads to no device that is known, the use of none is known in full: says
// so in the records' own warnings. Before make_disks.
void doubt_unplaced_use(DiskRecords& records);

// mounts, mounted and swap, of the disk and of all that stands on it.
void fill_use(const BlockRecord& block, const BlockGraph& graph, const InUse& use,
              facts::Disk& disk);

// The kernel lets nobody open one of the disk's devices alone, and no mount, swap or layer explains
// it; or a program has one open for writing, or the kernel gives it to other machines. Empty: no
// such thing. After fill_use.
std::string refuse_hidden_user(const BlockRecord& block, const BlockGraph& graph, const InUse& use,
                               const DiskRecords& records);

} // namespace stratum::hw
