// The volume group that an LVM physical volume belongs to, read from the volume's own metadata: it
// is known without LVM's tools and without anything being active. Pure but for the reader it is
// given.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace stratum::hw {

struct LvmGroup {
    std::string name, uuid;
    // Uuids of its physical volumes: of one without metadata of its own, another one tells.
    std::vector<std::string> members = {};
    friend bool operator==(const LvmGroup&, const LvmGroup&) = default;
};

// Up to `size` bytes from `offset`; absent where they cannot be read.
using ReadAt = std::function<std::optional<std::string>(std::uint64_t offset, std::size_t size)>;

// Absent: no volume, no metadata on it (it may stand on the group's other volumes), or damaged.
std::optional<LvmGroup> read_lvm_group(const ReadAt& read);

// The metadata's text: `vg0 { id = "…" …`.
std::optional<LvmGroup> parse_lvm_text(const std::string& text);

// 32 characters as device-mapper has them, with LVM's hyphens: 7KZe2j-h1eu-….
std::string lvm_uuid(const std::string& bare);

// A device-mapper name of LVM's (vg_sys-root, my--vg-lv) taken apart into group and volume.
struct LvmName {
    std::string group, volume;
};
LvmName parse_lvm_name(const std::string& dm_name);

} // namespace stratum::hw
