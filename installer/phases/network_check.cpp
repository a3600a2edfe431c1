#include "installer/phases/network_check.hpp"

#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"
#include "installer/phases/target.hpp"

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

bool is_device_missing(PhaseContext& context, const NetworkPlan& plan) {
    const auto machine = context.look();
    if (!machine) return false;
    return std::any_of(plan.devices.begin(), plan.devices.end(), [&](const PlannedDevice& device) {
        return device.kind != DeviceKind::kPhysical &&
               std::none_of(machine->nics.begin(), machine->nics.end(),
                            [&](const facts::Nic& nic) { return nic.name == device.name; });
    });
}

std::vector<std::string> bond_complaints(const Files& files, const PlannedDevice& bond) {
    std::vector<std::string> complaints;
    if (bond.kind != DeviceKind::kBond || !bond.bond) return complaints;
    // Options by name are read as "fast 1": the word is what was ordered.
    const auto compare = [&](const std::string& option, const std::string& ordered) {
        const auto text = files.read("/sys/class/net/" + bond.name + "/bonding/" + option);
        const auto parts = words(text.value_or(""));
        const std::string now = parts.empty() ? "unknown" : parts.front();
        if (now == ordered) return;
        complaints.push_back(bond.name + " has " + option + " " + now + ", ordered is " + ordered);
    };
    const config::Bond& due = *bond.bond;
    if (due.miimon_ms) compare("miimon", std::to_string(*due.miimon_ms));
    if (due.lacp_rate) compare("lacp_rate", *due.lacp_rate);
    if (due.xmit_hash_policy) compare("xmit_hash_policy", *due.xmit_hash_policy);
    return complaints;
}

std::vector<std::string> network_complaints(PhaseContext& context, const NetworkPlan& plan) {
    const auto machine = context.look();
    if (!machine) return {"this machine's NICs cannot be read: " + machine.error().message};
    auto complaints = differences(plan, *machine);
    for (const PlannedDevice& device : plan.devices) {
        const auto of_bond = bond_complaints(context.files, device);
        complaints.insert(complaints.end(), of_bond.begin(), of_bond.end());
    }
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

void probe_v4(PhaseContext& context, const PlannedDevice& device, const IpAddress& address,
              std::vector<std::string>& taken) {
    const std::string text = address.str();
    taken_by_somebody(context,
                      {"arping", "-D", "-q", "-c", "2", "-w", "3", "-I", device.name, text},
                      text + " on " + device.name, taken);
}

// The kernel has asked already, when it took the address on.
void probe_v6(PhaseContext& context, const PlannedDevice& device, const IpAddress& address,
              std::vector<std::string>& taken) {
    const auto said = ask_tool(
        context, {"ip", "-o", "-6", "address", "show", "dev", device.name, "dadfailed"}, 10'000);
    const std::string what = address.str() + " on " + device.name;
    if (!said) {
        taken.push_back("whether " + what + " is free could not be asked: " + said.error().message);
        return;
    }
    for (const std::string& word : words(*said)) {
        const auto cidr = Cidr::parse(word);
        if (!cidr || cidr->address() != address) continue;
        taken.push_back(what + " is already answered by another machine");
        return;
    }
}

} // namespace

std::vector<std::string> taken_addresses(PhaseContext& context, const NetworkPlan& plan) {
    std::vector<std::string> taken;
    for (const PlannedDevice& device : plan.devices) {
        for (const std::string& text : device.addresses) {
            const auto cidr = Cidr::parse(text);
            if (!cidr) continue;
            const auto probe = cidr->address().is_v4() ? probe_v4 : probe_v6;
            probe(context, device, cidr->address(), taken);
        }
    }
    return taken;
}

} // namespace stratum::installer
