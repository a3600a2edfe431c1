// The node.yaml of an assignment that every rule accepts: the same choices, with the permanent MACs
// and the digests of the disks as they were approved.
#pragma once

#include "common/config/node_config.hpp"
#include "common/config/rule_context.hpp"

namespace stratum::config {

// `assignment` is the context's, with addresses picked.
NodeConfig node_of_plan(const ApprovalContext& context, const Assignment& assignment);

} // namespace stratum::config
