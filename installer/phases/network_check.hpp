// Does the network that was ordered work: the same questions that a person would ask on the
// console.
#pragma once

#include <string>
#include <vector>

#include "installer/phases/network_plan.hpp"
#include "installer/phases/phase.hpp"

namespace stratum::installer {

// Everything that does not work (yet): devices and addresses that differ from the plan, a founder
// that is not reached, a storage or overlay network on which no member answers. Empty: all of it.
std::vector<std::string> network_complaints(PhaseContext& context, const NetworkPlan& plan);

// A bond or VLAN of the plan that the machine does not have (yet).
bool is_device_missing(PhaseContext& context, const NetworkPlan& plan);

// What a bond is in the kernel, against what was ordered: monitoring interval, LACP rate, hash
// policy. (Its mode and members are facts of discovery.)
std::vector<std::string> bond_complaints(const Files& files, const PlannedDevice& bond);

// Ordered addresses that another machine answers for (IPv4: an ARP probe; IPv6: the kernel's own),
// one sentence each; also those that could not be asked about.
std::vector<std::string> taken_addresses(PhaseContext& context, const NetworkPlan& plan);

// For each storage or overlay address of this node, the addresses of joined members in the same
// network; links without any such member are left out.
struct Reach {
    std::string device;
    std::string own; // without prefix
    std::vector<std::string> members;
};
std::vector<Reach> members_to_reach(const config::NodeConfig& node, const NetworkPlan& plan);

} // namespace stratum::installer
