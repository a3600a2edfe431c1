// Signatures that libblkid does not know, or only inside something else, or not in so small a
// place. One row each. All stand within the first 16 KiB or the last 8 KiB, but for the members of
// arrays in a place of at most 1,440 KiB, which is read whole by then.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hwdiscovery/lvm_metadata.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// What is left of a physical volume whose label is gone: LVM's tools bring the group back from it.
constexpr std::string_view kLvmMetadataType = "LVM2_metadata";

// Rows for what is left of something: not told of where libblkid saw the thing itself.
constexpr std::string_view kGptHeaderType = "gpt_header";
constexpr std::string_view kNtfsCopyType = "ntfs_backup";
constexpr std::string_view kFatCopyType = "fat32_backup";
constexpr std::string_view kHfsCopyType = "hfsplus_backup";
constexpr std::string_view kBitlockerType = "bitlocker";

// Up to this size libblkid looks for no arrays: it takes the place for a floppy.
constexpr std::uint64_t kTinyBytes = 1440u << 10;

// A DOS table in front of a GPT that has partitions of its own, and where its magic stands.
constexpr std::string_view kHybridType = "dos (hybrid)";
constexpr std::uint64_t kDosMagicAt = 510;
// Of a disk's first 512 bytes: whether a DOS table there has any entry but the guard of a GPT.
bool has_hybrid_entries(std::string_view sector);

// Of a device or a partition of `size` bytes. What cannot be read is not found: whoever asks says
// so.
std::vector<SignatureRecord> own_signatures(const ReadAt& read, std::uint64_t size);

} // namespace stratum::hw
