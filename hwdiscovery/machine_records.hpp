// Everything that was read of a machine's disks, together: what the pure code works on.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/mounts.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct DiskRecords {
    std::vector<BlockRecord> blocks;
    std::map<std::string, ContentRecord> contents; // by kernel name; none: nobody looked
    bool is_probed = false;                        // false: nobody looked at any
    Usage usage;
    // Filesystems and sets over several devices that the kernel has in use, by uuid: the kernel
    // names of their members.
    std::map<std::string, std::vector<std::string>> btrfs, bcachefs, bcache;
    std::vector<std::string> zfs_pools; // names of the imported ones
    std::vector<std::string> exports;   // paths that the kernel gives to other machines
    std::vector<std::string> warnings;  // what could not be read, and is no one disk's affair
    std::optional<facts::InstallRecord> install_record;
    std::string
        boot_partition_uuid; // of the ESP that this system was booted from; empty: not known

    // What was read on a block device, by its kernel name; nullptr: nobody looked.
    [[nodiscard]] const ContentRecord* content_of(const std::string& name) const {
        const auto found = contents.find(name);
        return found == contents.end() ? nullptr : &found->second;
    }
};

} // namespace stratum::hw
