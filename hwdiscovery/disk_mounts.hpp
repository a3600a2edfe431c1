// Which mounts and swaps stand on which devices, through filesystems that span several of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

// By what is mounted there, in our own namespace, a disk is known for the system's own: no such
// mount may be lost among a thousand others.
bool is_system_place(const std::string& path);

// By kernel name of the device that is mounted. A mount of another namespace is there only where
// our own has none of that device.
std::map<std::string, std::vector<MountRecord>> mounts_by_device(const DiskRecords& records,
                                                                 const BlockGraph& graph);

// Kernel names of the devices that are swapped to, and of those that a swap file's filesystem is
// on.
std::set<std::string> swaps_by_device(const DiskRecords& records, const BlockGraph& graph);

// Mounts and swaps that lead to no device that is known: whichever disk they use, it is none that
// this machine's list shows as used. One sentence for each, at most eight.
std::vector<std::string> unplaced_use(const DiskRecords& records, const BlockGraph& graph);

} // namespace stratum::hw
