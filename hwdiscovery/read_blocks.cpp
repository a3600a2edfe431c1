#include "hwdiscovery/read_blocks.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "hwdiscovery/block_doubts.hpp"
#include "hwdiscovery/read_bus.hpp"
#include "hwdiscovery/udev_names.hpp"
#include "hwdiscovery/uevent.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kSectorBytes = 512; // sysfs counts in these whatever the disk's block is
constexpr std::uint64_t kMostSectors = 1ull << 54; // what a signed count of bytes can say

const std::string kClass = "/sys/class/block/";

std::vector<std::string> device_names(const Tree& tree, const std::string& folder) {
    std::vector<std::string> names;
    for (auto& entry : tree.list(folder)) names.push_back(device_name(std::move(entry)));
    return names;
}

std::optional<MdRecord> read_md(const Tree& tree, const std::string& sysfs) {
    if (!tree.exists(sysfs + "/md")) return std::nullopt;
    MdRecord md;
    md.level = tree.text(sysfs + "/md/level");
    md.uuid = tree.text(sysfs + "/md/uuid");
    md.metadata = tree.text(sysfs + "/md/metadata_version");
    md.state = tree.text(sysfs + "/md/array_state");
    md.degraded = tree.number(sysfs + "/md/degraded");
    md.sync_action = tree.text(sysfs + "/md/sync_action");
    md.sync_completed = tree.text(sysfs + "/md/sync_completed");
    for (const auto& entry : tree.list(sysfs + "/md")) {
        if (!entry.starts_with("dev-")) continue;
        std::string path = sysfs + "/md/";
        path.append(entry).append("/state");
        const auto states = split(tree.text(path), ',');
        if (std::find(states.begin(), states.end(), "faulty") != states.end())
            md.faulty.push_back(device_name(entry.substr(4)));
    }
    return md;
}

// Every disk has these: a hole is worth a word.
void warn_of_holes(BlockRecord& block) {
    const auto warn = [&](bool is_there, const char* what) {
        if (!is_there) block.warnings.push_back(std::string(what) + " could not be read");
    };
    warn(block.has_size, "its size");
    warn(block.read_only.has_value(), "whether it is read-only");
    warn(block.has_start, "where it starts");
    if (block.is_partition() || block.hidden) return;
    warn(block.removable.has_value(), "whether it is removable");
    warn(block.logical_block_size.has_value(), "its block size");
}

// What a partition does not have for itself.
void read_disk_attributes(const Tree& tree, BlockRecord& block) {
    const std::string& sysfs = block.sysfs;
    block.removable = tree.flag(sysfs + "/removable");
    block.hidden = tree.flag(sysfs + "/hidden").value_or(false);
    block.zoned = tree.text(sysfs + "/queue/zoned");
    block.rotational = tree.flag(sysfs + "/queue/rotational");
    if (const auto size = tree.number(sysfs + "/queue/logical_block_size");
        size && *size <= 1u << 20)
        block.logical_block_size = static_cast<std::uint32_t>(*size);
    block.slaves = device_names(tree, sysfs + "/slaves");
    block.dm_name = tree.text(sysfs + "/dm/name");
    block.dm_uuid = tree.text(sysfs + "/dm/uuid");
    block.backing_file = tree.text(sysfs + "/loop/backing_file");
    block.md = read_md(tree, sysfs);
    read_bus(tree, block);
    if (block.name.starts_with("vd")) block.virtio_serial = tree.text(sysfs + "/serial");
}

constexpr std::uint64_t kMostNumbers = 1u << 20;

// The kernel names a partition by its number.
std::string digits_of(const std::string& name) {
    return name.substr(name.find_last_not_of("0123456789") + 1);
}

int partition_number_of(const Tree& tree, const BlockRecord& block) {
    auto number = tree.number(block.sysfs + "/partition");
    if (!number || *number == 0 || *number >= kMostNumbers)
        number = parse_decimal(digits_of(block.name));
    return number && *number < kMostNumbers ? static_cast<int>(*number) : 0;
}

std::string folder_above(const std::string& sysfs) {
    const auto disk = sysfs.substr(0, sysfs.rfind('/'));
    return device_name(disk.substr(disk.rfind('/') + 1));
}

// sda of sda1, nvme0n1 of nvme0n1p1: what it would be a part of by its name.
std::string disk_by_name(const std::string& name) {
    const auto digits = digits_of(name).size();
    std::string disk = name.substr(0, name.size() - digits);
    if (digits == 0 || disk.size() < 2) return {};
    const char before = disk[disk.size() - 2];
    if (disk.back() == 'p' && before >= '0' && before <= '9') disk.pop_back();
    return disk;
}

