// A machine that joins: files, clock, founder, console and phases, all fakes with state. One `run`
// is one run of the program; the files stay, as on a disk.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/config/node_config.hpp"
#include "installer/join.hpp"
#include "installer/journal.hpp"
#include "installer/record.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/fake_founder.hpp"
#include "tests/fakes/fake_processes.hpp"

namespace stratum::fakes {

class JoinWorld {
public:
    JoinWorld();
    ~JoinWorld();
    JoinWorld(const JoinWorld&) = delete;
    JoinWorld& operator=(const JoinWorld&) = delete;

    // Runs until joined, or until `stop_when` holds for what is shown, or the time is up (an hour).
    Result<installer::JoinOutcome> run();
    // The same with a background that ticks at each publishing instead of reports from callbacks.
    Result<installer::JoinOutcome> run_with_background();
    installer::JoinerRecord record() const;
    const installer::JoinProgress& shown() const { return history.back(); }
    bool was_shown(installer::JoinerState state) const;
    // The founder approves what waits and delivers what is approved, by itself, at each poll.
    void founder_goes_on();

    FakeClock clock; // the true time, and the founder's
    // The machine's own: it may be wrong by some seconds.
    struct MachineClock final : Clock {
        explicit MachineClock(const FakeClock& its_truth) : truth(its_truth) {}
        [[nodiscard]] std::int64_t unix_seconds() const override {
            return truth.unix_seconds() + wrong_by_s;
        }
        [[nodiscard]] std::int64_t steady_ms() const override { return truth.steady_ms(); }
        const FakeClock& truth;
        std::int64_t wrong_by_s = 0;
    };
    MachineClock machine_clock{clock};
    FakeFiles files;
    FakeFounder founder{clock};
    FakeProcesses processes;
    facts::Inventory inventory;
    int looks = 0; // how often it was looked at
    std::function<bool()> hardware_changed;
    installer::JoinOptions options;
    std::function<bool(const installer::JoinProgress&)> stop_when;
    std::deque<std::string> typed;             // one for each time that something is asked
    std::deque<std::string> lines_at_any_time; // one for each wait, asked for or not
    std::function<void()> before_wait;
    std::vector<installer::JoinProgress> history;
    std::vector<std::string> log;
    std::vector<std::int64_t> clocks_set;
    bool clock_can_be_set = true;
    int most_waits = 4000;
    config::NodeConfig node; // what the founder renders, less join and founder
    std::function<void(config::NodeConfig&)> spoil_node;
    std::vector<installer::JoinStep> bundle_steps;
    std::optional<Error> bundle_fault;

private:
    installer::JoinSeams make_seams();
    installer::Waited wait(std::int64_t wait_ms);
    std::function<void()> tick_; // of the background, while there is one
    bool stops_ = false;
    int waits_ = 0;
    std::int64_t until_ms_ = 0;
};

// What the fake phases did, and what they should do next. Phases are plain functions: one of these
// at a time, set up by JoinWorld's constructor.
struct PhaseScript {
    std::vector<std::string> runs;              // names, in order, finished or not
    std::map<std::string, std::string> failing; // name → error
    std::map<std::string, std::function<Status(installer::PhaseContext&)>> acts;
    static PhaseScript& now();
};

} // namespace stratum::fakes
