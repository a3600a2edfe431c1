#include "founder/states.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace stratum::founder {
namespace {

using S = JoinState;
using E = JoinEvent;

constexpr std::array kStates = {
    // state, name, resume, holds_key, holds_place, is_running, is_terminal
    StateInfo{S::kNeedsUpgrade, "needs-upgrade", Resume::kWaitsForJoiner, true, false, false,
              false},
    StateInfo{S::kPending, "pending", Resume::kWaitsForPerson, true, false, false, false},
    StateInfo{S::kApproved, "approved", Resume::kWaitsInQueue, true, true, false, false},
    StateInfo{S::kDelivering, "delivering", Resume::kWaitsForJoiner, true, true, true, false},
    StateInfo{S::kInstalling, "installing", Resume::kWaitsForJoiner, true, true, true, false},
    StateInfo{S::kJoined, "joined", Resume::kOver, true, true, false, true},
    StateInfo{S::kFailed, "failed", Resume::kWaitsForPerson, true, true, false, false},
    StateInfo{S::kRejected, "rejected", Resume::kOver, false, false, false, true},
    StateInfo{S::kExpired, "expired", Resume::kOver, false, false, false, true},
};

constexpr std::array kArrows = {
    Arrow{std::nullopt, E::kRegistered, S::kPending},
    Arrow{std::nullopt, E::kRegisteredOld, S::kNeedsUpgrade},

    Arrow{S::kNeedsUpgrade, E::kUpgraded, S::kPending},
    Arrow{S::kNeedsUpgrade, E::kRejectedBy, S::kRejected},
    Arrow{S::kNeedsUpgrade, E::kPairingEnded, S::kRejected},
    Arrow{S::kNeedsUpgrade, E::kTimeUp, S::kExpired},

    Arrow{S::kPending, E::kRegisteredOld, S::kNeedsUpgrade},
    Arrow{S::kPending, E::kApprovedBy, S::kApproved},
    Arrow{S::kPending, E::kRejectedBy, S::kRejected},
    Arrow{S::kPending, E::kPairingEnded, S::kRejected},
    Arrow{S::kPending, E::kTimeUp, S::kExpired},

    Arrow{S::kApproved, E::kApprovedBy, S::kApproved},
    Arrow{S::kApproved, E::kStarted, S::kDelivering},
    Arrow{S::kApproved, E::kRejectedBy, S::kRejected},

    Arrow{S::kDelivering, E::kReported, S::kInstalling},
    Arrow{S::kDelivering, E::kBroke, S::kFailed},
    Arrow{S::kDelivering, E::kForcedOut, S::kRejected},

    Arrow{S::kInstalling, E::kSucceeded, S::kJoined},
    Arrow{S::kInstalling, E::kBroke, S::kFailed},
    Arrow{S::kInstalling, E::kForcedOut, S::kRejected},

    // The node's key, name, addresses and place are free again; the machine may join anew.
    Arrow{S::kJoined, E::kLeft, S::kRejected},

    Arrow{S::kFailed, E::kRetriedBy, S::kApproved},
    Arrow{S::kFailed, E::kRejectedBy, S::kRejected},
};

} // namespace

std::span<const Arrow> arrows() {
    return kArrows;
}

std::span<const StateInfo> states() {
    return kStates;
}

const StateInfo& info_of(JoinState state) {
    return kStates.at(static_cast<std::size_t>(state));
}

std::string_view state_name(JoinState state) {
    return info_of(state).name;
}

std::optional<JoinState> parse_state(std::string_view name) {
    const auto found = std::find_if(kStates.begin(), kStates.end(),
                                    [&](const StateInfo& info) { return info.name == name; });
    if (found == kStates.end()) return std::nullopt;
    return found->state;
}

std::optional<JoinState> next_state(std::optional<JoinState> from, JoinEvent event) {
    const auto found = std::find_if(kArrows.begin(), kArrows.end(), [&](const Arrow& arrow) {
        return arrow.from == from && arrow.event == event;
    });
    if (found == kArrows.end()) return std::nullopt;
    return found->to;
}

} // namespace stratum::founder
