// Killed at any instant and run again: at every state of the table, at every write, at every
// request.
#include <algorithm>
#include <map>

#include "common/base/text.hpp"
#include "tests/installer/join_world.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;
using fakes::JoinWorld;
using fakes::PhaseScript;

namespace {

// How a machine comes to be in a state, and what takes it on from there.
struct Way {
    void (*before)(JoinWorld&);
    void (*then)(JoinWorld&);
};

void nothing(JoinWorld&) {}
void no_code(JoinWorld& world) {
    world.options.code = {};
}
void give_code(JoinWorld& world) {
    world.typed = {world.founder.uri(world.founder.make_code())};
}
void press_key(JoinWorld& world) {
    world.typed = {""};
}
void old_release(JoinWorld& world) {
    world.options.self_upgrade = true;
    world.options.release = "0.9.0";
}
void new_release(JoinWorld& world) {
    world.options.release = "1.0.0";
}
void failing(JoinWorld&) {
    PhaseScript::now().failing["network"] = "no";
}
void mended(JoinWorld& world) {
    PhaseScript::now().failing.clear();
    world.founder.retry();
}
void rejecting(JoinWorld& world) {
    world.founder.before = [&world](const std::string& method, const std::string& path) {
        if (method != "GET" || path.find("wait=") == std::string::npos) return;
        if (world.founder.join().state == "pending") world.founder.set_state("rejected");
    };
}
void approving(JoinWorld& world) {
    world.founder_goes_on();
    press_key(world);
}
void cloned(JoinWorld& world) {
    world.founder.refuse_reveal = "JOIN_KEY_IN_USE";
}
void not_cloned(JoinWorld& world) {
    world.founder.refuse_reveal.clear();
    press_key(world);
}

// A state without its row fails the test.
const std::map<JoinerState, Way> kWays = {
    {JoinerState::kNeedsCode, {no_code, give_code}},
    {JoinerState::kConnecting, {nothing, nothing}},
    {JoinerState::kRegistering, {nothing, nothing}},
    {JoinerState::kRevealing, {nothing, nothing}},
    {JoinerState::kWaiting, {nothing, nothing}},
    {JoinerState::kNeedsUpgrade, {old_release, new_release}},
    {JoinerState::kQueued, {nothing, nothing}},
    {JoinerState::kFetching, {nothing, nothing}},
    {JoinerState::kInstalling, {nothing, nothing}},
    {JoinerState::kFailed, {failing, mended}},
    {JoinerState::kJoined, {nothing, nothing}},
    {JoinerState::kEnded, {rejecting, approving}},
    {JoinerState::kStopped, {cloned, not_cloned}},
};

void start(JoinWorld& world) {
    world.options.code.argument = world.founder.uri(world.founder.make_code(3));
    world.founder_goes_on();
}

// Whatever happened: the founder has one living join, its log has no gap, no step ran after finish.
void check_joined(JoinWorld& world) {
    const auto living = std::ranges::count_if(world.founder.joins, [](const auto& join) {
        return join.state != "rejected" && join.state != "expired";
    });
    LONGS_EQUAL(1, living);
    const fakes::FakeJoin& join = world.founder.join();
    STRCMP_EQUAL("joined", join.state.c_str());
    for (std::size_t at = 0; at < join.log.size(); ++at) LONGS_EQUAL(at + 1, join.log[at].seq);
    STRCMP_EQUAL("finish", PhaseScript::now().runs.back().c_str());
    const bool all_done = std::ranges::all_of(
        join.steps, [](const link::Step& step) { return step.status == link::StepStatus::kDone; });
    CHECK(all_done);
    LONGS_EQUAL(3, join.steps.size());
}

// True where the program ended by itself, false where it was killed.
bool run_survives(JoinWorld& world) {
    try {
        CHECK(world.run().value() == JoinOutcome::kJoined);
        return true;
    } catch (const fakes::Crash&) {
        return false;
    }
}

} // namespace

TEST_GROUP(Restart){};

TEST(Restart, AtEveryStateOfTheTable) {
    for (const StateRow& row : join_states()) {
        const auto way = kWays.find(row.state);
        CHECK(way != kWays.end());
        JoinWorld world;
        start(world);
        way->second.before(world);
        world.stop_when = [&](const JoinProgress& shown) { return shown.state == row.state; };
        (void)world.run();
        CHECK(world.was_shown(row.state));
        CHECK(world.record().state == row.state);
        way->second.then(world);
        world.stop_when = {};
        CHECK(world.run().value() == JoinOutcome::kJoined);
        check_joined(world);
    }
}

