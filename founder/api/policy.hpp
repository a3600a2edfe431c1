// A token's policy: which calls it allows. Deny wins, and what no statement allows is refused.
//
//   {"version":1,"statements":[{"effect":"allow","actions":["ha:*"],"resources":["join/*"]}]}
//
// An action is an action's name, a family ("ha:*") or "*"; a resource is "kind/id", "kind/*",
// "cluster" or "*".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/document.hpp"
#include "common/link/problem.hpp"

namespace stratum::founder::api {

struct Statement {
    bool allow = false;
    std::vector<std::string> actions;
    std::vector<std::string> resources;
};

struct Policy {
    std::vector<Statement> statements;
};

struct ReadPolicy {
    Policy policy;
    std::vector<link::Issue> issues; // every finding; empty: the policy holds
};
ReadPolicy read_policy(const Node& document);

// What `wanted` allows and `maker` does not, each of its statements and actions once: a token must
// not make one that may do more than itself. Exact: it holds for every resource there may ever be.
std::vector<link::Issue> beyond(const Policy& maker, const Policy& wanted);

// `resource` as the call names it: "join/nj-8w2k4m1p", "cluster".
bool allows(const Policy& policy, std::string_view action, std::string_view resource);

} // namespace stratum::founder::api