// By each thing that may tell: one attribute that cannot be read makes no disk of a partition.
bool is_partition(const Tree& tree, const BlockRecord& block) {
    if (tree.exists(block.sysfs + "/partition")) return true;
    const std::string kind = uevent_value(tree.text(block.sysfs + "/uevent"), "DEVTYPE");
    if (!kind.empty()) return kind == "partition";
    // An eMMC's extra areas stand below it and are disks.
    if (is_emmc_area(block.name)) return false;
    const std::string above = block.sysfs.substr(0, block.sysfs.rfind('/'));
    // A controller has a number as well, but no size.
    if (tree.exists(above + "/dev") && tree.exists(above + "/size")) return true;
    const std::string disk = disk_by_name(block.name);
    return block.sysfs.starts_with(kClass) && !disk.empty() && tree.exists(kClass + disk);
}

void read_partition_attributes(const Tree& tree, BlockRecord& block) {
    const auto start = tree.number(block.sysfs + "/start");
    block.has_start = start && *start < kMostSectors;
    block.start_bytes = block.has_start ? *start * kSectorBytes : 0;
    block.parent = folder_above(block.sysfs);
    block.partition_number = partition_number_of(tree, block);
    const std::string uevent = tree.text(block.sysfs + "/uevent");
    block.partition_label = uevent_value(uevent, "PARTNAME");
    block.partition_uuid = lower(uevent_value(uevent, "PARTUUID"));
}

BlockRecord read_block(const Tree& tree, const std::string& entry) {
    BlockRecord block;
    block.name = device_name(entry);
    block.sysfs = tree.followed(kClass + entry);
    block.dev = tree.text(block.sysfs + "/dev");
    block.read_only = tree.flag(block.sysfs + "/ro");
    block.holders = device_names(tree, block.sysfs + "/holders");
    const auto sectors = tree.number(block.sysfs + "/size");
    block.has_size = sectors && *sectors < kMostSectors;
    block.size_bytes = block.has_size ? *sectors * kSectorBytes : 0;
    if (is_partition(tree, block))
        read_partition_attributes(tree, block);
    else
        read_disk_attributes(tree, block);
    if (const auto data = tree.bytes("/run/udev/data/b" + block.dev); data && !block.dev.empty())
        block.udev = parse_udev_data(*data);
    warn_of_holes(block);
    return block;
}

// Each partition to the disk whose folder it stands in, or else to the one that its name says.
void attribute_partitions(std::vector<BlockRecord>& blocks) {
    std::set<std::string> names;
    for (const auto& block : blocks) names.insert(block.name);
    for (auto& block : blocks) {
        if (!block.is_partition() || names.count(block.parent) != 0) continue;
        const std::string disk = disk_by_name(block.name);
        if (names.count(disk) != 0)
            block.parent = disk;
        else
            block.doubt = "the kernel does not say what it is a part of";
    }
}

} // namespace

std::string device_name(std::string entry) {
    std::replace(entry.begin(), entry.end(), '!', '/');
    return entry;
}

std::string UdevRecord::property(const std::string& name) const {
    const auto found = properties.find(name);
    return found == properties.end() ? std::string{} : found->second;
}

UdevRecord parse_udev_data(std::string_view text) {
    UdevRecord record;
    for (const auto& line : split(text, '\n')) {
        if (line.starts_with("S:")) record.links.push_back(line.substr(2));
        const auto equals = line.find('=');
        if (line.starts_with("E:") && equals != std::string::npos)
            record.properties[line.substr(2, equals - 2)] = line.substr(equals + 1);
    }
    std::sort(record.links.begin(), record.links.end());
    return record;
}

std::vector<BlockRecord> read_blocks(const Tree& tree, std::vector<std::string>& warnings) {
    std::vector<BlockRecord> blocks;
    for (const auto& entry : tree.list("/sys/class/block")) {
        BlockRecord block = read_block(tree, entry);
        // A hidden way to a disk never has a number; what has none otherwise is no longer there.
        if (!block.dev.empty() || block.hidden)
            blocks.push_back(std::move(block));
        else
            warnings.push_back(to_valid_utf8(block.path()) + " went away while it was read");
    }
    attribute_partitions(blocks);
    doubt_tangles(blocks);
    std::sort(blocks.begin(), blocks.end(), [](const BlockRecord& a, const BlockRecord& b) {
        return natural_less(a.name, b.name);
    });
    return blocks;
}

} // namespace stratum::hw
