// Addresses for links that carry storage or overlay and name none: one for each distinct network
// among them, what an earlier approval gave where it is still free, else the lowest free one.
#pragma once

#include <string>
#include <vector>

#include "common/config/rule_context.hpp"

namespace stratum::config {

// The context's links with the picked addresses filled in; beside each link a sentence for every
// network that had no free address left for it.
struct Allocation {
    std::vector<Link> links;
    std::vector<std::vector<std::string>> full_networks;
};
Allocation allocate(const ApprovalContext& context);

// It carries storage or overlay, names no address, and is no bond's member.
bool wants_addresses(const Link& link);

} // namespace stratum::config
