// The states of a join, as one table of arrows. Nothing else decides what may follow what: `enter`
// (lifecycle.hpp) asks this table, and the tests walk it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace stratum::founder {

enum class JoinState {
    kNeedsUpgrade, // on an older release, upgrades itself before it can be approved
    kPending,      // registered; offered for approval once its reveal has come and holds
    kApproved,     // queued
    kDelivering,   // its member row is written, node.yaml and bundle are ready for it
    kInstalling,   // it has reported progress
    kJoined,
    kFailed, // holds its name, addresses and place until it is retried or rejected
    kRejected,
    kExpired,
};

enum class JoinEvent {
    kRegistered,    // made, on the cluster's release
    kRegisteredOld, // made, or came back, on an older release that may upgrade
    kUpgraded,      // came back on the cluster's release
    kApprovedBy,    // a person approved, for the first time or again
    kStarted,       // the queue let it run
    kReported,      // its first progress
    kSucceeded,     // it reported "joined"
    kBroke,         // it reported "failed"
    kRetriedBy,     // a person had it queued again
    kRejectedBy,    // a person rejected it
    kForcedOut,     // a person rejected a stalled run with force
    kPairingEnded,  // its reveal failed, never came, or another run of the same key began
    kTimeUp,        // 24 hours after its code's expiry nobody had approved it
    kLeft,          // its node was removed from the cluster
};

// What a founder that has just started does with a join it finds in a state.
enum class Resume {
    kWaitsForPerson, // nothing runs: a person or the clock moves it on
    kWaitsInQueue,   // the queue looks at it again
    kWaitsForJoiner, // the joiner goes on by itself and reports
    kOver,           // nothing follows, but that a member can be removed
};

struct Arrow {
    std::optional<JoinState> from; // absent: there is no join yet
    JoinEvent event;
    JoinState to;
};

struct StateInfo {
    JoinState state;
    std::string_view name; // as the API writes it
    Resume resume;
    bool holds_key;   // its client key finds this join; nobody else may have it
    bool holds_place; // its name, addresses and disks are taken
    bool is_running;  // delivering, installing: nothing else may run
    bool is_terminal;
};

std::span<const Arrow> arrows();
std::span<const StateInfo> states();

const StateInfo& info_of(JoinState state);
std::string_view state_name(JoinState state);
std::optional<JoinState> parse_state(std::string_view name);

// Where the event leads; nothing where the table has no such arrow.
std::optional<JoinState> next_state(std::optional<JoinState> from, JoinEvent event);

} // namespace stratum::founder
