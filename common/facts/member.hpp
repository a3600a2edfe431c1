// A member of the cluster, as every node knows the others.
#pragma once

#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/field_path.hpp"
#include "common/base/findings.hpp"

namespace stratum::facts {

struct Member {
    std::string node_id;
    std::string name;
    std::string role;
    std::string status;                 // joining, joined, removing
    std::string mgmt_address;           // without prefix
    std::vector<std::string> addresses; // storage and overlay, CIDR
    friend bool operator==(const Member&, const Member&) = default;
};

Node to_node(const Member& member);
Member read_member(const Node& node, const FieldPath& path, Findings& findings);

} // namespace stratum::facts
