#include "tests/hwdiscovery/disk_images.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kSector = 512;
constexpr std::uint64_t kEntryBytes = 128;

std::string from(std::string_view hex) {
    const auto raw = from_hex(hex).value();
    return {raw.begin(), raw.end()};
}

std::string little(std::uint64_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

std::string entry_bytes(const GptEntry& entry, std::size_t index) {
    std::string bytes = entry.type + std::string(15, '\x11') + static_cast<char>(index + 1);
    bytes += little(entry.first, 8) + little(entry.last, 8) + little(0, 8);
    for (char c : entry.name) bytes += std::string{c, '\0'};
    bytes.resize(kEntryBytes, '\0');
    return bytes;
}

std::string gpt_header(std::uint64_t own, std::uint64_t other, std::uint64_t table,
                       std::uint64_t sectors, const std::string& entries) {
    const std::uint64_t entry_sectors = entries.size() / kSector;
    std::string header = "EFI PART" + little(0x00010000, 4) + little(92, 4) + little(0, 4) +
                         little(0, 4) + little(own, 8) + little(other, 8) +
                         little(2 + entry_sectors, 8) + little(sectors - 2 - entry_sectors, 8) +
                         std::string(16, '\x22') + little(table, 8) +
                         little(entries.size() / kEntryBytes, 4) + little(kEntryBytes, 4) +
                         little(crc32(entries), 4);
    header.replace(16, 4, little(crc32(header), 4));
    return header;
}

} // namespace

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xffffffffu;
    for (char c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) ? 0xedb88320u : 0u);
    }
    return ~crc;
}

std::string linux_type() {
    return from("af3dc60f838472478e793d69d8477de4");
}
std::string esp_type() {
    return from("28732ac11ff8d211ba4b00a0c93ec93b");
}

void DiskImage::put_number(std::uint64_t at, std::uint64_t value, int width) {
    put(at, little(value, width));
}

void DiskImage::put_gpt(const std::vector<GptEntry>& entries) {
    const std::uint64_t sectors = bytes_.size() / kSector;
    std::string table;
    for (std::size_t i = 0; i < entries.size(); ++i) table += entry_bytes(entries[i], i);
    // 128 entries as a rule, and as many more as there are, in whole sectors.
    const std::uint64_t wanted = std::max<std::uint64_t>(128, (entries.size() + 3) / 4 * 4);
    table.resize(wanted * kEntryBytes, '\0');
    const std::uint64_t entry_sectors = table.size() / kSector;
    put(446, from("00000200eeffffff01000000") + little(sectors - 1, 4));
    put(510, from("55aa"));
    put(kSector, gpt_header(1, sectors - 1, 2, sectors, table));
    put(2 * kSector, table);
    put((sectors - 1 - entry_sectors) * kSector, table);
    put((sectors - 1) * kSector,
        gpt_header(sectors - 1, 1, sectors - 1 - entry_sectors, sectors, table));
}

void DiskImage::put_ext4(std::uint64_t at, const std::string& label) {
    const std::uint64_t super = at + 1024;
    put_number(super + 0, 64, 4);          // inodes
    put_number(super + 4, 1024, 4);        // blocks
    put_number(super + 24, 0, 4);          // blocks of 1 KiB
    put_number(super + 56, 0xef53, 2);     // magic
    put_number(super + 76, 1, 4);          // revision
    put_number(super + 96, 0x40 | 0x2, 4); // extents: ext4 and no older
    put(super + 104, std::string(16, '\x33'));
    put(super + 120, label);
}

void DiskImage::put_swap(std::uint64_t at, const std::string& label) {
    put(at + 4096 - 10, "SWAPSPACE2");
    put_number(at + 1024, 1, 4);  // version
    put_number(at + 1028, 15, 4); // last page
    put(at + 1036, std::string(16, '\x44'));
    put(at + 1052, label);
}

void DiskImage::put_luks(std::uint64_t at) {
    put(at, from("4c554b53babe0001"));
    put(at + 168, "3a7a45d3-ac08-4aae-b803-cf10b57775f3");
}

void DiskImage::put_dos(std::uint32_t first_sector, std::uint32_t sectors) {
    put(440, "DISK");
    put(446, std::string(4, '\0') + '\x83' + std::string(3, '\0'));
    put_number(446 + 8, first_sector, 4);
    put_number(446 + 12, sectors, 4);
    put(510, from("55aa"));
}

void DiskImage::put_md(std::uint64_t at, std::uint64_t size, bool at_end, const std::string& name,
                       char uuid) {
    // 1.0 stands 8 KiB before the end, on a 4 KiB boundary.
    const std::uint64_t offset = at_end ? ((size / kSector - 16) & ~7ull) * kSector : 4096;
    const std::uint64_t super = at + offset;
    std::string bytes(256, '\0');
    bytes.replace(0, 4, little(0xa92b4efc, 4));
    bytes.replace(4, 4, little(1, 4));
    bytes.replace(16, 16, std::string(16, uuid)); // the array's uuid
    bytes.replace(32, name.size(), name);
    bytes.replace(72, 4, little(1, 4)); // level
    bytes.replace(92, 4, little(2, 4)); // raid disks
    bytes.replace(144, 8, little(offset / kSector, 8));
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 4)
        for (std::size_t b = 0; b < 4; ++b)
            sum += static_cast<std::uint64_t>(static_cast<std::uint8_t>(bytes[i + b])) << (8 * b);
    bytes.replace(216, 4, little((sum & 0xffffffffu) + (sum >> 32), 4));
    put(super, bytes);
}

std::string DiskImage::save() const {
    char name[] = "/tmp/stratum-image-XXXXXX";
    const int fd = ::mkstemp(name);
    if (fd >= 0) ::close(fd);
    std::ofstream(name, std::ios::binary) << bytes_;
    return name;
}

} // namespace stratum::hw
