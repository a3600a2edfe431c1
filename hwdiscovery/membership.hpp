// What a device says it is a part of: a volume group, a pool, a set, an array of firmware. Read
// from the member's own superblock, so that it is known without tools and without anything being
// active. Pure but for the reader it is given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hwdiscovery/lvm_metadata.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// Fills group and group_uuid of a signature that was recognised on a place: LVM, Ceph's BlueStore,
// bcache, Intel's firmware RAID, Windows' dynamic disks.
// Others stay as they are, and so do members whose superblock makes no sense.
void add_membership(const ReadAt& read, SignatureRecord& signature);

// A label of ZFS's that libblkid passes over, for it asks for a history of writes: a log device of
// its own, a pool that was just made. Type zfs_member; the pool's name and number where it says so.
std::optional<SignatureRecord> read_zfs_label(const ReadAt& read, std::uint64_t size);

} // namespace stratum::hw
