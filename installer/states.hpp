// Where a machine stands on its way into a cluster: the states, the arrows between them, and where
// each one goes on after a restart. The table is the whole truth; `next_state` reads it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace stratum::installer {

enum class JoinerState {
    kNeedsCode,    // a person (or the boot medium) must give a join code
    kConnecting,   // has a code, looks for the founder and its key
    kRegistering,  // nonce and commitment are stored, asks to be registered
    kRevealing,    // the founder has proved the code, the tuple is stored, reveals the nonce
    kWaiting,      // both sides show the pairing code; a person compares and approves
    kNeedsUpgrade, // on an older release than the cluster's
    kQueued,       // approved, waits for its turn
    kFetching,     // gets node.yaml and the bundle
    kInstalling,   // works through its steps, and reports the result until it is acknowledged
    kFailed,       // a step failed; a person retries or rejects
    kJoined,       // a member
    kEnded,        // rejected or expired; a person may start again
    kStopped,      // something that only a person can put right; a key press starts again
};
inline constexpr int kJoinStateCount = 13;

enum class JoinerEvent {
    kCodeGiven,
    kFounderFound,   // its key is known
    kCodeRefused,    // by the founder, or the founder did not prove that it knows the code
    kRegistered,     // the founder's proof holds
    kKnownAgain,     // came back without a code; the founder gave the same tuple
    kRevealed,       // the founder took the nonce
    kPairAgain,      // the run of pairing ended through nobody's fault: a fresh one
    kPairingLost,    // the reveal came too late: the code's use is gone
    kRefused,        // a person must look
    kReleaseChanged, // this program is newer than the one that registered
    kSeenPending,    // kSeen…: the state the founder says the join has
    kSeenUpgrade,
    kSeenApproved,
    kSeenDelivering,
    kSeenFailed,
    kSeenJoined,
    kSeenEnded,
    kDelivered,  // node.yaml and the bundle are here and are what the founder said
    kStepFailed, // and the founder knows
    kAllDone,    // and the founder knows
    kStartAgain, // somebody pressed a key, or there is a code that was not tried yet
};

struct Arrow {
    JoinerState from;
    JoinerEvent event;
    JoinerState to;
};

// What is the same for a state wherever it is entered from.
struct StateRow {
    JoinerState state;
    std::string_view name;     // as stored and logged: "needs-code"
    std::string_view headline; // what the console says: "Waiting for approval"
    JoinerState resumes_at;    // after a restart of the program
    bool is_final = false;     // no way out: the joiner's work is over
};

std::span<const Arrow> join_arrows();
std::span<const StateRow> join_states(); // in the order of the enum
const StateRow& row_of(JoinerState state);
std::optional<JoinerState> join_state_named(std::string_view name);
// Nothing where the table has no such arrow: the event does not concern this state.
std::optional<JoinerState> next_state(JoinerState from, JoinerEvent event);
// The event for a join's state as the founder says it ("pending", "approved", …); nothing for a
// word that we do not know.
std::optional<JoinerEvent> event_of_view(std::string_view founder_state);

} // namespace stratum::installer
