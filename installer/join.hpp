// `firstboot join`: from a machine nobody knows to a member, across restarts and power cuts. Runs
// in the caller's thread until the machine is joined or the program is asked to stop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/processes.hpp"
#include "common/link/http_client.hpp"
#include "installer/find_code.hpp"
#include "installer/phases/phase.hpp"
#include "installer/progress.hpp"

namespace stratum::installer {

struct JoinOptions {
    std::string state_folder; // must exist or be makeable; key, session, journal, deliveries
    std::string root = "/";   // the phases' target root
    std::string release;      // this program's version
    bool self_upgrade = false;
    CodeSources code;
    // What people must know of this machine (state_note.hpp): on its console, and for the founder
    // in the inventory's warnings and the log of each attempt.
    std::vector<std::string> notes;
};

// What came first while waiting.
struct Waited {
    bool stop = false;               // the program should end
    std::optional<std::string> line; // a line was typed (may be empty: just Enter)
};

// Runs `tick` again and again beside the caller until it is destroyed; the destructor waits for a
// running tick to end.
class Background {
public:
    virtual ~Background() = default;
};

// What the phases are; the real list by default.
struct InstallSteps {
    std::vector<Phase> before_join = phases_before_join();
    std::vector<Phase> after_join = phases_after_join();
    std::function<Result<std::vector<JoinStep>>(PhaseContext&)> open_bundle =
        installer::open_bundle;
    std::function<Status(PhaseContext&, const JoinStep&)> run_join_step = installer::run_join_step;
};

// The world. With a background, `make_client`, `clock`, `look` and `ask_key` are also called from
// threads of ours, one of them at a time each; everything else from the thread of run_join alone.
// The references must outlive run_join.
struct JoinSeams {
    Files& files;
    Processes& processes;
    Clock& clock;
    std::function<Result<std::unique_ptr<link::HttpClient>>(const link::ClientOptions&)>
        make_client;
    std::function<Result<link::Fingerprint>(const HostPort&)> ask_key;
    // This machine's hardware now. `founder_host` is the address that is being used (may be empty):
    // the inventory's founder_interface is the NIC towards it.
    std::function<Result<facts::Inventory>(const std::string& founder_host)> look;
    // Something of the hardware may have changed since this was last asked. Never waits. Not set:
    // the hardware is looked at once a minute and not sooner.
    std::function<bool()> hardware_changed = {};
    // Waits up to `wait_ms` for a typed line. With no console it just sleeps.
    std::function<Waited(std::int64_t wait_ms)> wait;
    std::function<bool()> stopping;
    std::function<void(const JoinProgress&)> publish;
    // One line of what happened, for the program's log (journald). Never holds a secret.
    std::function<void(const std::string& line)> log;
    // The founder's time differs from ours by more than the tolerance: set the machine's clock (or
    // an offset). Not set: nothing is done about it.
    std::function<Status(std::int64_t unix_seconds)> set_clock;
    // A number below `below`, for jitter.
    std::function<std::uint32_t(std::uint32_t below)> random_below;
    // Not set: reports are sent between steps and, at most once a second, from their callbacks.
    std::function<std::unique_ptr<Background>(std::function<void()> tick, std::int64_t period_ms)>
        start_background;
    InstallSteps steps;
};

enum class JoinOutcome { kJoined, kStopped };

// kJoined: at once where this state folder joined earlier. An error only where the state folder
// cannot be used at all (client key unreadable, disk full): nothing was sent then.
Result<JoinOutcome> run_join(const JoinOptions& options, JoinSeams& seams);

// The real background: a thread.
std::unique_ptr<Background> start_thread(std::function<void()> tick, std::int64_t period_ms);

} // namespace stratum::installer
