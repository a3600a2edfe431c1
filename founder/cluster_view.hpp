// The store as the rules of an approval see it, and the reverse: a plan as the node.yaml that is
// delivered. Runs inside the approval's or the delivery's transaction.
#pragma once

#include <string>
#include <vector>

#include "common/config/approval.hpp"
#include "founder/context.hpp"
#include "founder/lifecycle.hpp"

namespace stratum::founder {

// `except`: the join being approved; what it holds itself is free to it. The nodes to copy from are
// without their inventories, which are large: see read_copied_inventory.
config::ClusterView cluster_view(Context& context, Ledger& ledger, const std::string& except);

// Gives the node that this request copies from, by its word or by default, its inventory.
void read_copied_inventory(Ledger& ledger, const config::ApprovalRequest& request,
                           config::ClusterView& view);

// The inventory kept under a join's or the founder's node id; nothing where there is none.
std::optional<facts::Inventory> inventory_of(Ledger& ledger, const std::string& id);

std::vector<facts::Member> member_list(Ledger& ledger); // by name
facts::Member member_fact(const MemberRecord& record);

// node.yaml for this join now: the plan, the cluster's part with the present generation and
// members, and where the founder is. The findings say why it is not valid.
struct Rendered {
    std::string text;
    Findings findings;
};
Rendered render_for(Context& context, Ledger& ledger, const JoinRecord& join,
                    const config::NodeConfig& plan);

// Pure: the first node's choices, as an assignment that can be copied from. Without the links that
// keep it reachable (mgmt, oob).
config::Assignment founder_assignment(const config::NodeConfig& config);

} // namespace stratum::founder
