#include "hwdiscovery/offered.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/udev_names.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kScsiOptical = 5;

bool is_named(const BlockRecord& block, std::string_view stem) {
    const std::string& name = block.name;
    return name.starts_with(stem) && name.size() > stem.size() && name[stem.size()] >= '0' &&
           name[stem.size()] <= '9';
}

std::string refuse_doubtful(const BlockRecord& block, const BlockGraph&) {
    return block.doubt.empty() ? "" : "cannot be used: " + block.doubt;
}

std::string refuse_virtual(const BlockRecord& block, const BlockGraph&) {
    if (is_named(block, "loop"))
        return "is a loop device" +
               (block.backing_file.empty() ? "" : " over " + to_valid_utf8(block.backing_file));
    if (is_named(block, "zram")) return "is compressed memory";
    if (is_named(block, "ram")) return "is memory";
    if (is_named(block, "nbd") || is_named(block, "rbd")) return "is a network block device";
    return is_named(block, "mtdblock") ? "is raw flash memory" : "";
}

std::string refuse_media(const BlockRecord& block, const BlockGraph&) {
    const bool is_optical = block.scsi && block.scsi->type == kScsiOptical;
    if (is_optical || is_named(block, "sr")) return "is an optical drive";
    return is_named(block, "fd") ? "is a floppy drive" : "";
}

std::string refuse_emmc_area(const BlockRecord& block, const BlockGraph&) {
    if (!is_emmc_area(block.name)) return {};
    if (block.name.find("boot") != std::string::npos) return "is a boot area of an eMMC";
    if (block.name.find("rpmb") != std::string::npos) return "is the protected area of an eMMC";
    return "is an extra area of an eMMC";
}

// The disks of firmware RAID together; what can be used are its volumes, through its disks.
std::string refuse_container(const BlockRecord& block, const BlockGraph& graph) {
    if (!is_container_array(block)) return {};
    static constexpr std::string_view kExternal = "external:";
    const std::string& metadata = block.md->metadata;
    const std::string format =
        metadata.starts_with(kExternal) ? metadata.substr(kExternal.size()) : "";
    std::vector<std::string> volumes;
    for (const BlockRecord* one : graph.above(block)) volumes.push_back(one->name);
    return "is a container array" + (format.empty() ? "" : " (" + to_valid_utf8(format) + ")") +
           ", no disk: its disks are " + join(block.slaves, ", ") +
           (volumes.empty() ? ", it has no volume" : ", its volumes " + join(volumes, ", "));
}

std::string refuse_path(const BlockRecord& block, const BlockGraph& graph) {
    for (const BlockRecord* holder : graph.above(block)) {
        if (!is_multipath(*holder)) continue;
        const auto map = identify(*holder);
        const std::string key = !map.wwn.empty()    ? map.wwn
                                : map.by_id.empty() ? holder->path()
                                                    : map.by_id.front();
        return "is one path of the multipath device " + to_valid_utf8(holder->dm_name) + ": use " +
               key;
    }
    return {};
}

// Names that drivers give to what they make of other disks, or of nothing.
std::string refuse_made_up(const BlockRecord& block, const BlockGraph&) {
    if (is_named(block, "drbd")) return "is a replicated device (DRBD), no disk of its own";
    if (is_named(block, "zd")) return "is a volume of a ZFS pool, no disk of its own";
    if (is_named(block, "bcache")) return "is a cached device (bcache), no disk of its own";
    return is_named(block, "nullb") ? "is a test device that keeps nothing" : "";
}

// What no installer can write to as to any other disk, or to nothing at all.
std::string refuse_kind(const BlockRecord& block, const BlockGraph&) {
    if (block.zoned == "host-managed")
        return "is a zoned disk (host-managed): it takes no writes in any order but its own";
    if (!block.scsi) return {};
    const std::string& state = block.scsi->state;
    const bool is_gone = state.ends_with("offline") || state == "cancel" || state == "deleted";
    return is_gone ? "cannot be used: the kernel has it " + to_valid_utf8(state) : "";
}

std::string refuse_no_medium(const BlockRecord& block, const BlockGraph&) {
    if (!block.has_size) return "cannot be used: its size could not be read";
    return block.size_bytes == 0 ? "has no medium in it (its size is 0)" : "";
}

} // namespace

bool is_listed(const BlockRecord& block) {
    if (!block.doubt.empty()) return !block.hidden;
    if (block.is_partition() || block.hidden) return false;
    if (block.md) return is_container_array(block);
    if (!block.dm_uuid.empty() || block.name.starts_with("dm-")) return is_multipath(block);
    if (is_named(block, "loop")) return !block.backing_file.empty();
    // bcache0, drbd0: a layer of the disks that it is made of.
    if (!block.slaves.empty()) return false;
    const bool comes_unbound =
        is_named(block, "nbd") || is_named(block, "ram") || is_named(block, "zram");
    return block.size_bytes > 0 || !comes_unbound;
}

std::string never_usable(const BlockRecord& block, const BlockGraph& graph) {
    using Rule = std::string (*)(const BlockRecord&, const BlockGraph&);
    static constexpr std::array<Rule, 9> kRules = {
        refuse_doubtful,  refuse_virtual, refuse_media, refuse_emmc_area, refuse_path,
        refuse_container, refuse_made_up, refuse_kind,  refuse_no_medium};
    for (Rule rule : kRules)
        if (auto reason = rule(block, graph); !reason.empty()) return reason;
    return {};
}

} // namespace stratum::hw
