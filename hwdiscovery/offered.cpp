#include "hwdiscovery/offered.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "hwdiscovery/identity.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kScsiOptical = 5;

bool is_named(const BlockRecord& block, std::string_view stem) {
    const std::string& name = block.name;
    return name.starts_with(stem) && name.size() > stem.size() && name[stem.size()] >= '0' &&
           name[stem.size()] <= '9';
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
    if (!block.name.starts_with("mmcblk")) return {};
    if (block.name.find("boot") != std::string::npos) return "is a boot area of an eMMC";
    if (block.name.find("rpmb") != std::string::npos) return "is the protected area of an eMMC";
    return block.name.find("gp") != std::string::npos ? "is an extra area of an eMMC" : "";
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

std::string refuse_no_medium(const BlockRecord& block, const BlockGraph&) {
    return block.size_bytes == 0 ? "has no medium in it (its size is 0)" : "";
}

} // namespace

bool is_listed(const BlockRecord& block) {
    if (block.is_partition() || block.hidden || block.md) return false;
    if (!block.dm_uuid.empty() || block.name.starts_with("dm-")) return is_multipath(block);
    if (is_named(block, "loop")) return !block.backing_file.empty();
    const bool comes_unbound =
        is_named(block, "nbd") || is_named(block, "ram") || is_named(block, "zram");
    return block.size_bytes > 0 || !comes_unbound;
}

std::string never_usable(const BlockRecord& block, const BlockGraph& graph) {
    using Rule = std::string (*)(const BlockRecord&, const BlockGraph&);
    static constexpr std::array<Rule, 5> kRules = {refuse_virtual, refuse_media, refuse_emmc_area,
                                                   refuse_path, refuse_no_medium};
    for (Rule rule : kRules)
        if (auto reason = rule(block, graph); !reason.empty()) return reason;
    return {};
}

} // namespace stratum::hw
