// Which NIC of a joining machine does what a NIC of another node does. The node's management NIC is
// always the one that the join registered from; the others keep their name where driver and speed
// fit, else they are matched by driver, speed class and MTU class in natural order of their names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/config/cluster_view.hpp"
#include "common/config/machine_view.hpp"

namespace stratum::config {

struct NicMatches {
    std::map<std::string, std::string, std::less<>> nics; // the node's name → the joiner's
    std::vector<std::string> notes;                       // of what a person should check
};

// `wanted` are names of the source's physical NICs.
NicMatches match_nics(const CopySource& source, const MachineView& machine,
                      const std::vector<std::string>& wanted);

// 0: not known. Two classes fit where they are the same or one is not known.
int speed_class(const facts::Nic& nic);

} // namespace stratum::config
