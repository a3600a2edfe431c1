// The storage phase: does to each disk exactly what was confirmed, after the whole plan has been
// checked, and reads it back.
#include <algorithm>
#include <map>

#include "common/base/text.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/disk_wipe.hpp"
#include "installer/phases/storage_plan.hpp"
#include "installer/phases/target.hpp"
#include "installer/phases/volume_groups.hpp"

namespace stratum::installer {
namespace {

constexpr std::size_t kSectorBytes = 512;

bool is_compute(const PlannedDisk& planned) {
    return planned.order.choice.role.value_or("compute") == "compute";
}

std::string first_sector(PhaseContext& context, const std::string& path) {
    const auto data = context.blocks->read(path, 0, kSectorBytes);
    return data ? *data : std::string{};
}

Result<StoragePlan> plan_now(PhaseContext& context) {
    const auto machine = context.look();
    if (!machine) return tl::make_unexpected(machine.error());
    auto plan =
        plan_storage(context.node, *machine, context.journal.state(),
                     [&context](const std::string& path) { return first_sector(context, path); });
    if (plan) return std::move(*plan);
    return fail(ErrorCode::kConflict, join(plan.error(), "; "));
}

// Already ours and in its group: pvcreate was done before a cut, only the group may be missing.
bool is_in_group(const PlannedDisk& planned, const std::vector<VolumeGroup>& groups,
                 const std::string& tag) {
    for (const VolumeGroup& group : groups) {
        const bool ours = std::find(group.tags.begin(), group.tags.end(), tag) != group.tags.end();
        const auto& devices = group.devices;
        const bool on_it =
            std::find(devices.begin(), devices.end(), planned.disk.path) != devices.end();
        if (ours && on_it) return true;
    }
    return false;
}

Status mark(PhaseContext& context, const PlannedDisk& planned, bool finished) {
    return context.journal.set_disk({planned.order.choice.key, planned.plan, finished});
}

Status empty_disks(PhaseContext& context, const StoragePlan& plan) {
    const auto groups = list_groups(context);
    if (!groups) return tl::make_unexpected(groups.error());
    const std::string tag = join_tag(context.node.join_id);
    std::size_t done = 0;
    for (const PlannedDisk& planned : plan.disks) {
        context.percent(static_cast<int>(done++ * 80 / plan.disks.size()));
        if (planned.work == DiskWork::kDone) continue;
        if (planned.work == DiskWork::kContinue && is_in_group(planned, *groups, tag)) continue;
        if (auto begun = mark(context, planned, false); !begun) return begun;
        if (auto wiped = wipe_disk(context, planned); !wiped) return wiped;
    }
    return {};
}

Status build_groups(PhaseContext& context, const StoragePlan& plan) {
    std::map<std::string, std::vector<std::string>> devices_of;
    for (const PlannedDisk& planned : plan.disks) {
        if (!is_compute(planned)) continue;
        devices_of[planned.order.choice.pool.value_or("")].push_back(planned.disk.path);
    }
    for (const auto& [pool, devices] : devices_of) {
        context.log("volume group " + group_name(pool) + " on " + join(devices, ", "));
        if (auto made = make_group(context, group_name(pool), devices); !made) return made;
    }
    return {};
}

Status finish_disks(PhaseContext& context, const StoragePlan& plan) {
    for (const PlannedDisk& planned : plan.disks) {
        if (planned.work == DiskWork::kDone) continue;
        if (!is_compute(planned)) {
            if (auto cleared = clear_marker(context, planned); !cleared) return cleared;
        }
        if (auto done = mark(context, planned, true); !done) return done;
    }
    return {};
}

// Every ordered disk must now read as finished by the very rules that a later run goes by.
Status read_back(PhaseContext& context) {
    const auto plan = plan_now(context);
    if (!plan) return tl::make_unexpected(plan.error());
    for (const PlannedDisk& planned : plan->disks) {
        if (planned.work == DiskWork::kDone) continue;
        return fail(ErrorCode::kInternal, planned.order.choice.key + " does not read back as done");
    }
    return {};
}

Status refuse_what_is_not_here(const PhaseContext& context) {
    if (context.node.compute_tail_pool.empty() || context.node.os_disk_layout != "compute-tail") {
        return {};
    }
    return fail(ErrorCode::kInvalid,
                "this release does not build the compute tail of an OS disk (pool " +
                    context.node.compute_tail_pool +
                    "): install the OS with the whole-disk layout and assign a data disk");
}

} // namespace

Status run_storage(PhaseContext& context) {
    if (auto known = refuse_what_is_not_here(context); !known) return known;
    if (context.node.disks.empty()) {
        context.log("no disks are ordered; nothing is written");
        return {};
    }
    if (context.render_only()) {
        return fail(ErrorCode::kInvalid,
                    "node.yaml orders disks, and a target root other than / has none to write");
    }
    const auto plan = plan_now(context);
    if (!plan) return tl::make_unexpected(plan.error());
    if (auto done = empty_disks(context, *plan); !done) return done;
    if (auto done = build_groups(context, *plan); !done) return done;
    if (auto done = finish_disks(context, *plan); !done) return done;
    return read_back(context);
}

} // namespace stratum::installer
