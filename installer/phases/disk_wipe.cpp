#include "installer/phases/disk_wipe.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "installer/phases/take_down.hpp"
#include "installer/phases/target.hpp"
#include "installer/phases/wipe_extents.hpp"

namespace stratum::installer {
namespace {

// Holds every table, superblock and boot loader that stands at an end: GPT's 33 sectors, md 1.0's
// and DDF's at the end, LVM's and LUKS's headers, bluestore's label, ZFS's four labels.
constexpr std::uint64_t kEndBytes = 16ull << 20;
constexpr std::uint64_t kSectorBytes = 512;
// udev may assemble a stack again while its members are being wiped one after the other.
constexpr int kTries = 3;
constexpr std::int64_t kBetweenTriesMs = 1000;

Status settle(PhaseContext& context) {
    return run_tool(context, {"udevadm", "settle", "--timeout=30"});
}

std::string first_sector(PhaseContext& context, const std::string& path) {
    return context.blocks->read(path, 0, kSectorBytes).value_or("");
}

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

// The same, and still to be wiped: minutes may have gone by since the plan was made.
Result<facts::Disk> look_before_wiping(PhaseContext& context, const PlannedDisk& planned) {
    auto disk = look_again(context, planned);
    if (!disk) return disk;
    if (may_be_wiped(planned, *disk, first_sector(context, disk->path))) return disk;
    return fail(ErrorCode::kConflict, planned.order.choice.key +
                                          " changed since the plan was made: it no longer holds "
                                          "what was approved, and is left as it is");
}

Result<facts::Disk> without_stack(PhaseContext& context, const PlannedDisk& planned) {
    for (int tries = 0; tries < kTries; ++tries) {
        auto disk = look_before_wiping(context, planned);
        if (!disk || disk->stack.empty()) return disk;
        if (auto down = take_down(context, *disk); !down) return tl::make_unexpected(down.error());
    }
    return fail(ErrorCode::kConflict, "what stands on " + planned.order.choice.key +
                                          " was assembled again after it was taken down");
}

// Both ends of a part of the disk, by offsets on the disk itself: a partition whose table is gone
// has no device. The first sector is the marker's.
Status wipe_ends(PhaseContext& context, const std::string& path, Extent part) {
    BlockDevices& blocks = *context.blocks;
    const std::uint64_t end = part.start_bytes + part.size_bytes;
    const std::uint64_t from = std::max(part.start_bytes, kSectorBytes);
    const std::uint64_t head = std::min(part.start_bytes + kEndBytes, end);
    if (head > from) {
        if (auto done = blocks.zero(path, from, head - from); !done) return done;
    }
    if (end <= head) return {};
    const std::uint64_t tail = std::max(head, end - std::min(end, kEndBytes));
    return blocks.zero(path, tail, end - tail);
}

// By wipefs, too, where the kernel shows the partition: it knows of copies further inside.
Status wipe_partitions(PhaseContext& context, const facts::Disk& disk) {
    for (const facts::Partition& partition : disk.partitions) {
        // An extended MBR partition is two sectors of the disk, not a device of its own contents.
        if (partition.path.empty() || partition.size_bytes <= 2 * kSectorBytes) continue;
        auto signatures = run_tool(context, {"wipefs", "--all", "--quiet", partition.path});
        if (!signatures) return signatures;
    }
    return {};
}

// A partition that udev looks into for an instant keeps the kernel from forgetting it.
Status reread(PhaseContext& context, const std::string& path) {
    Status done;
    for (int tries = 0; tries < kTries; ++tries) {
        if (auto settled = settle(context); !settled) return settled;
        done = context.blocks->reread_partitions(path);
        if (done || done.error().code != ErrorCode::kConflict) return done;
    }
    return done;
}

Status require_blank(PhaseContext& context, const PlannedDisk& planned) {
    if (auto settled = settle(context); !settled) return settled;
    const auto disk = look_again(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    const auto verdict = facts::judge(*disk);
    if (verdict.contents == facts::Contents::kBlank && disk->partitions.empty()) return {};
    return fail(ErrorCode::kIo,
                planned.order.choice.key + " was wiped, but is not proved blank: it still shows " +
                    (verdict.losses.empty() ? "something unreadable" : join(verdict.losses, ", ")));
}

Status wipe_once(PhaseContext& context, const PlannedDisk& planned) {
    const auto disk = without_stack(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    context.log("wiping " + disk->path + " (" + planned.order.choice.key + ")");
    const auto extents = note_extents(context, planned, *disk);
    if (!extents) return tl::make_unexpected(extents.error());
    const std::string marker = wipe_marker(context.node.join_id, planned.plan);
    if (auto marked = context.blocks->write(disk->path, 0, marker); !marked) return marked;
    if (auto done = wipe_partitions(context, *disk); !done) return done;
    if (auto done = run_tool(context, {"wipefs", "--all", "--quiet", disk->path}); !done) {
        return done;
    }
    for (const Extent& part : *extents) {
        if (auto done = wipe_ends(context, disk->path, part); !done) return done;
    }
    auto ends = wipe_ends(context, disk->path, {0, disk->size_bytes});
    if (!ends) return ends;
    if (auto done = reread(context, disk->path); !done) return done;
    return require_blank(context, planned);
}

} // namespace

Status wipe_disk(PhaseContext& context, const PlannedDisk& planned) {
    Status done;
    for (int tries = 1; tries <= kTries; ++tries) {
        done = wipe_once(context, planned);
        if (done || done.error().code != ErrorCode::kConflict) return done;
        context.log(done.error().message + (tries < kTries ? "; looks again" : ""));
        if (tries < kTries && !context.sleep_ms(kBetweenTriesMs)) return done;
    }
    return done;
}

Result<std::string> wiped_path(PhaseContext& context, const PlannedDisk& planned) {
    const auto disk = look_again(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    if (marked_plan(first_sector(context, disk->path)) == planned.plan) return disk->path;
    return fail(ErrorCode::kConflict, disk->path + " (" + planned.order.choice.key +
                                          ") does not bear the marker of this join: somebody wrote "
                                          "to it after it was wiped");
}

Status clear_marker(PhaseContext& context, const PlannedDisk& planned, Leaves leaves) {
    const auto disk = look_again(context, planned);
    if (!disk) return tl::make_unexpected(disk.error());
    if (!marked_plan(first_sector(context, disk->path)).empty()) {
        if (auto done = context.blocks->zero(disk->path, 0, kSectorBytes); !done) return done;
    }
    const auto sector = context.blocks->read(disk->path, 0, kSectorBytes);
    if (!sector) return tl::make_unexpected(sector.error());
    if (!marked_plan(*sector).empty()) {
        return fail(ErrorCode::kIo, disk->path + " still shows the marker that was removed");
    }
    return leaves == Leaves::kBlankDisk ? require_blank(context, planned) : Status{};
}

} // namespace stratum::installer
