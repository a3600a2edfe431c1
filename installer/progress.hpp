// What the joiner has to show at this moment: one value, published whole at every change. It holds
// nothing secret, and the pairing code in it was worked out on this machine, never received.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "common/link/messages.hpp"
#include "installer/states.hpp"

namespace stratum::installer {

struct RetryNotice {
    std::string reason; // "10.0.0.1:8444 does not answer: connection refused"
    std::int64_t seconds_left = 0;
    int count = 0; // tries so far that ended so
    friend bool operator==(const RetryNotice&, const RetryNotice&) = default;
};

struct JoinProgress {
    JoinerState state = JoinerState::kNeedsCode;
    std::string release;              // this program's
    std::vector<std::string> machine; // a few short lines: what this machine is
    std::vector<std::string> notes;   // what people must know of this machine, a sentence each
    std::string founder;              // HOST:PORT in use; empty: not known yet
    std::string founder_key;          // its fingerprint, 64 hex digits; empty: not known yet
    std::string pairing_code;         // XXX-XXX; empty while there is none
    std::string message;              // what is going on, what it waits for
    std::string next_step;            // what a person should do now; empty: nothing
    std::string error;                // what went wrong; empty: nothing
    std::optional<RetryNotice> retry; // there while it waits to try again
    std::string prompt;               // what is asked on the console; empty: nothing is read
    std::string join_id, node_id, name;
    int attempt = 0;
    std::vector<link::Step> steps; // of the installation, in order, each with a title
    std::vector<std::string> log;  // the last lines, oldest first; at most kLogTail
    friend bool operator==(const JoinProgress&, const JoinProgress&) = default;
};
inline constexpr std::size_t kLogTail = 100;

// "Dell PowerEdge R650 · serial 7XK2M · 2 × …", the disks and NICs in a line each kind; ASCII only.
std::vector<std::string> summary_of(const facts::Inventory& inventory);

} // namespace stratum::installer
