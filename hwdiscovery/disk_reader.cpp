#include "hwdiscovery/disk_reader.hpp"

#include "common/base/text.hpp"
#include "hwdiscovery/install_record.hpp"
#include "hwdiscovery/read_blocks.hpp"

namespace stratum::hw {
namespace {

constexpr const char* kBtrfs = "/sys/fs/btrfs";
// Set by the boot loader at every boot: the partition that it was itself read from.
constexpr const char* kBootPartition =
    "/sys/firmware/efi/efivars/LoaderDevicePartUUID-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f";

using Members = std::map<std::string, std::vector<std::string>>;

// /sys/fs/btrfs/UUID/devices/sda1, of each that is mounted somewhere.
Members read_btrfs(const Tree& tree) {
    Members members;
    for (const auto& uuid : tree.list(kBtrfs))
        for (auto& entry : tree.list(std::string(kBtrfs) + "/" + uuid + "/devices"))
            members[uuid].push_back(device_name(std::move(entry)));
    return members;
}

std::string below(const std::string& folder, std::string_view name) {
    std::string path = folder;
    path += '/';
    path += name;
    return path;
}

// /sys/fs/bcachefs/UUID/dev-0/block -> …/block/sda, of each that is mounted somewhere.
Members read_bcachefs(const Tree& tree) {
    Members members;
    const std::string root = "/sys/fs/bcachefs";
    for (const auto& uuid : tree.list(root)) {
        const std::string folder = below(root, uuid);
        for (const auto& entry : tree.list(folder)) {
            if (!entry.starts_with("dev-")) continue;
            auto name = device_name(tree.link_name(below(below(folder, entry), "block")));
            if (!name.empty()) members[uuid].push_back(std::move(name));
        }
    }
    return members;
}

// /sys/fs/bcache/UUID/cache0 -> …/block/sdb/bcache, and the same of bdev0: a set that is running.
Members read_bcache(const Tree& tree) {
    Members members;
    const std::string root = "/sys/fs/bcache";
    for (const auto& uuid : tree.list(root)) {
        const std::string folder = below(root, uuid);
        for (const auto& entry : tree.list(folder)) {
            if (!entry.starts_with("cache") && !entry.starts_with("bdev")) continue;
            const auto target = tree.link(below(folder, entry));
            if (!target) continue;
            const std::string device = target->substr(0, target->rfind('/'));
            members[uuid].push_back(device_name(device.substr(device.rfind('/') + 1)));
        }
    }
    return members;
}

// ZFS tells of each imported pool in a folder of its name.
std::vector<std::string> read_zfs_pools(const Tree& tree) {
    std::vector<std::string> pools;
    const std::string root = "/proc/spl/kstat/zfs";
    for (const auto& name : tree.list(root))
        if (!tree.text(below(below(root, name), "state")).empty()) pools.push_back(name);
    return pools;
}

// What the kernel's own targets give away: SCSI (iSCSI, Fibre Channel) and NVMe. The latter claims
// nothing, so that an exclusive open works all the same.
std::vector<std::string> read_exports(const Tree& tree) {
    std::vector<std::string> paths;
    const auto add = [&](const std::string& file) {
        if (auto path = tree.text(file); path.starts_with("/")) paths.push_back(std::move(path));
    };
    const std::string scsi = "/sys/kernel/config/target/core";
    for (const auto& adapter : tree.list(scsi)) {
        const std::string folder = below(scsi, adapter);
        for (const auto& device : tree.list(folder)) add(below(below(folder, device), "udev_path"));
    }
    const std::string nvme = "/sys/kernel/config/nvmet/subsystems";
    for (const auto& subsystem : tree.list(nvme)) {
        const std::string folder = below(below(nvme, subsystem), "namespaces");
        for (const auto& number : tree.list(folder)) {
            const std::string space = below(folder, number);
            if (tree.text(below(space, "enable")) == "1") add(below(space, "device_path"));
        }
    }
    return paths;
}

} // namespace

std::string parse_efi_text(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 4; i + 1 < bytes.size(); i += 2) {
        // Uuids only: what is not ASCII is none.
        if (bytes[i] == '\0' || bytes[i + 1] != '\0') break;
        text.push_back(bytes[i]);
    }
    return lower(text);
}

DiskRecords read_disk_records(const Tree& tree) {
    DiskRecords records;
    records.blocks = read_blocks(tree, records.warnings);
    records.usage = read_usage(tree);
    records.btrfs = read_btrfs(tree);
    records.bcachefs = read_bcachefs(tree);
    records.bcache = read_bcache(tree);
    records.zfs_pools = read_zfs_pools(tree);
    records.exports = read_exports(tree);
    records.install_record = read_install_record(tree);
    records.boot_partition_uuid = parse_efi_text(tree.bytes(kBootPartition).value_or(""));
    return records;
}

} // namespace stratum::hw
