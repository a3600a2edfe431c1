// The phases of an installation: a list on one screen (phases.cpp), each a named step with a title
// and one function that can be run again at any time. A phase is handed facts and seams; it applies
// what node.yaml orders and nothing else, reads the result back, and has no defaults.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/processes.hpp"
#include "common/config/node_config.hpp"
#include "common/facts/inventory.hpp"
#include "installer/journal.hpp"
#include "installer/phases/block_devices.hpp"

namespace stratum::installer {

struct PhaseContext {
    const config::NodeConfig& node;
    const std::string& node_yaml;  // the text as delivered
    const std::string& bundle_tar; // the bundle as delivered (tar, not compressed); may be empty
    std::string root = "/";        // target root; other than "/": render only, nothing is applied
    std::string state_folder;      // the joiner's own: staging, bundle files
    Files& files;
    Processes& processes;
    Clock& clock;
    Journal& journal;
    BlockDevices* blocks = &system_block_devices(); // never null
    // A fresh look at this machine's hardware (app gives discovery; the installer does not know
    // it).
    std::function<Result<facts::Inventory>()> look;
    // Is the founder reachable now, over the network as it is (a pinned call that answers).
    std::function<bool()> founder_reachable;
    // Waits, or returns early (false) when the program is asked to stop.
    std::function<bool(std::int64_t ms)> sleep_ms;
    // Progress of the running step: percent (or −1), a line for the log.
    std::function<void(int percent)> percent;
    std::function<void(const std::string& line)> log;

    [[nodiscard]] bool render_only() const { return root != "/"; }
};

struct Phase {
    std::string_view name;  // verify, identity, network, time, storage, finish
    std::string_view title; // for a person: "Checking what was delivered"
    Status (*run)(PhaseContext& context);
};

// verify, identity, network, time, storage — in this order; the join steps follow, then finish().
const std::vector<Phase>& phases_before_join();
const std::vector<Phase>& phases_after_join();

// One step of the bundle, as bundle.json says it.
struct JoinStep {
    std::string name; // without "join/"
    std::string title;
    std::vector<std::string> argv;
    std::int64_t timeout_ms = 600'000;
};
// The bundle's steps in order; kInvalid for a bundle that is not one. An empty bundle has none.
// Unpacks its files under state_folder/bundle-<sha256> (atomic; secrets 0600).
Result<std::vector<JoinStep>> open_bundle(PhaseContext& context);
Status run_join_step(PhaseContext& context, const JoinStep& step);
// Removes everything that was ever unpacked in this state folder: it may hold secrets, and no step
// needs it once the machine has joined.
Status forget_unpacked(Files& files, const std::string& state_folder);

} // namespace stratum::installer
