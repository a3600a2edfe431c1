#include "installer/phases/wipe_extents.hpp"

#include <algorithm>

#include "common/base/document.hpp"
#include "common/base/reader.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

// A signature and what belongs to it, on its own page and the next.
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kSignatureBytes = 2 * kPageBytes;

std::string file_of(const PhaseContext& context, const PlannedDisk& planned) {
    return context.state_folder + "/wipe-" + planned.plan + ".json";
}

void add(std::vector<Extent>& extents, const facts::Disk& disk, Extent extent) {
    if (extent.size_bytes == 0 || extent.start_bytes >= disk.size_bytes) return;
    extent.size_bytes = std::min(extent.size_bytes, disk.size_bytes - extent.start_bytes);
    extents.push_back(extent);
}

void add_holds(std::vector<Extent>& extents, const facts::Disk& disk,
               const std::optional<std::vector<facts::Hold>>& holds) {
    if (!holds) return;
    for (const facts::Hold& hold : *holds) {
        if (hold.device != disk.path || !hold.offset_bytes) continue;
        add(extents, disk, {*hold.offset_bytes / kPageBytes * kPageBytes, kSignatureBytes});
    }
}

void keep_each_once(std::vector<Extent>& extents) {
    std::sort(extents.begin(), extents.end());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
}

Result<std::vector<Extent>> read_noted(PhaseContext& context, const std::string& path) {
    if (!context.files.exists(path)) return std::vector<Extent>{};
    const auto text = context.files.read(path);
    if (!text) return tl::make_unexpected(text.error());
    const Parsed parsed = parse_json(*text);
    Findings findings = parsed.findings;
    std::vector<Extent> extents;
    if (parsed.root) {
        ObjectReader reader(*parsed.root, FieldPath(), findings);
        reader.each("extents", [&](const Node& node, const FieldPath& at) {
            ObjectReader item(node, at, findings);
            const auto start = item.required_int("startBytes", 0, INT64_MAX).value_or(0);
            const auto size = item.required_int("sizeBytes", 0, INT64_MAX).value_or(0);
            extents.push_back(
                {static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(size)});
        });
    }
    if (parsed.root && findings.empty()) return extents;
    return fail(ErrorCode::kInvalid, path + " is damaged: where the old partitions of the disk "
                                            "were is not known; look at the disk it is on");
}

} // namespace

std::vector<Extent> extents_of(const facts::Disk& disk) {
    std::vector<Extent> extents;
    for (const facts::Partition& partition : disk.partitions) {
        add(extents, disk, {partition.start_bytes, partition.size_bytes});
        add_holds(extents, disk, partition.holds);
    }
    add_holds(extents, disk, disk.holds);
    keep_each_once(extents);
    return extents;
}

Result<std::vector<Extent>> note_extents(PhaseContext& context, const PlannedDisk& planned,
                                         const facts::Disk& disk) {
    const std::string path = file_of(context, planned);
    const auto noted = read_noted(context, path);
    if (!noted) return tl::make_unexpected(noted.error());
    std::vector<Extent> extents = extents_of(disk);
    extents.insert(extents.end(), noted->begin(), noted->end());
    keep_each_once(extents);
    if (extents == *noted) return extents;
    Node list = Node::array();
    for (const Extent& extent : extents) {
        Node item = Node::object();
        item.set("startBytes", Node::integer(static_cast<std::int64_t>(extent.start_bytes)));
        item.set("sizeBytes", Node::integer(static_cast<std::int64_t>(extent.size_bytes)));
        list.push(std::move(item));
    }
    Node all = Node::object();
    all.set("extents", std::move(list));
    if (auto stored = context.files.write(path, write_json(all) + "\n", 0600); !stored) {
        return tl::make_unexpected(stored.error());
    }
    return extents;
}

Status forget_extents(PhaseContext& context, const PlannedDisk& planned) {
    return context.files.remove(file_of(context, planned));
}

} // namespace stratum::installer
