#include <algorithm>
#include <array>

#include "founder/api/route.hpp"

namespace stratum::founder::api {
namespace {

constexpr std::array kActions = {
    ActionSpec{"ha:ApproveNodeJoin", "join"},
    ActionSpec{"ha:CreateJoinCode", "cluster"},
    ActionSpec{"ha:GetCluster", "cluster"},
    ActionSpec{"ha:GetMetrics", "cluster"},
    ActionSpec{"ha:GetNodeJoin", "join"},
    ActionSpec{"ha:GetNodeYaml", "join"},
    ActionSpec{"ha:LiftRegistrationPause", "cluster"},
    ActionSpec{"ha:ListJoinCodes", "cluster"},
    ActionSpec{"ha:ListMembers", "cluster"},
    ActionSpec{"ha:ListNetworks", "cluster"},
    ActionSpec{"ha:ListNodeJoins", "cluster"},
    ActionSpec{"ha:RejectNodeJoin", "join"},
    ActionSpec{"ha:RemoveMember", "member"},
    ActionSpec{"ha:RetryNodeJoin", "join"},
    ActionSpec{"ha:RevokeJoinCode", "join-code"},
    ActionSpec{"iam:CreateToken", "cluster"},
    ActionSpec{"iam:ListAudit", "cluster"},
    ActionSpec{"iam:ListTokens", "cluster"},
    ActionSpec{"iam:RevokeToken", "token"},
    ActionSpec{"substrate:GetCompatibility", "cluster"},
};

} // namespace

std::span<const ActionSpec> actions() {
    return kActions;
}

const ActionSpec* find_action(std::string_view name) {
    const auto at = std::find_if(kActions.begin(), kActions.end(),
                                 [&](const ActionSpec& one) { return one.name == name; });
    return at == kActions.end() ? nullptr : &*at;
}

} // namespace stratum::founder::api
