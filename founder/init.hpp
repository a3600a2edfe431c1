// Makes a founder out of a node.yaml: the store, the TLS key, the first token and the first
// member's row. Killed at any instant it can be run again: the store gets its name last.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/findings.hpp"
#include "common/base/net.hpp"
#include "common/link/fingerprint.hpp"
#include "founder/store/store.hpp"

namespace stratum::founder {

struct MadeFounder {
    std::string token;                  // the bootstrap-admin's; printed once, never stored
    std::string fingerprint;            // of the TLS key, hex
    std::vector<std::string> advertise; // HOST:PORT
};

struct InitOptions {
    std::vector<HostPort> advertise; // empty: the node's mgmt address, the join listener's port
    std::string inventory_json;      // the founder's own, or another machine's; empty: none
    std::uint16_t join_port = 8444;  // shown in `advertise` where none was given
    // Called with the result just before it becomes valid, so that a token that could not be shown
    // is never the only one. An error ends init; nothing is left but what the next run clears.
    std::function<Status(const MadeFounder&)> announce;
};

// Why init refused: `findings` of the file, or one sentence.
struct InitRefusal {
    Findings findings;
    std::string message;
};

// The state folder is made where it is not there (0700). A folder that already holds a founder is
// refused, and two inits at once never both succeed.
tl::expected<MadeFounder, InitRefusal> make_founder(const std::string& state_dir,
                                                    const std::string& config_text,
                                                    const InitOptions& options);

// What init writes into an empty store, in one transaction. Shared with tests and other stores.
struct FounderSeed {
    std::string config_text;
    std::vector<HostPort> advertise;
    std::string inventory_json;
    std::int64_t now = 0;
};
struct SeedResult {
    std::string token;
    std::string mgmt_host;
};
tl::expected<SeedResult, InitRefusal> seed_store(Store& store, const FounderSeed& seed);

} // namespace stratum::founder
