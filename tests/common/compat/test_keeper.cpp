#include "common/compat/keeper.hpp"

#include <atomic>

#include "tests/common/compat/pins_text.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

// A machine whose programs answer with the number of times they were asked.
class CountingProcesses final : public Processes {
public:
    Result<Finished> run(const Command& command) override {
        Finished finished;
        finished.exit_code = 0;
        finished.out = command.argv.front() + " 25.03." + std::to_string(++asked) + "\n";
        return finished;
    }
    std::atomic<int> asked{0};
};

} // namespace

TEST_GROUP(CompatKeeper) {
    CountingProcesses processes;

    Pins pins() {
        Findings findings;
        Pins all =
            *read_pins(kPinsText, "version: 1\ncomponents: [{id: ceph, drop: true}]\n", findings);
        return all;
    }
    static std::string controller(const Held& held) {
        return held.report.components[2].detected.value_or("none");
    }
};

TEST(CompatKeeper, AnswersFromMemory) {
    Keeper keeper(pins(), {processes, system_clock(), "0.6.0"});
    STRCMP_EQUAL("25.03.1", controller(keeper.latest()).c_str());
    STRCMP_EQUAL("25.03.1", controller(keeper.latest()).c_str());
    LONGS_EQUAL(1, processes.asked.load());
    CHECK_TRUE(keeper.latest().probed_at > 0);
}

TEST(CompatKeeper, ARefreshLooksAnew) {
    Keeper keeper(pins(), {processes, system_clock(), "0.6.0"});
    keeper.latest();
    STRCMP_EQUAL("25.03.2", controller(keeper.refresh()).c_str());
    STRCMP_EQUAL("25.03.2", controller(keeper.latest()).c_str());
}

TEST(CompatKeeper, WhoMustNotWaitHasNothingBeforeTheFirstLookHasEnded) {
    class Hanging final : public Processes {
    public:
        Result<Finished> run(const Command&) override {
            while (!may_end.load()) std::this_thread::yield();
            return fail(ErrorCode::kNotFound, "no such program");
        }
        std::atomic<bool> may_end{false};
    } programs;
    Keeper keeper(pins(), {programs, system_clock(), "0.6.0"});
    CHECK_FALSE(keeper.seen().has_value());
    programs.may_end = true;
    const auto latest = keeper.latest();
    CHECK_TRUE(keeper.seen()->report == latest.report);
    LONGS_EQUAL(latest.probed_at, keeper.seen()->probed_at);
}

TEST(CompatKeeper, LooksAgainWhenItsPeriodIsOver) {
    Keeper keeper(pins(), {processes, system_clock(), "0.6.0", 5});
    keeper.latest();
    while (processes.asked.load() < 3) std::this_thread::yield();
    CHECK_TRUE(controller(keeper.latest()) != "25.03.1");
}
