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
    std::string sync_action = {};          // resync, recover, check, idle, frozen …
    std::string sync_completed = {};       // "4096 / 65536" sectors, none, delayed
};

struct ScsiRecord {
    std::string vendor, model; // as the device pads them
    std::optional<std::uint64_t> type;
    std::string wwid;
    std::string vpd80, vpd83, vpd89; // raw pages; empty: the device has none
    std::string state = {};          // running, offline, blocked …
    std::string usb_serial = {};     // of the USB device that it is behind
    std::string address = {};        // host:channel:target:lun
};

struct NvmeRecord {
    std::string model, serial, wwid;
    std::optional<std::uint64_t> nsid;
    std::string state = {};              // of the controller of a path: live, connecting, dead …
    std::vector<std::string> paths = {}; // of a namespace with several ways: its hidden devices
};

struct MmcRecord {
    std::string type, name, serial;
};

struct BlockRecord {
    std::string name;         // the kernel's, as in /dev: sda1, cciss/c0d0
    std::string dev;          // 8:1
    std::string sysfs;        // /sys/devices/…/block/sda/sda1
    std::string parent;       // of a partition: its disk's name
    int partition_number = 0; // 0: no partition, or its number is not known
    std::uint64_t start_bytes = 0;
    std::uint64_t size_bytes = 0;
    bool has_size = true;  // false: it could not be read
    bool has_start = true; // of a partition, the same
    std::optional<bool> read_only, removable, rotational;
    bool hidden = false;
    std::optional<std::uint32_t> logical_block_size;
    std::vector<std::string> slaves, holders;
    std::string dm_name, dm_uuid;
    std::string zoned = {};   // none, host-aware, host-managed
    std::string backing_file; // of a loop device
    std::string virtio_serial;
    std::string partition_label, partition_uuid; // from the kernel's own event: PARTNAME, PARTUUID
    std::optional<MdRecord> md;
    std::optional<ScsiRecord> scsi;
    std::optional<NvmeRecord> nvme;
    std::optional<MmcRecord> mmc;
    std::optional<UdevRecord> udev;
    std::vector<std::string> warnings;
    // Why nobody can say what it is; then it is shown, and is no disk to use. Empty: all is clear.
    std::string doubt = {};

    [[nodiscard]] bool is_partition() const { return partition_number != 0 || !parent.empty(); }
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

// A process that has a block device open for writing.
struct Writer {
    int pid = 0;
    std::string program; // its name; empty: not known
    friend bool operator==(const Writer&, const Writer&) = default;
};

// Something recognised by its bytes.
struct SignatureRecord {
    std::string usage; // libblkid's: filesystem, raid, crypto, other
    std::string type, label, uuid;
    std::optional<std::uint64_t> offset_bytes;
    std::string group, group_uuid;               // what it is a part of (membership.hpp)
    std::vector<std::string> group_members = {}; // LVM: uuids of the group's physical volumes
    friend bool operator==(const SignatureRecord&, const SignatureRecord&) = default;
};

struct TableRecord {
    std::string type, uuid;
    std::optional<std::uint64_t> offset_bytes; // of the header that was used
    bool is_backup_only = false;
    friend bool operator==(const TableRecord&, const TableRecord&) = default;
};

struct TablePartition {
    int number = 0;
    std::uint64_t start_bytes = 0, size_bytes = 0;
    std::string type, label, uuid;
    bool is_container = false;               // an extended partition: others stand inside it
    std::vector<SignatureRecord> signatures; // where the kernel has no device for it: read in place
    std::vector<TableRecord> tables;
    friend bool operator==(const TablePartition&, const TablePartition&) = default;
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
    std::string dm_status;                      // that target's own words on its health
    std::optional<Writer> writer;               // the first process that was found
    friend bool operator==(const ContentRecord&, const ContentRecord&) = default;
};

} // namespace stratum::hw
