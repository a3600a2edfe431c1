// The time phase: the cluster's NTP servers, for whichever of chrony and systemd-timesyncd the OS
// has. Files are chrony.conf(5) sources and timesyncd.conf(5) drop-ins.
#include "common/base/text.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

// The programs, not their folders in /etc: those stay when a package is removed.
constexpr std::string_view kChronyd = "/usr/sbin/chronyd";
constexpr std::string_view kTimesyncd = "/lib/systemd/systemd-timesyncd";
constexpr std::string_view kChronySources = "/etc/chrony/sources.d/stratum.sources";
constexpr std::string_view kTimesyncdDropIn = "/etc/systemd/timesyncd.conf.d/50-stratum.conf";

std::string chrony_sources(const std::vector<std::string>& servers) {
    std::string out = "# Written by firstboot from node.yaml; changes are overwritten.\n";
    for (const std::string& server : servers) out += "server " + server + " iburst\n";
    return out;
}

std::string timesyncd_drop_in(const std::vector<std::string>& servers) {
    return "# Written by firstboot from node.yaml; changes are overwritten.\n[Time]\nNTP=" +
           join(servers, " ") + "\n";
}

// `try-restart` leaves a service alone that the administrator has switched off.
Status restart(PhaseContext& context, const std::string& unit) {
    if (context.render_only()) return {};
    return run_tool(context, {"systemctl", "try-restart", unit});
}

} // namespace

Status run_time(PhaseContext& context) {
    const auto& servers = context.node.ntp_servers;
    if (servers.empty()) {
        context.log("the cluster names no NTP servers; the clock stays as it is set");
        return {};
    }
    if (context.files.exists(in_target(context, kChronyd))) {
        auto done = write_target(context, kChronySources, chrony_sources(servers));
        return done ? restart(context, "chrony.service") : done;
    }
    if (!context.render_only() && !context.files.exists(in_target(context, kTimesyncd))) {
        return fail(ErrorCode::kNotFound,
                    "this OS has neither chrony nor systemd-timesyncd, and nothing else sets its "
                    "clock by " +
                        join(servers, ", ") + ": install one of them, then retry the join");
    }
    auto done = write_target(context, kTimesyncdDropIn, timesyncd_drop_in(servers));
    return done ? restart(context, "systemd-timesyncd.service") : done;
}

} // namespace stratum::installer
