// What stands on what: disks, their partitions, and the arrays and maps above them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// Over records that outlive it.
class BlockGraph {
public:
    // By the mounts a loop over a file finds the device that its file is on.
    explicit BlockGraph(const std::vector<BlockRecord>& blocks,
                        const std::vector<MountRecord>& mounts = {});

    [[nodiscard]] const std::vector<BlockRecord>& blocks() const { return blocks_; }
    // nullptr: there is none.
    [[nodiscard]] const BlockRecord* named(const std::string& name) const;
    [[nodiscard]] const BlockRecord* numbered(const std::string& dev) const;
    // By any path under /dev that the kernel or device-mapper gives it.
    [[nodiscard]] const BlockRecord* at_path(const std::string& path) const;

    // The kernel's partitions of a disk by number; of a multipath map those that kpartx made.
    [[nodiscard]] std::vector<const BlockRecord*> partitions_of(const BlockRecord& disk) const;
    // What stands directly on a device: holders and partitions.
    [[nodiscard]] std::vector<const BlockRecord*> above(const BlockRecord& block) const;
    // Everything above a disk but its partitions, in the order to take it down.
    [[nodiscard]] std::vector<const BlockRecord*> layers_over(const BlockRecord& disk) const;
    // The disk, its partitions and every layer over them: all the devices it answers for.
    [[nodiscard]] std::vector<const BlockRecord*> devices_of(const BlockRecord& disk) const;
    // Of a disk with several ways to it (a multipath map, an NVMe namespace): their kernel names.
    [[nodiscard]] std::vector<std::string> paths_of(const BlockRecord& disk) const;
    // One of the ways to a disk whose map is the disk.
    [[nodiscard]] bool is_multipath_path(const BlockRecord& block) const;

private:
    [[nodiscard]] const BlockRecord* backing_of(const BlockRecord& loop,
                                                const std::vector<MountRecord>& mounts) const;

    const std::vector<BlockRecord>& blocks_;
    std::map<std::string, const BlockRecord*> by_name_, by_dev_;
    std::map<std::string, std::vector<std::string>> above_;
};

// The mount of our own namespace that a file is on; nullptr: none.
const MountRecord* mount_of_file(const std::string& path, const std::vector<MountRecord>& mounts);

// Firmware RAID (Intel's, DDF): the container of all its disks, and of a volume in one, its name.
bool is_container_array(const BlockRecord& block);
std::string container_of(const BlockRecord& block);

// A map that is a disk of its own, and one that stands for a partition of such a map.
bool is_multipath(const BlockRecord& block);
bool is_multipath_partition(const BlockRecord& block);

} // namespace stratum::hw
