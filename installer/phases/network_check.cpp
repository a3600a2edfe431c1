#include "installer/phases/network_check.hpp"

#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

bool runs_ok(PhaseContext& context, std::vector<std::string> argv, std::int64_t timeout_ms) {
    Command command;
    command.argv = std::move(argv);
    command.timeout_ms = timeout_ms;
    const auto finished = context.processes.run(command);
    return finished && finished->ok();
}

bool answers(PhaseContext& context, const Reach& reach, const std::string& member) {
    return runs_ok(context, {"ping", "-n", "-c", "1", "-W", "1", "-I", reach.own, member}, 5'000);
}

std::vector<std::string> member_addresses_in(const config::NodeConfig& node, const Cidr& network) {
    std::vector<std::string> found;
    if (!node.cluster) return found;
    for (const facts::Member& member : node.cluster->members) {
        if (member.status != "joined" || member.node_id == node.node_id) continue;
        for (const std::string& text : member.addresses) {
            const auto cidr = Cidr::parse(text);
            if (cidr && network.contains(cidr->address())) found.push_back(cidr->address().str());
        }
    }
    return found;
}

bool carries_cluster(const config::Link& link) {
    return std::any_of(link.purposes.begin(), link.purposes.end(), [](const std::string& purpose) {
        return purpose == "storage" || purpose == "overlay";
    });
}

} // namespace

std::vector<Reach> members_to_reach(const config::NodeConfig& node, const NetworkPlan& plan) {
    std::vector<Reach> reaches;
    for (const config::Connection& connection : node.connections) {
        if (!carries_cluster(connection.link)) continue;
        for (const std::string& text : connection.link.addresses) {
            const auto cidr = Cidr::parse(text);
            if (!cidr) continue;
            auto members = member_addresses_in(node, *cidr);
            if (members.empty()) continue;
            // A renamed NIC stands in the plan under today's name: found by its address.
            std::string device = connection.link.interface;
            for (const PlannedDevice& one : plan.devices) {
                const auto& own = one.addresses;
                if (std::find(own.begin(), own.end(), text) != own.end()) device = one.name;
            }
            reaches.push_back({device, cidr->address().str(), std::move(members)});
        }
    }
    return reaches;
}

std::vector<std::string> network_complaints(PhaseContext& context, const NetworkPlan& plan) {
    const auto machine = context.look();
    if (!machine) return {"this machine's NICs cannot be read: " + machine.error().message};
    auto complaints = differences(plan, *machine);
    // Asking over a network that does not stand yet tells nothing new and costs time.
    if (!complaints.empty()) return complaints;
    if (!context.founder_reachable()) {
        complaints.push_back("the founder does not answer over the new network");
    }
    for (const Reach& reach : members_to_reach(context.node, plan)) {
        const bool reached =
            std::any_of(reach.members.begin(), reach.members.end(),
                        [&](const std::string& member) { return answers(context, reach, member); });
        if (reached) continue;
        complaints.push_back("no member answers on " + reach.device + " from " + reach.own +
                             " (asked " + join(reach.members, ", ") + ")");
    }
    return complaints;
}

namespace {

// arping -D ends with 0 when nobody else answered, with 1 when somebody did.
void taken_by_somebody(PhaseContext& context, const std::vector<std::string>& probe,
                       const std::string& what, std::vector<std::string>& out) {
    Command command;
    command.argv = probe;
    command.timeout_ms = 10'000;
    const auto finished = context.processes.run(command);
    if (finished && finished->ok()) return;
    if (finished && finished->exit_code == 1) {
        out.push_back(what + " is already answered by another machine");
    } else {
        const auto why = require_ok(command, finished);
        out.push_back("whether " + what + " is free could not be asked: " + why.error().message);
    }
}

} // namespace

std::vector<std::string> taken_addresses(PhaseContext& context, const NetworkPlan& plan) {
    std::vector<std::string> taken;
    for (const PlannedDevice& device : plan.devices) {
        for (const std::string& text : device.addresses) {
            const auto cidr = Cidr::parse(text);
            if (!cidr || !cidr->address().is_v4()) continue;
            const std::string address = cidr->address().str();
            const std::vector<std::string> probe = {"arping", "-D", "-q", "-c",        "2",
                                                    "-w",     "3",  "-I", device.name, address};
            taken_by_somebody(context, probe, address + " on " + device.name, taken);
        }
    }
    return taken;
}

} // namespace stratum::installer
