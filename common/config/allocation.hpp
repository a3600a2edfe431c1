// Addresses for links that carry storage or overlay and name none: one for each distinct network
// among them, what an earlier approval gave where it is still free, else the lowest free one.
#pragma once

#include "common/config/rule_context.hpp"

namespace stratum::config {

// Fills them into `links` (the context's assignment stays as it is). A network that is full, or
// that the cluster does not record, is a finding at links[i].addresses.
void allocate(const ApprovalContext& context, std::vector<Link>& links, Findings& findings);

} // namespace stratum::config
