// From (cluster, join, request) to (plan) or (every problem): copy, default, check, allocate. Pure:
// the same input gives the same answer, and nothing is written. The founder runs it inside one
// transaction and commits the plan's claims with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/findings.hpp"
#include "common/config/cluster_view.hpp"
#include "common/config/node_config.hpp"

namespace stratum::config {

// The join being approved.
struct JoinFacts {
    std::string join_id;
    std::string node_id;        // kept from an earlier approval, else freshly made by the caller
    std::string remote_address; // it registered from there
    std::string pairing_code;
    facts::Inventory inventory;
    std::optional<Assignment> earlier; // what an earlier approval gave it: its addresses are kept
};

// One disk that the plan wipes, for the person who approves.
struct Wipe {
    std::string key;
    std::string path;
    std::string role;
    std::vector<std::string> losses;      // what is on it
    std::vector<std::string> also_breaks; // other disks that lose something
    friend bool operator==(const Wipe&, const Wipe&) = default;
};

struct ApprovalPlan {
    Assignment assignment; // complete: every default filled in, every address picked
    NodeConfig node;       // without the cluster's part, which delivery adds
    std::vector<Wipe> wipes;
    std::vector<IpAddress> addresses;   // claims, each unique in the cluster
    std::vector<std::string> disk_keys; // claims likewise: WWNs
};

struct Refusal {
    Findings problems;
    std::vector<std::string> copy_notes; // where something was to be copied
};

tl::expected<ApprovalPlan, Refusal> plan_approval(const ClusterView& cluster, const JoinFacts& join,
                                                  const ApprovalRequest& request);

} // namespace stratum::config
