#include "hwdiscovery/own_signatures.hpp"

#include <string_view>

namespace stratum::hw {
namespace {

struct Row {
    std::string_view type, usage;
    std::uint64_t offset; // from the start, or back from the end
    bool from_end;
    std::string_view magic;
};

constexpr Row kRows[] = {
    // A BSD label without a DOS table around it: in the second sector, or behind a boot block.
    {"bsd", "other", 512, false, "\x57\x45\x56\x82"},
    {"bsd", "other", 64, false, "\x57\x45\x56\x82"},
    // FreeBSD's mirrors, stripes, encryption: the last sector.
    {"freebsd_geom", "raid", 512, true, "GEOM::"},
    {"freebsd_geom", "raid", 4096, true, "GEOM::"},
    // OpenBSD's softraid, encryption among it.
    {"openbsd_softraid", "raid", 8192, false, "marcCRAM"},
    // Windows' dynamic disks: the private header, at both ends.
    {"windows_ldm", "raid", 3072, false, "PRIVHEAD"},
    {"windows_ldm", "raid", 512, true, "PRIVHEAD"},
    // Windows' storage pools.
    {"windows_storage_spaces", "raid", 4096, false, "SPACEDB "},
    // What is left of a GPT, whatever its checksum: blocks of 512 or 4096 bytes, at both ends.
    {kGptHeaderType, "other", 512, false, "EFI PART"},
    {kGptHeaderType, "other", 4096, false, "EFI PART"},
    {kGptHeaderType, "other", 512, true, "EFI PART"},
    {kGptHeaderType, "other", 4096, true, "EFI PART"},
    // Copies of the first sector or header that filesystems keep, where that itself is gone: NTFS's
    // in the last sector, FAT32's in the seventh, HFS+'s before the last.
    {kNtfsCopyType, "filesystem", 512 - 3, true, "NTFS    "},
    {kFatCopyType, "filesystem", 6 * 512 + 82, false, "FAT32   "},
    {kHfsCopyType, "filesystem", 1024, true, {"H+\0\x04", 4}},
    {kHfsCopyType, "filesystem", 1024, true, {"HX\0\x05", 4}},
    {kBitlockerType, "crypto", 3, false, "-FVE-FS-"},
    // Files written straight to a device.
    {"qcow2", "other", 0, false, "QFI\xfb"},
    {"vmdk", "other", 0, false, "KDMV"},
    {"sqlite", "other", 0, false, "SQLite format 3"},
    {"tar", "other", 257, false, "ustar"},
    // LVM's metadata area, where it has been by default since version 2: behind its checksum.
    {kLvmMetadataType, "raid", 4096 + 4, false, " LVM2 x[5A%r0N*>"},
};

constexpr std::string_view kMdMagic = "\xfc\x4e\x2b\xa9";

// Members, as their superblocks stand in the formats of LVM and md (1.1 and 1.2; big-endian
// machines' old arrays apart).
constexpr Row kTinyRows[] = {
    {"LVM2_member", "raid", 0, false, "LABELONE"},
    {"LVM2_member", "raid", 512, false, "LABELONE"},
    {"LVM2_member", "raid", 1024, false, "LABELONE"},
    {"LVM2_member", "raid", 1536, false, "LABELONE"},
    {"linux_raid_member", "raid", 0, false, kMdMagic},
    {"linux_raid_member", "raid", 4096, false, kMdMagic},
};

void add_row(const Row& row, const ReadAt& read, std::uint64_t size,
             std::vector<SignatureRecord>& found) {
    const std::uint64_t end = row.from_end ? row.offset : row.offset + row.magic.size();
    if (end > size) return;
    const std::uint64_t at = row.from_end ? size - row.offset : row.offset;
    const auto bytes = read(at, row.magic.size());
    if (bytes && *bytes == row.magic)
        found.push_back({std::string(row.usage), std::string(row.type), "", "", at, "", ""});
}

// Where a member's superblock stands at the end: 1.0 on a 4 KiB boundary at least 8 KiB before it,
// 0.90 in the last whole 64 KiB but one.
void add_md_at_end(const ReadAt& read, std::uint64_t size, std::vector<SignatureRecord>& found) {
    constexpr std::uint64_t kSlotBytes = 64u << 10;
    if (size < 8192 + 4096) return;
    const std::uint64_t newer = (size - 8192) & ~std::uint64_t{4095};
    add_row({"linux_raid_member", "raid", newer, false, kMdMagic}, read, size, found);
    if (size < 2 * kSlotBytes) return;
    const std::uint64_t older = (size & ~(kSlotBytes - 1)) - kSlotBytes;
    if (older != newer)
        add_row({"linux_raid_member", "raid", older, false, kMdMagic}, read, size, found);
}

} // namespace

bool has_hybrid_entries(std::string_view sector) {
    constexpr std::size_t kFirst = 446, kEntry = 16, kType = 4;
    if (sector.size() < kDosMagicAt + 2 || sector.substr(kDosMagicAt, 2) != "\x55\xaa")
        return false;
    for (std::size_t i = 0; i < 4; ++i) {
        const char type = sector[kFirst + i * kEntry + kType];
        if (type != '\0' && type != '\xee') return true;
    }
    return false;
}

std::vector<SignatureRecord> own_signatures(const ReadAt& read, std::uint64_t size) {
    std::vector<SignatureRecord> found;
    for (const auto& row : kRows) add_row(row, read, size, found);
    if (size > kTinyBytes) return found;
    for (const auto& row : kTinyRows) add_row(row, read, size, found);
    add_md_at_end(read, size, found);
    return found;
}

} // namespace stratum::hw
