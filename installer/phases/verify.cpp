// The verify phase: the whole plan against this machine, before anything is changed.
#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "installer/phases/bodies.hpp"
#include "installer/phases/network_plan.hpp"
#include "installer/phases/storage_plan.hpp"
#include "installer/phases/take_down.hpp"
#include "installer/phases/target.hpp"

namespace stratum::installer {
namespace {

struct Tool {
    std::string_view name;
    std::string_view what_for;
    bool for_disks;
};

constexpr std::array kTools = {
    Tool{"networkctl", "systemd-networkd is the network manager that firstboot configures", false},
    Tool{"ip", "bonds and VLANs are rebuilt with it (iproute2)", false},
    Tool{"ping", "members are asked over the new links (iputils-ping)", false},
    Tool{"arping", "addresses are probed before they count (iputils-arping)", false},
    Tool{"sysctl", "the running system's name is set with it (procps)", false},
    Tool{"udevadm", "disks are looked at again after each change (udev)", true},
    Tool{"wipefs", "old signatures are removed with it (util-linux)", true},
    Tool{"pvs", "volume groups are looked for with it (lvm2)", true},
    Tool{"pvcreate", "pools are LVM volume groups (lvm2)", true},
};

bool has_tool(const PhaseContext& context, std::string_view name) {
    constexpr std::array<std::string_view, 4> folders = {"/usr/bin/", "/usr/sbin/", "/bin/",
                                                         "/sbin/"};
    return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) {
        return context.files.exists(in_target(context, std::string(folder) + std::string(name)));
    });
}

bool is_active(PhaseContext& context, const std::string& unit) {
    Command command;
    command.argv = {"systemctl", "is-active", "--quiet", unit};
    const auto finished = context.processes.run(command);
    return finished && finished->ok();
}

// There are two programs of this name, and the other one's exit codes mean the opposite: a taken
// address would count as free.
void check_arping(PhaseContext& context, std::vector<std::string>& reasons) {
    Command command;
    command.argv = {"arping", "-V"};
    const auto finished = context.processes.run(command);
    if (finished && (finished->out + finished->err).find("iputils") != std::string::npos) return;
    reasons.push_back("arping is not the one of iputils, by whose answers addresses are judged: "
                      "install iputils-arping");
}

void check_system(PhaseContext& context, std::vector<std::string>& reasons) {
    if (context.render_only()) {
        context.log("target root " + context.root + ": the running system is not looked at");
        return;
    }
    for (const Tool& tool : kTools) {
        if (tool.for_disks && context.node.disks.empty()) continue;
        if (!has_tool(context, tool.name)) {
            reasons.push_back("this system has no " + std::string(tool.name) + ": " +
                              std::string(tool.what_for));
        } else if (tool.name == "arping") {
            check_arping(context, reasons);
        }
    }
    if (!is_active(context, "systemd-networkd.service")) {
        reasons.push_back("systemd-networkd is not running: this OS has another network manager, "
                          "which firstboot does not configure");
    }
    for (const char* other : {"NetworkManager.service", "connman.service", "wicked.service"}) {
        if (!is_active(context, other)) continue;
        reasons.push_back(std::string(other) +
                          " runs beside systemd-networkd, and both would configure the NICs: "
                          "switch it off");
    }
}

void check_node_yaml_text(const PhaseContext& context, std::vector<std::string>& reasons) {
    const auto checked = config::check_node_yaml(context.node_yaml);
    for (const std::string& line : checked.findings.lines()) {
        reasons.push_back("node.yaml: " + line);
    }
    if (checked.config && *checked.config != context.node) {
        reasons.push_back("node.yaml as it was delivered is not the plan that would be applied");
    }
}

void check_network(PhaseContext& context, const facts::Inventory& machine,
                   std::vector<std::string>& reasons) {
    std::vector<std::string> notes;
    const auto plan = plan_network(context.node, machine, notes);
    if (!plan) reasons.push_back(plan.error().message);
    for (const std::string& note : notes) context.log(note);
    const std::string& uplink = context.node.provider_mac;
    if (uplink.empty()) return;
    if (const auto nic = nic_with_mac(machine, uplink); !nic) {
        reasons.push_back("the provider's uplink: " + nic.error().message);
    }
}

void check_disks(PhaseContext& context, const facts::Inventory& machine,
                 std::vector<std::string>& reasons) {
    if (auto can = can_be_built(context); !can) reasons.push_back(can.error().message);
    if (context.node.disks.empty() || context.render_only()) return;
    const auto plan = plan_storage_now(context, machine);
    if (!plan) {
        reasons.insert(reasons.end(), plan.error().begin(), plan.error().end());
        return;
    }
    for (const PlannedDisk& planned : plan->disks) {
        if (planned.work == DiskWork::kDone) continue;
        for (const std::string& tool : take_down_tools(planned.disk)) {
            if (has_tool(context, tool)) continue;
            reasons.push_back("this system has no " + tool + ", which takes down what stands on " +
                              planned.order.choice.key);
        }
    }
}

} // namespace

Status run_verify(PhaseContext& context) {
    std::vector<std::string> reasons;
    check_node_yaml_text(context, reasons);
    check_system(context, reasons);
    const auto machine = context.look();
    if (!machine) return tl::make_unexpected(machine.error());
    check_network(context, *machine, reasons);
    check_disks(context, *machine, reasons);
    if (reasons.empty()) return {};
    for (const std::string& reason : reasons) context.log(reason);
    return fail(ErrorCode::kConflict, join(reasons, "; "));
}

} // namespace stratum::installer
