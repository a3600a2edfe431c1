// Records of small machines, by hand.
#pragma once

#include <string>
#include <vector>

#include "hwdiscovery/machine_records.hpp"

namespace stratum::hw {

inline BlockRecord disk_block(const std::string& name, const std::string& dev) {
    BlockRecord block;
    block.name = name;
    block.dev = dev;
    block.sysfs = "/sys/devices/pci0000:00/ata1/host0/block/" + name;
    block.size_bytes = 64ull << 30;
    block.read_only = false;
    block.scsi = ScsiRecord{"ATA     ", "DISK", 0, "", "", "", ""};
    block.scsi->wwid = "naa.5000c500a1b2c3" + std::to_string(10 + (name.back() - 'a'));
    return block;
}

inline BlockRecord partition_block(const std::string& disk, int number, const std::string& dev) {
    BlockRecord block;
    block.name = disk + std::to_string(number);
    block.dev = dev;
    block.parent = disk;
    block.partition_number = number;
    block.start_bytes = static_cast<std::uint64_t>(number) << 20;
    block.size_bytes = 1ull << 20;
    return block;
}

inline BlockRecord map_block(const std::string& name, const std::string& dev,
                             const std::string& dm_name, const std::string& dm_uuid,
                             std::vector<std::string> slaves) {
    BlockRecord block;
    block.name = name;
    block.dev = dev;
    block.sysfs = "/sys/devices/virtual/block/" + name;
    block.size_bytes = 32ull << 30;
    block.dm_name = dm_name;
    block.dm_uuid = dm_uuid;
    block.slaves = std::move(slaves);
    return block;
}

inline BlockRecord md_block(const std::string& name, const std::string& dev,
                            std::vector<std::string> slaves) {
    BlockRecord block;
    block.name = name;
    block.dev = dev;
    block.size_bytes = 32ull << 30;
    block.md = MdRecord{"raid1", "md-uuid", "1.2", "clean", 0, {}};
    block.slaves = std::move(slaves);
    return block;
}

inline ContentRecord blank_content() {
    ContentRecord content;
    content.is_complete = true;
    content.exclusive = Exclusive::kFree;
    return content;
}

inline ContentRecord content_with(const std::string& usage, const std::string& type,
                                  const std::string& label = "", const std::string& uuid = "") {
    ContentRecord content = blank_content();
    content.signatures = {{usage, type, label, uuid, 1080, "", ""}};
    return content;
}

// A machine whose every device was read and is blank.
inline DiskRecords machine_of(std::vector<BlockRecord> blocks) {
    DiskRecords records;
    for (const auto& block : blocks) records.contents[block.name] = blank_content();
    records.blocks = std::move(blocks);
    records.is_probed = true;
    records.usage.is_complete = true;
    return records;
}

} // namespace stratum::hw
