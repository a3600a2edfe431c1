#include "hwdiscovery/read_blocks.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kSectorBytes = 512; // sysfs counts in these whatever the disk's block is

// Sysfs writes the slash of cciss/c0d0 as an exclamation mark.
std::string device_name(std::string entry) {
    std::replace(entry.begin(), entry.end(), '!', '/');
    return entry;
}

std::vector<std::string> device_names(const Tree& tree, const std::string& folder) {
    std::vector<std::string> names;
    for (auto& entry : tree.list(folder)) names.push_back(device_name(std::move(entry)));
    return names;
}

std::string property_of(std::string_view uevent, std::string_view name) {
    for (const auto& line : split(uevent, '\n')) {
        const auto equals = line.find('=');
        if (equals != std::string::npos && std::string_view(line).substr(0, equals) == name)
            return line.substr(equals + 1);
    }
    return {};
}

std::optional<MdRecord> read_md(const Tree& tree, const std::string& sysfs) {
    if (!tree.exists(sysfs + "/md")) return std::nullopt;
    MdRecord md;
    md.level = tree.text(sysfs + "/md/level");
    md.uuid = tree.text(sysfs + "/md/uuid");
    md.metadata = tree.text(sysfs + "/md/metadata_version");
    md.state = tree.text(sysfs + "/md/array_state");
    md.degraded = tree.number(sysfs + "/md/degraded");
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

std::optional<ScsiRecord> read_scsi(const Tree& tree, const std::string& device) {
    if (tree.link_name(device + "/subsystem") != "scsi" && !tree.exists(device + "/vpd_pg83") &&
        !tree.exists(device + "/scsi_level"))
        return std::nullopt;
    ScsiRecord scsi;
    scsi.vendor = tree.bytes(device + "/vendor").value_or("");
    scsi.model = tree.bytes(device + "/model").value_or("");
    for (std::string* padded : {&scsi.vendor, &scsi.model})
        while (padded->ends_with("\n")) padded->pop_back();
    scsi.type = tree.number(device + "/type");
    scsi.wwid = tree.text(device + "/wwid");
    scsi.vpd80 = tree.bytes(device + "/vpd_pg80").value_or("");
    scsi.vpd83 = tree.bytes(device + "/vpd_pg83").value_or("");
    scsi.vpd89 = tree.bytes(device + "/vpd_pg89").value_or("");
    return scsi;
}

std::optional<NvmeRecord> read_nvme(const Tree& tree, const std::string& sysfs,
                                    const std::string& name) {
    if (!name.starts_with("nvme")) return std::nullopt;
    NvmeRecord nvme;
    nvme.model = tree.text(sysfs + "/device/model");
    nvme.serial = tree.text(sysfs + "/device/serial");
    nvme.wwid = tree.text(sysfs + "/wwid");
    nvme.nsid = tree.number(sysfs + "/nsid");
    return nvme;
}

std::optional<MmcRecord> read_mmc(const Tree& tree, const std::string& sysfs,
                                  const std::string& name) {
    if (!name.starts_with("mmcblk")) return std::nullopt;
    const std::string device = sysfs + "/device";
    return MmcRecord{tree.text(device + "/type"), tree.text(device + "/name"),
                     tree.text(device + "/serial")};
}

// What a partition does not have for itself.
void read_disk_attributes(const Tree& tree, BlockRecord& block) {
    const std::string& sysfs = block.sysfs;
    block.removable = tree.flag(sysfs + "/removable");
    block.hidden = tree.flag(sysfs + "/hidden").value_or(false);
    block.rotational = tree.flag(sysfs + "/queue/rotational");
    if (const auto size = tree.number(sysfs + "/queue/logical_block_size");
        size && *size <= 1u << 20)
        block.logical_block_size = static_cast<std::uint32_t>(*size);
    block.slaves = device_names(tree, sysfs + "/slaves");
    block.dm_name = tree.text(sysfs + "/dm/name");
    block.dm_uuid = tree.text(sysfs + "/dm/uuid");
    block.backing_file = tree.text(sysfs + "/loop/backing_file");
    block.md = read_md(tree, sysfs);
    block.scsi = read_scsi(tree, sysfs + "/device");
    block.nvme = read_nvme(tree, sysfs, block.name);
    block.mmc = read_mmc(tree, sysfs, block.name);
    if (block.name.starts_with("vd")) block.virtio_serial = tree.text(sysfs + "/serial");
}

BlockRecord read_block(const Tree& tree, const std::string& entry) {
    BlockRecord block;
    block.name = device_name(entry);
    block.sysfs = tree.followed("/sys/class/block/" + entry);
    block.dev = tree.text(block.sysfs + "/dev");
    block.read_only = tree.flag(block.sysfs + "/ro");
    block.holders = device_names(tree, block.sysfs + "/holders");
    if (const auto sectors = tree.number(block.sysfs + "/size"))
        block.size_bytes = *sectors * kSectorBytes;
    else
        block.warnings.push_back("its size could not be read");
    if (const auto number = tree.number(block.sysfs + "/partition"); number && *number < 1u << 20) {
        block.partition_number = static_cast<int>(*number);
        block.start_bytes = tree.number(block.sysfs + "/start").value_or(0) * kSectorBytes;
        const auto disk = block.sysfs.substr(0, block.sysfs.rfind('/'));
        block.parent = device_name(disk.substr(disk.rfind('/') + 1));
        block.partition_label = property_of(tree.text(block.sysfs + "/uevent"), "PARTNAME");
    } else {
        read_disk_attributes(tree, block);
    }
    if (const auto data = tree.bytes("/run/udev/data/b" + block.dev); data && !block.dev.empty())
        block.udev = parse_udev_data(*data);
    return block;
}

} // namespace

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

std::vector<BlockRecord> read_blocks(const Tree& tree) {
    std::vector<BlockRecord> blocks;
    for (const auto& entry : tree.list("/sys/class/block")) {
        BlockRecord block = read_block(tree, entry);
        // Without its number it went away while it was read.
        if (!block.dev.empty()) blocks.push_back(std::move(block));
    }
    std::sort(blocks.begin(), blocks.end(), [](const BlockRecord& a, const BlockRecord& b) {
        return natural_less(a.name, b.name);
    });
    return blocks;
}

} // namespace stratum::hw
