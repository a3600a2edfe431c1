#include "installer/phases/disk_wipe.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

// Holds every table, superblock and boot loader that stands at an end: GPT's 33 sectors, md 1.0's
// and DDF's at the end, LVM's and LUKS's headers, bluestore's label, ZFS's four labels.
constexpr std::uint64_t kEndBytes = 16ull << 20;
constexpr std::uint64_t kSectorBytes = 512;
// udev may assemble a stack again while its members are being wiped one after the other.
constexpr int kTakeDownTries = 3;

Result<facts::Disk> look_again(PhaseContext& context, const PlannedDisk& planned) {
    const auto machine = context.look();
    if (!machine) return tl::make_unexpected(machine.error());
    const auto found = facts::find_disk(machine->disks, planned.order.choice.key);
    if (!found) return tl::make_unexpected(found.error());
    const facts::Disk& disk = **found;
    const bool same =
        disk.serial == planned.order.serial && disk.size_bytes == planned.order.size_bytes;
    if (!same) {
        return fail(ErrorCode::kConflict,
                    planned.order.choice.key + " is another disk than it was a moment ago");
    }
    if (const auto verdict = facts::judge(disk); !verdict.refusals.empty()) {
        return fail(ErrorCode::kConflict,
                    planned.order.choice.key + " " + join(verdict.refusals, "; "));
    }
    return disk;
}

Status take_down_layer(PhaseContext& context, const facts::StackLayer& layer) {
    context.log("taking down " + layer.kind + " " + layer.name +
                (layer.uuid.empty() ? "" : " (" + layer.uuid + ")"));
    if (layer.kind == "md") return run_tool(context, {"mdadm", "--stop", layer.path});
    return run_tool(context, {"dmsetup", "remove", "--retry", layer.name});
}

bool stands_on(const facts::StackLayer& upper, const facts::StackLayer& lower) {
    const std::string node = lower.path.substr(lower.path.rfind('/') + 1);
    return std::any_of(upper.members.begin(), upper.members.end(), [&](const std::string& member) {
        return member == node || member == lower.name;
    });
}

// A layer that no other one stands on; the list's end where they stand on each other in a circle.
std::vector<facts::StackLayer>::iterator top_layer(std::vector<facts::StackLayer>& layers) {
    return std::find_if(layers.begin(), layers.end(), [&](const facts::StackLayer& lower) {
        return std::none_of(layers.begin(), layers.end(), [&](const facts::StackLayer& upper) {
            return &upper != &lower && stands_on(upper, lower);
        });
    });
}

Status take_down(PhaseContext& context, const facts::Disk& disk) {
    auto left = disk.stack;
    while (!left.empty()) {
        const auto top = top_layer(left);
        if (top == left.end()) {
            return fail(ErrorCode::kConflict, "what stands on " + disk.path + " is a circle");
        }
        if (auto done = take_down_layer(context, *top); !done) return done;
        left.erase(top);
    }
    return {};
}

Result<facts::Disk> without_stack(PhaseContext& context, const PlannedDisk& planned) {
    for (int tries = 0; tries < kTakeDownTries; ++tries) {
        auto disk = look_again(context, planned);
        if (!disk || disk->stack.empty()) return disk;
        if (auto down = take_down(context, *disk); !down) return tl::make_unexpected(down.error());
    }
    return fail(ErrorCode::kConflict, "what stands on " + planned.order.choice.key +
                                          " was assembled again after it was taken down");
}

Status wipe_range_ends(PhaseContext& context, const std::string& path, std::uint64_t size,
                       std::uint64_t from) {
    BlockDevices& blocks = *context.blocks;
    const std::uint64_t head = std::min(size, kEndBytes);
    if (head > from) {
        if (auto done = blocks.zero(path, from, head - from); !done) return done;
    }
    if (size <= kEndBytes) return {};
    return blocks.zero(path, size - kEndBytes, kEndBytes);
}

Status wipe_partitions(PhaseContext& context, const facts::Disk& disk) {
    for (const facts::Partition& partition : disk.partitions) {
        // An extended MBR partition is two sectors of the disk, not a device of its own contents.
        if (partition.path.empty() || partition.size_bytes <= 2 * kSectorBytes) continue;
        auto signatures = run_tool(context, {"wipefs", "--all", "--quiet", partition.path});
        if (!signatures) return signatures;
        auto ends = wipe_range_ends(context, partition.path, partition.size_bytes, 0);
        if (!ends) return ends;
    }
    return {};
}

Status require_blank(PhaseContext& context, const PlannedDisk& planned) {
    if (auto settled = run_tool(context, {"udevadm", "settle", "--timeout=30"}); !settled) {
        return settled;
    }
    const auto disk = look_again(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    const auto verdict = facts::judge(*disk);
    if (verdict.contents == facts::Contents::kBlank && disk->partitions.empty()) return {};
    return fail(ErrorCode::kIo,
                planned.order.choice.key + " was wiped, but is not proved blank: it still shows " +
                    (verdict.losses.empty() ? "something unreadable" : join(verdict.losses, ", ")));
}

} // namespace

Status wipe_disk(PhaseContext& context, const PlannedDisk& planned) {
    const auto disk = without_stack(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    context.log("wiping " + disk->path + " (" + planned.order.choice.key + ")");
    const std::string marker = wipe_marker(context.node.join_id, planned.plan);
    if (auto marked = context.blocks->write(disk->path, 0, marker); !marked) return marked;
    if (auto done = wipe_partitions(context, *disk); !done) return done;
    if (auto done = run_tool(context, {"wipefs", "--all", "--quiet", disk->path}); !done) {
        return done;
    }
    auto ends = wipe_range_ends(context, disk->path, disk->size_bytes, marker.size());
    if (!ends) return ends;
    if (auto done = context.blocks->reread_partitions(disk->path); !done) return done;
    return require_blank(context, planned);
}

Status clear_marker(PhaseContext& context, const PlannedDisk& planned) {
    const auto disk = look_again(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    if (auto done = context.blocks->zero(disk->path, 0, kSectorBytes); !done) return done;
    return require_blank(context, planned);
}

} // namespace stratum::installer