TEST(Restart, KilledBeforeOrAfterAnyWrite) {
    int writes = 0;
    for (const bool before : {true, false}) {
        for (int at = 1; at < 200; ++at) {
            JoinWorld world;
            start(world);
            if (before) world.files.crash_before_change(at);
            if (!before) world.files.crash_after_change(at);
            const bool survived = run_survives(world);
            if (!survived) CHECK(world.run().value() == JoinOutcome::kJoined);
            check_joined(world);
            LONGS_EQUAL(1, world.founder.joins.size());
            if (survived) break;
            writes = at;
        }
    }
    CHECK(writes > 15);
    CHECK(writes < 199);
}

TEST(Restart, KilledBeforeOrAfterAnyRequest) {
    int requests = 0;
    for (const bool before : {true, false}) {
        for (int at = 1; at < 200; ++at) {
            JoinWorld world;
            start(world);
            int left = at;
            const auto go_on = world.founder.before;
            const auto cut = [&left] {
                if (--left == 0) throw fakes::Crash{};
            };
            world.founder.before = [&](const std::string& method, const std::string& path) {
                if (before) cut();
                go_on(method, path);
            };
            if (!before) {
                world.founder.after = [&](const std::string&, const std::string&) { cut(); };
            }
            const bool survived = run_survives(world);
            if (!survived) CHECK(world.run().value() == JoinOutcome::kJoined);
            check_joined(world);
            LONGS_EQUAL(1, world.founder.joins.size());
            if (survived) break;
            requests = at;
        }
    }
    CHECK(requests > 8);
    CHECK(requests < 199);
}

TEST(Restart, KilledInAnyStepItIsRunAgainAndThoseBeforeAreNot) {
    for (const std::string name : {"verify", "network", "finish"}) {
        JoinWorld world;
        start(world);
        PhaseScript::now().acts[name] = [](PhaseContext&) -> Status { throw fakes::Crash{}; };
        CHECK(!run_survives(world));
        PhaseScript::now().acts.clear();
        CHECK(run_survives(world));
        check_joined(world);
        LONGS_EQUAL(4, PhaseScript::now().runs.size());
        LONGS_EQUAL(2, std::ranges::count(PhaseScript::now().runs, name));
    }
}

TEST(Restart, AFailureThatCouldNotBeToldIsToldAfterTheRestart) {
    JoinWorld world;
    start(world);
    PhaseScript::now().acts["network"] = [&](PhaseContext&) -> Status {
        world.founder.is_down = true;
        return fail(ErrorCode::kIo, "the cable is gone");
    };
    world.most_waits = 20;
    CHECK(world.run().value() == JoinOutcome::kStopped);
    STRCMP_EQUAL("installing", world.founder.join().state.c_str());
    world.founder.is_down = false;
    world.most_waits = 4000;
    world.stop_when = [](const JoinProgress& shown) { return shown.state == JoinerState::kFailed; };
    CHECK(world.run().value() == JoinOutcome::kStopped);
    STRCMP_EQUAL("network", world.founder.join().failed_step.c_str());
    STRCMP_EQUAL("the cable is gone", world.founder.join().failed_error.c_str());
    LONGS_EQUAL(2, PhaseScript::now().runs.size());
}

TEST(Restart, AFailureThatTheFounderKnowsIsNotRunAgain) {
    JoinWorld world;
    start(world);
    PhaseScript::now().failing["network"] = "no";
    bool told = false;
    world.founder.after = [&](const std::string&, const std::string& path) {
        if (path.find("/progress") == std::string::npos) return;
        if (world.founder.join().state != "failed" || told) return;
        told = true;
        throw fakes::Crash{};
    };
    CHECK(!run_survives(world));
    CHECK(told);
    world.stop_when = [](const JoinProgress& shown) { return shown.state == JoinerState::kFailed; };
    CHECK(world.run().value() == JoinOutcome::kStopped);
    LONGS_EQUAL(2, PhaseScript::now().runs.size());
}

TEST(Restart, RejectedWhileItWasDownItEnds) {
    JoinWorld world;
    start(world);
    PhaseScript::now().acts["network"] = [](PhaseContext&) -> Status { throw fakes::Crash{}; };
    CHECK(!run_survives(world));
    PhaseScript::now().acts.clear();
    world.founder.set_state("rejected");
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kEnded);
    LONGS_EQUAL(2, PhaseScript::now().runs.size());
}
