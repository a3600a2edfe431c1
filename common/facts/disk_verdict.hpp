// The one verdict on a disk: may it be used at all, what names it, and what would be lost. Shared
// by discover, the rules of an approval, stage 1 and the check at the disk, so that no two of them
// can differ. Trust starts at refused: blank must be proved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/hash.hpp"
#include "common/base/result.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::facts {

enum class Contents { kBlank, kHolds, kUnknown };

struct DiskVerdict {
    // Every reason why no assignment may name this disk, for a person; empty: it may be named. Each
    // goes on from the disk's name: "is mounted: /dev/sda1 at /boot".
    std::vector<std::string> refusals;
    Contents contents = Contents::kUnknown;
    // What is on it, one phrase each: "ext4 “olddata” on /dev/sda1", "an LVM volume group vg0".
    std::vector<std::string> losses;
    std::vector<std::string> also_breaks; // other disks of its closure
};

DiskVerdict judge(const Disk& disk);

// The smallest disk an assignment may name.
inline constexpr std::uint64_t kSmallestDiskBytes = 8ull << 30;

// The key an assignment should name: the WWN, else the first by-id path; empty where the disk has
// no trustworthy key.
std::string best_key(const Disk& disk);
// Every key that names this disk, in the order of trust: the WWN (NAA, EUI-64, NVMe's eui. and
// uuid.), then by-id paths in byte order. Never a path: one made of a placeholder; one that names
// what stands on the disk (lvm-pv-uuid-, md-, dm-name-); nvme-MODEL_SERIAL, the controller's, where
// a path names the namespace (find_disk takes it while the controller has no other namespace).
std::vector<std::string> keys_of(const Disk& disk);

// The name that no other disk in the world has, one spelling of it (0x5000c500…, eui.…, uuid.…,
// lower case): of the WWN, else of a by-id path made of it. Two machines that report the same one
// see the same disk. Empty: there is none, or a placeholder.
std::string world_wide_name(const Disk& disk);

// A WWN or serial that many disks share because nobody set it: zeros, all F, one repeated digit,
// 0123456789…, "none", "default string", a maker's number with no device's behind it, ….
bool is_placeholder_identity(std::string_view text);

// What to do about a disk without a key, in words.
std::string how_to_give_a_key();

// Which disk a key names; a multipath map goes before its own paths. kNotFound lists the keys there
// are; kConflict where two disks answer to it; kInvalid for a kernel name (/dev/sda) with the key
// to use instead.
Result<const Disk*> find_disk(const std::vector<Disk>& disks, std::string_view key);

// The digest of identity and contents that a confirmation is tied to: keys, serial, model, size,
// partitions and what they hold; not kernel names, mounts, or a stack's health. What stands on a
// device stacked above (in a logical volume, behind an encryption) counts through its member's
// superblock alone, so that assembling a stack or taking it down leaves the digest as it was.
Sha256 contents_digest(const Disk& disk);

} // namespace stratum::facts
