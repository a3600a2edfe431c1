// The network phase: render, apply, look whether it works for up to 90 seconds, and take it back
// where it does not. A machine is never cut off by a wrong assignment.
#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/network_apply.hpp"
#include "installer/phases/network_check.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

// Long enough for spanning tree and slow LACP (30 to 60 s until a port forwards).
constexpr std::int64_t kSettleMs = 90'000;
constexpr std::int64_t kLookEveryMs = 2'000;

// networkd may have missed that a device it made before is gone; asked once more, it makes it.
constexpr std::int64_t kAskAgainMs = 15'000;

Result<NetworkPlan> plan_from(PhaseContext& context) {
    const auto machine = context.look();
    if (!machine) return tl::make_unexpected(machine.error());
    std::vector<std::string> notes;
    auto plan = plan_network(context.node, *machine, notes);
    for (const std::string& note : notes) context.log(note);
    return plan;
}

std::vector<std::string> nics_of(const NetworkPlan& plan) {
    std::vector<std::string> nics;
    for (const PlannedDevice& device : plan.devices) {
        if (device.kind == DeviceKind::kPhysical) nics.push_back(device.name);
    }
    return nics;
}

// All that the machine has: for taking back a plan that can no longer be made.
std::vector<std::string> all_nics(PhaseContext& context) {
    std::vector<std::string> nics;
    const auto machine = context.look();
    if (!machine) return nics;
    for (const facts::Nic& nic : machine->nics) {
        if (nic.kind == "physical" && !nic.bmc) nics.push_back(nic.name);
    }
    return nics;
}

// What is still missing after waiting; empty: all of it works.
std::vector<std::string> wait_until_it_works(PhaseContext& context, const NetworkPlan& plan) {
    const std::int64_t deadline = context.clock.steady_ms() + kSettleMs;
    std::vector<std::string> missing;
    std::string last;
    bool asked_again = false;
    while (true) {
        missing = network_complaints(context, plan);
        if (missing.empty()) return missing;
        const std::int64_t left = deadline - context.clock.steady_ms();
        if (left <= 0) return missing;
        if (missing.front() != last) {
            last = missing.front();
            context.log("waiting up to " + std::to_string((left + 999) / 1000) + " s: " + last);
        }
        if (!asked_again && left <= kSettleMs - kAskAgainMs && is_device_missing(context, plan)) {
            asked_again = true;
            (void)run_tool(context, {"networkctl", "reload"});
        }
        context.percent(static_cast<int>(100 - left * 100 / kSettleMs));
        if (!context.sleep_ms(kLookEveryMs)) return missing;
    }
}

Status give_back(PhaseContext& context, NetworkApply& apply, const std::vector<std::string>& nics,
                 const std::string& why) {
    context.log("putting the old network back: " + why);
    const auto back = apply.roll_back(nics);
    std::string end = "the old configuration is back";
    if (!back) end = "and putting the old configuration back failed: " + back.error().message;
    return fail(ErrorCode::kUnavailable,
                "the ordered network does not work: " + why + "; " + end +
                    ". Check cables, VLANs and addresses, then retry the join");
}

Status put_in_place(NetworkApply& apply, const std::vector<NetworkFile>& files,
                    const std::vector<std::string>& nics) {
    const auto rebuild = apply.devices_to_rebuild(files);
    if (!rebuild) return tl::make_unexpected(rebuild.error());
    if (auto written = apply.write(files); !written) return written;
    return apply.reload(*rebuild, nics);
}

Status apply_plan(PhaseContext& context, const NetworkPlan& plan,
                  const std::vector<NetworkFile>& files) {
    NetworkApply apply(context);
    if (auto kept = apply.keep_old(); !kept) return kept;
    const auto nics = nics_of(plan);
    if (auto placed = put_in_place(apply, files, nics); !placed) {
        return give_back(context, apply, nics, placed.error().message);
    }
    const auto missing = wait_until_it_works(context, plan);
    if (!missing.empty()) return give_back(context, apply, nics, join(missing, "; "));
    if (auto taken = taken_addresses(context, plan); !taken.empty()) {
        return give_back(context, apply, nics, join(taken, "; "));
    }
    if (const auto machine = context.look()) {
        for (const std::string& warning : warnings_of(plan, *machine)) context.log(warning);
    }
    return apply.forget_old();
}

Status render_only(PhaseContext& context, const std::vector<NetworkFile>& files) {
    NetworkApply apply(context);
    if (auto written = apply.write(files); !written) return written;
    context.log("network files rendered into " + context.root + ", not applied");
    return {};
}

} // namespace

Status run_network(PhaseContext& context) {
    const auto plan = plan_from(context);
    if (!plan) {
        NetworkApply apply(context);
        if (context.render_only() || !apply.has_kept()) return tl::make_unexpected(plan.error());
        // A run that was cut off had begun to apply it: unproved, and now not even to be planned.
        return give_back(context, apply, all_nics(context), plan.error().message);
    }
    const auto files = render_network(*plan);
    if (context.render_only()) return render_only(context, files);
    return apply_plan(context, *plan, files);
}

} // namespace stratum::installer
