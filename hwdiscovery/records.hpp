// Raw records of block devices: what sysfs, udev's database, /proc and a probe said, one to one and
// not yet judged. Edges and readers fill them, pure code turns them into facts, tests write them by
// hand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stratum::hw {

// One device of udev's database (/run/udev/data/b8:0).
struct UdevRecord {
    std::vector<std::string> links; // without /dev/: disk/by-id/wwn-0x5000…
    std::map<std::string, std::string> properties;
    [[nodiscard]] std::string property(const std::string& name) const;
};

struct MdRecord {
    std::string level;
    std::string uuid; // absent in older kernels
    std::string metadata;
    std::string state;
    std::optional<std::uint64_t> degraded; // members that are missing
    std::vector<std::string> faulty;       // kernel names of members marked faulty
};

struct ScsiRecord {
    std::string vendor, model; // as the device pads them
    std::optional<std::uint64_t> type;
    std::string wwid;
    std::string vpd80, vpd83, vpd89; // raw pages; empty: the device has none
};

struct NvmeRecord {
    std::string model, serial, wwid;
    std::optional<std::uint64_t> nsid;
};

struct MmcRecord {
    std::string type, name, serial;
};

struct BlockRecord {
    std::string name;         // the kernel's, as in /dev: sda1, cciss/c0d0
    std::string dev;          // 8:1
    std::string sysfs;        // /sys/devices/…/block/sda/sda1
    std::string parent;       // of a partition: its disk's name
    int partition_number = 0; // 0: no partition
    std::uint64_t start_bytes = 0;
    std::uint64_t size_bytes = 0;
    std::optional<bool> read_only, removable, rotational;
    bool hidden = false;
    std::optional<std::uint32_t> logical_block_size;
    std::vector<std::string> slaves, holders;
    std::string dm_name, dm_uuid;
    std::string backing_file; // of a loop device
    std::string virtio_serial;
    std::string partition_label; // from the kernel's own event: PARTNAME
    std::optional<MdRecord> md;
    std::optional<ScsiRecord> scsi;
    std::optional<NvmeRecord> nvme;
    std::optional<MmcRecord> mmc;
    std::optional<UdevRecord> udev;
    std::vector<std::string> warnings;

    [[nodiscard]] bool is_partition() const { return partition_number != 0; }
    [[nodiscard]] std::string path() const { return "/dev/" + name; }
};

// One line of a mountinfo.
struct MountRecord {
    std::string dev;        // 254:0
    std::string path;       // unescaped
    std::string type;       // ext4
    std::string source;     // /dev/mapper/vg0-root, or a pool's name
    std::optional<int> pid; // of a process in another mount namespace
};

// Something recognised by its bytes.
struct SignatureRecord {
    std::string usage; // libblkid's: filesystem, raid, crypto, other
    std::string type, label, uuid;
    std::optional<std::uint64_t> offset_bytes;
    std::string group, group_uuid; // of an LVM member, from its own metadata
};

struct TableRecord {
    std::string type, uuid;
    std::optional<std::uint64_t> offset_bytes; // of the header that was used
    bool is_backup_only = false;
};

struct TablePartition {
    int number = 0;
    std::uint64_t start_bytes = 0, size_bytes = 0;
    std::string type, label, uuid;
    bool is_container = false;               // an extended partition: others stand inside it
    std::vector<SignatureRecord> signatures; // where the kernel has no device for it: read in place
    std::vector<TableRecord> tables;
};

enum class Exclusive { kUnknown, kFree, kBusy };

// What reading a device gave.
struct ContentRecord {
    // Every place was read where something could stand; without it nothing is proved.
    bool is_complete = false;
    std::string problem; // why not, in words
    std::vector<SignatureRecord> signatures;
    std::vector<TableRecord> tables;
    std::vector<TablePartition> partitions;
    Exclusive exclusive = Exclusive::kUnknown;
    std::optional<std::uint32_t> dm_open_count; // device-mapper's own count
    std::string dm_target;                      // linear, crypt, striped …; the first of several
};

} // namespace stratum::hw
