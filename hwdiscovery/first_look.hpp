// A first look at both ends of a place, before libblkid's readers that fetch most: hundreds of KiB
// for a log of XFS's or a label of ZFS's, a dozen far apart sectors for Promise's RAID. Where
// nothing is that they could begin with, they need not fetch it once more. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hwdiscovery/lvm_metadata.hpp"

namespace stratum::hw {

constexpr std::uint64_t kXfsLogBytes = 256u << 10;  // its first record starts in one of these
constexpr std::uint64_t kPromiseBytes = 512u << 10; // all but one of its places are that far in

// Where ZFS has its four labels in a place of `size` bytes, 256 KiB each; none in less than 1 MiB.
std::vector<std::uint64_t> zfs_labels(std::uint64_t size);
constexpr std::uint64_t kZfsPairsAt = 16u << 10;        // in a label: what it says
constexpr std::uint64_t kZfsSealAt = (128u << 10) - 40; // and the magic number behind it

// libblkid's names of those that certainly find nothing in a place of `size` bytes, of which `head`
// are the first and whatever else they look at can be read. What cannot be read excuses nobody.
// Promise's RAID is on whole disks alone.
std::vector<std::string> readers_not_needed(std::string_view head, const ReadAt& read,
                                            std::uint64_t size, bool is_whole_disk);

} // namespace stratum::hw
