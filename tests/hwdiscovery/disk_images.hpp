// Images of disks as plain files, made byte by byte from their formats: no tool of this machine is
// needed, and the damage is exact.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stratum::hw {

struct GptEntry {
    std::string type;                  // 16 bytes as on disk
    std::uint64_t first = 0, last = 0; // sectors
    std::string name;
};

class DiskImage {
public:
    explicit DiskImage(std::uint64_t size_bytes) : bytes_(size_bytes, '\0') {}

    void put(std::uint64_t at, const std::string& bytes) {
        bytes_.replace(at, bytes.size(), bytes);
    }
    void put_number(std::uint64_t at, std::uint64_t value, int width);
    void wipe(std::uint64_t at, std::uint64_t size) { put(at, std::string(size, '\0')); }

    // A whole table: protective one, header and entries, and the copies at the end.
    void put_gpt(const std::vector<GptEntry>& entries);
    void put_ext4(std::uint64_t at, const std::string& label);
    void put_swap(std::uint64_t at, const std::string& label);
    void put_luks(std::uint64_t at);
    // A member's superblock, version 1.2 (4 KiB from the start) or 1.0 (at the end).
    void put_md(std::uint64_t at, std::uint64_t size, bool at_end, const std::string& name,
                char uuid = '\x55');
    // A DOS table with one Linux partition.
    void put_dos(std::uint32_t first_sector, std::uint32_t sectors);

    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    // Writes it to a new file and gives its path.
    [[nodiscard]] std::string save() const;

private:
    std::string bytes_;
};

std::uint32_t crc32(std::string_view bytes);

// A Linux filesystem's partition type and an EFI system partition's, as on disk.
std::string linux_type();
std::string esp_type();

} // namespace stratum::hw
