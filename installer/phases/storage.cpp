// The storage phase: does to each disk exactly what was confirmed, after the whole plan has been
// checked, and reads it back.
#include <algorithm>
#include <map>

#include "common/base/text.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/disk_wipe.hpp"
#include "installer/phases/storage_plan.hpp"
#include "installer/phases/target.hpp"
#include "installer/phases/wipe_extents.hpp"

namespace stratum::installer {
namespace {

bool is_compute(const PlannedDisk& planned) {
    return planned.order.choice.role.value_or("compute") == "compute";
}

Result<StoragePlan> plan_now(PhaseContext& context) {
    const auto machine = context.look();
    if (!machine) return tl::make_unexpected(machine.error());
    auto plan = plan_storage_now(context, *machine);
    if (plan) return std::move(*plan);
    return fail(ErrorCode::kConflict, join(plan.error(), "; "));
}

Status mark(PhaseContext& context, const PlannedDisk& planned, bool finished) {
    return context.journal.set_disk({planned.order.choice.key, planned.plan, finished});
}

Status empty_disks(PhaseContext& context, const StoragePlan& plan) {
    std::size_t done = 0;
    for (const PlannedDisk& planned : plan.disks) {
        context.percent(static_cast<int>(done++ * 80 / plan.disks.size()));
        if (planned.work == DiskWork::kDone || planned.is_in_group) continue;
        if (auto begun = mark(context, planned, false); !begun) return begun;
        if (auto wiped = wipe_disk(context, planned); !wiped) return wiped;
    }
    return {};
}

Status build_groups(PhaseContext& context, const StoragePlan& plan) {
    std::map<std::string, GroupOrder> groups;
    for (const PlannedDisk& planned : plan.disks) {
        if (!is_compute(planned)) continue;
        GroupOrder& group = groups[planned.order.choice.pool.value_or("")];
        std::string path = planned.disk.path;
        if (!planned.is_in_group) {
            auto wiped = wiped_path(context, planned);
            if (!wiped) return tl::make_unexpected(wiped.error());
            group.missing.push_back(*wiped);
            path = std::move(*wiped);
        }
        group.devices.push_back(std::move(path));
    }
    for (auto& [pool, group] : groups) {
        group.name = group_name(pool);
        context.log("volume group " + group.name + " on " + join(group.devices, ", "));
        if (auto made = make_group(context, group); !made) return made;
    }
    return {};
}

Status finish_disks(PhaseContext& context, const StoragePlan& plan) {
    for (const PlannedDisk& planned : plan.disks) {
        if (planned.work == DiskWork::kDone) continue;
        const Leaves leaves = is_compute(planned) ? Leaves::kOurVolume : Leaves::kBlankDisk;
        if (auto cleared = clear_marker(context, planned, leaves); !cleared) return cleared;
        if (auto forgotten = forget_extents(context, planned); !forgotten) return forgotten;
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

} // namespace

Status can_be_built(const PhaseContext& context) {
    const config::NodeConfig& node = context.node;
    if (!node.compute_tail_pool.empty() && node.os_disk_layout == "compute-tail") {
        return fail(ErrorCode::kInvalid,
                    "this release does not build the compute tail of an OS disk (pool " +
                        node.compute_tail_pool +
                        "): install the OS with the whole-disk layout and assign a data disk");
    }
    if (!node.disks.empty() && context.render_only()) {
        return fail(ErrorCode::kInvalid,
                    "node.yaml orders disks, and a target root other than / has none to write");
    }
    return {};
}

Status run_storage(PhaseContext& context) {
    if (auto can = can_be_built(context); !can) return can;
    if (context.node.disks.empty()) {
        context.log("no disks are ordered; nothing is written");
        return {};
    }
    const auto plan = plan_now(context);
    if (!plan) return tl::make_unexpected(plan.error());
    if (auto done = empty_disks(context, *plan); !done) return done;
    if (auto done = build_groups(context, *plan); !done) return done;
    if (auto done = finish_disks(context, *plan); !done) return done;
    return read_back(context);
}

} // namespace stratum::installer
