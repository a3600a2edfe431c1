#include "installer/states.hpp"

#include <utility>

namespace stratum::installer {
namespace {

using State = JoinerState;
using Event = JoinerEvent;

constexpr std::array<StateRow, kJoinStateCount> kStates{{
    {State::kNeedsCode, "needs-code", "A join code is needed", State::kNeedsCode},
    {State::kConnecting, "connecting", "Looking for the founder", State::kConnecting},
    {State::kRegistering, "registering", "Registering with the founder", State::kRegistering},
    {State::kRevealing, "revealing", "Working out the pairing code", State::kRevealing},
    {State::kWaiting, "waiting", "Waiting for approval", State::kWaiting},
    {State::kNeedsUpgrade, "needs-upgrade", "An upgrade is needed first", State::kNeedsUpgrade},
    {State::kQueued, "queued", "Approved, waiting for its turn", State::kQueued},
    {State::kFetching, "fetching", "Fetching what this machine is to become", State::kFetching},
    {State::kInstalling, "installing", "Installing", State::kInstalling},
    {State::kFailed, "failed", "The installation failed", State::kFailed},
    {State::kJoined, "joined", "This machine is a member", State::kJoined, true},
    {State::kEnded, "ended", "This join has ended", State::kEnded},
    {State::kStopped, "stopped", "Stopped: somebody must look", State::kStopped},
}};

constexpr Arrow kArrows[] = {
    {State::kNeedsCode, Event::kCodeGiven, State::kConnecting},

    {State::kConnecting, Event::kFounderFound, State::kRegistering},
    {State::kConnecting, Event::kCodeGiven, State::kConnecting},
    {State::kConnecting, Event::kStartAgain, State::kNeedsCode},

    {State::kRegistering, Event::kRegistered, State::kRevealing},
    {State::kRegistering, Event::kKnownAgain, State::kWaiting},
    {State::kRegistering, Event::kCodeRefused, State::kNeedsCode},
    {State::kRegistering, Event::kRefused, State::kStopped},
    {State::kRegistering, Event::kCodeGiven, State::kConnecting},
    {State::kRegistering, Event::kStartAgain, State::kNeedsCode},

    {State::kRevealing, Event::kRevealed, State::kWaiting},
    {State::kRevealing, Event::kPairAgain, State::kRegistering},
    {State::kRevealing, Event::kPairingLost, State::kNeedsCode},
    {State::kRevealing, Event::kRefused, State::kStopped},

    {State::kWaiting, Event::kSeenPending, State::kWaiting},
    {State::kWaiting, Event::kSeenUpgrade, State::kNeedsUpgrade},
    {State::kWaiting, Event::kSeenApproved, State::kQueued},
    {State::kWaiting, Event::kSeenDelivering, State::kFetching},
    {State::kWaiting, Event::kSeenFailed, State::kFailed},
    {State::kWaiting, Event::kSeenEnded, State::kEnded},
    {State::kWaiting, Event::kReleaseChanged, State::kRegistering},
    {State::kWaiting, Event::kRefused, State::kStopped},
    {State::kWaiting, Event::kCodeGiven, State::kConnecting},

    {State::kNeedsUpgrade, Event::kSeenUpgrade, State::kNeedsUpgrade},
    {State::kNeedsUpgrade, Event::kSeenPending, State::kWaiting},
    {State::kNeedsUpgrade, Event::kSeenApproved, State::kQueued},
    {State::kNeedsUpgrade, Event::kSeenEnded, State::kEnded},
    {State::kNeedsUpgrade, Event::kReleaseChanged, State::kRegistering},
    {State::kNeedsUpgrade, Event::kRefused, State::kStopped},
    {State::kNeedsUpgrade, Event::kCodeGiven, State::kConnecting},

    {State::kQueued, Event::kSeenApproved, State::kQueued},
    {State::kQueued, Event::kSeenDelivering, State::kFetching},
    {State::kQueued, Event::kSeenFailed, State::kFailed},
    {State::kQueued, Event::kSeenEnded, State::kEnded},
    {State::kQueued, Event::kRefused, State::kStopped},
    {State::kQueued, Event::kCodeGiven, State::kConnecting},

    {State::kFetching, Event::kDelivered, State::kInstalling},
    {State::kFetching, Event::kSeenDelivering, State::kFetching},
    {State::kFetching, Event::kSeenApproved, State::kQueued},
    {State::kFetching, Event::kStepFailed, State::kFailed},
    {State::kFetching, Event::kSeenFailed, State::kFailed},
    {State::kFetching, Event::kSeenEnded, State::kEnded},
    {State::kFetching, Event::kRefused, State::kStopped},

    {State::kInstalling, Event::kAllDone, State::kJoined},
    {State::kInstalling, Event::kSeenJoined, State::kJoined},
    {State::kInstalling, Event::kStepFailed, State::kFailed},
    {State::kInstalling, Event::kSeenFailed, State::kFailed},
    {State::kInstalling, Event::kSeenApproved, State::kQueued},
    {State::kInstalling, Event::kSeenDelivering, State::kFetching},
    {State::kInstalling, Event::kSeenEnded, State::kEnded},
    {State::kInstalling, Event::kRefused, State::kStopped},

    {State::kFailed, Event::kSeenFailed, State::kFailed},
    {State::kFailed, Event::kSeenApproved, State::kQueued},
    {State::kFailed, Event::kSeenDelivering, State::kFetching},
    {State::kFailed, Event::kSeenEnded, State::kEnded},
    {State::kFailed, Event::kRefused, State::kStopped},
    {State::kFailed, Event::kCodeGiven, State::kConnecting},

    {State::kEnded, Event::kStartAgain, State::kNeedsCode},
    {State::kStopped, Event::kStartAgain, State::kNeedsCode},
};

constexpr std::pair<std::string_view, Event> kViewEvents[] = {
    {"pending", Event::kSeenPending},       {"needs-upgrade", Event::kSeenUpgrade},
    {"approved", Event::kSeenApproved},     {"delivering", Event::kSeenDelivering},
    {"installing", Event::kSeenDelivering}, // the same to us: it has begun
    {"failed", Event::kSeenFailed},         {"joined", Event::kSeenJoined},
    {"rejected", Event::kSeenEnded},        {"expired", Event::kSeenEnded},
};

} // namespace

std::span<const Arrow> join_arrows() {
    return kArrows;
}

std::span<const StateRow> join_states() {
    return kStates;
}

const StateRow& row_of(JoinerState state) {
    return kStates.at(static_cast<std::size_t>(state));
}

std::optional<JoinerState> join_state_named(std::string_view name) {
    for (const StateRow& row : kStates) {
        if (row.name == name) return row.state;
    }
    return std::nullopt;
}

std::optional<JoinerState> next_state(JoinerState from, JoinerEvent event) {
    for (const Arrow& arrow : kArrows) {
        if (arrow.from == from && arrow.event == event) return arrow.to;
    }
    return std::nullopt;
}

std::optional<JoinerEvent> event_of_view(std::string_view founder_state) {
    for (const auto& [name, event] : kViewEvents) {
        if (name == founder_state) return event;
    }
    return std::nullopt;
}

} // namespace stratum::installer
