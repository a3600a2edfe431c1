// From delivery to member: what is taken, the steps, the reports, failures and retries.
#include <algorithm>

#include "common/base/document.hpp"
#include "common/base/text.hpp"
#include "tests/installer/join_world.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;
using fakes::JoinWorld;
using fakes::PhaseScript;

namespace {

const link::Step* step_of(const std::vector<link::Step>& steps, const std::string& name) {
    const auto at = std::ranges::find(steps, name, &link::Step::name);
    return at == steps.end() ? nullptr : &*at;
}

JoinStep bundle_step(const std::string& name) {
    JoinStep step;
    step.name = name;
    step.title = "Joining " + name;
    return step;
}

} // namespace

TEST_GROUP(Install) {
    JoinWorld world;
    void setup() override {
        world.options.code.argument = world.founder.uri(world.founder.make_code());
        world.founder_goes_on();
    }
    void run_until(JoinerState state) {
        world.stop_when = [state](const JoinProgress& shown) { return shown.state == state; };
        CHECK(world.run().value() == JoinOutcome::kStopped);
        world.stop_when = {};
    }
    std::string runs() const {
        return join(PhaseScript::now().runs, " ");
    }
};

TEST(Install, TheStepsRunInOrderAndTheFounderSeesThem) {
    world.bundle_steps = {bundle_step("etcd"), bundle_step("ceph")};
    world.founder.bundle = "a tar";
    CHECK(world.run().value() == JoinOutcome::kJoined);
    STRCMP_EQUAL("verify network join/etcd join/ceph finish", runs().c_str());
    const fakes::FakeJoin& join = world.founder.join();
    LONGS_EQUAL(5, join.steps.size());
    STRCMP_EQUAL("join/etcd", join.steps[2].name.c_str());
    STRCMP_EQUAL("Joining etcd", join.steps[2].title.c_str());
    for (const link::Step& step : join.steps) {
        CHECK(step.status == link::StepStatus::kDone);
        CHECK(step.started_at && step.finished_at);
        LONGS_EQUAL(100, *step.percent);
    }
    STRCMP_EQUAL("joined", join.result.c_str());
}

TEST(Install, LogLinesHaveNumbersWithoutGaps) {
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const auto& log = world.founder.join().log;
    CHECK(log.size() >= 6);
    for (std::size_t at = 0; at < log.size(); ++at) LONGS_EQUAL(at + 1, log[at].seq);
    CHECK(std::ranges::any_of(log, [](const auto& one) { return one.line == "in network"; }));
}

TEST(Install, PercentagesAreShownWhileAStepRuns) {
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const bool seen = std::ranges::any_of(world.history, [](const JoinProgress& shown) {
        const link::Step* step = step_of(shown.steps, "network");
        return step != nullptr && step->percent == 50 && step->status == link::StepStatus::kRunning;
    });
    CHECK(seen);
}

TEST(Install, NothingOfAJoinIsLostWhenEveryAnswerIsLostOnce) {
    // Each request is served, its answer lost, and it is sent again.
    bool lose = false;
    world.founder.after = [&](const std::string&, const std::string&) {
        lose = !lose;
        if (lose) world.founder.lose_answers = 1;
    };
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const auto& log = world.founder.join().log;
    for (std::size_t at = 0; at < log.size(); ++at) LONGS_EQUAL(at + 1, log[at].seq);
    LONGS_EQUAL(1, world.founder.joins.size());
    STRCMP_EQUAL("verify network finish", runs().c_str());
}

TEST(Install, AFailedStepIsToldWithItsErrorAndWaitsForARetry) {
    PhaseScript::now().failing["network"] = "founder unreachable over bond0";
    run_until(JoinerState::kFailed);
    const fakes::FakeJoin& join = world.founder.join();
    STRCMP_EQUAL("failed", join.state.c_str());
    STRCMP_EQUAL("network", join.failed_step.c_str());
    STRCMP_EQUAL("founder unreachable over bond0", join.failed_error.c_str());
    CHECK(step_of(join.steps, "verify")->status == link::StepStatus::kDone);
    CHECK(step_of(join.steps, "finish")->status == link::StepStatus::kPending);
    CHECK(world.shown().error.find("founder unreachable over bond0") != std::string::npos);
    CHECK(world.shown().next_step.find("joins retry " + join.id) != std::string::npos);
    STRCMP_EQUAL("verify network", runs().c_str());
}

TEST(Install, ARetryRunsAgainAsTheNextAttempt) {
    PhaseScript::now().failing["network"] = "no";
    run_until(JoinerState::kFailed);
    world.founder.retry();
    PhaseScript::now().failing.clear();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    LONGS_EQUAL(2, world.shown().attempt);
    STRCMP_EQUAL("verify network verify network finish", runs().c_str());
    LONGS_EQUAL(1, world.founder.join().log.front().seq);
}

TEST(Install, ARetryDoesNotJoinTwiceWhatIsJoined) {
    world.bundle_steps = {bundle_step("etcd"), bundle_step("ceph")};
    world.founder.bundle = "a tar";
    PhaseScript::now().failing["join/ceph"] = "no quorum";
    run_until(JoinerState::kFailed);
    world.founder.retry();
    PhaseScript::now().failing.clear();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    STRCMP_EQUAL("verify network join/etcd join/ceph verify network join/ceph finish",
                 runs().c_str());
    LONGS_EQUAL(5, world.founder.join().steps.size());
}

TEST(Install, WithoutARetryNothingRunsAgain) {
    PhaseScript::now().failing["network"] = "no";
    run_until(JoinerState::kFailed);
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kFailed);
    STRCMP_EQUAL("verify network", runs().c_str());
}

TEST(Install, AFailedJoinThatIsRejectedEnds) {
    PhaseScript::now().failing["network"] = "no";
    run_until(JoinerState::kFailed);
    world.founder.set_state("rejected");
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kEnded);
}

TEST(Install, AStepThatIsDoneIsNotRunAgainAfterAPowerCut) {
    PhaseScript::now().acts["network"] = [](PhaseContext&) -> Status { throw fakes::Crash{}; };
    CHECK_THROWS(fakes::Crash, world.run());
    PhaseScript::now().acts.clear();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    STRCMP_EQUAL("verify network network finish", runs().c_str());
    LONGS_EQUAL(1, world.founder.join().attempt);
    const auto& log = world.founder.join().log;
    for (std::size_t at = 0; at < log.size(); ++at) LONGS_EQUAL(at + 1, log[at].seq);
}

TEST(Install, ItGoesOnAfterAPowerCutThoughTheFounderIsAway) {
    PhaseScript::now().acts["network"] = [](PhaseContext&) -> Status { throw fakes::Crash{}; };
    CHECK_THROWS(fakes::Crash, world.run());
    world.founder.is_down = true;
    PhaseScript::now().acts.clear();
    PhaseScript::now().acts["finish"] = [&](PhaseContext&) -> Status {
        world.founder.is_down = false;
        return {};
    };
    CHECK(world.run().value() == JoinOutcome::kJoined);
    STRCMP_EQUAL("verify network network finish", runs().c_str());
}

TEST(Install, AStopInAStepIsNoFailure) {
    PhaseScript::now().acts["network"] = [&](PhaseContext& context) -> Status {
        world.most_waits = 0;
        if (!context.sleep_ms(1000)) return fail(ErrorCode::kUnavailable, "stopped");
        return {};
    };
    CHECK(world.run().value() == JoinOutcome::kStopped);
    STRCMP_EQUAL("installing", world.founder.join().state.c_str());
    PhaseScript::now().acts.clear();
    world.most_waits = 4000;
    CHECK(world.run().value() == JoinOutcome::kJoined);
}

TEST(Install, NodeYamlThatIsNotWhatTheFounderSaidIsNeverUsed) {
    world.founder.said_node_yaml_sha256 = std::string(64, '0');
    run_until(JoinerState::kFailed);
    STRCMP_EQUAL("", runs().c_str());
    STRCMP_EQUAL("join", world.founder.join().failed_step.c_str());
    CHECK(world.founder.join().failed_error.find("SHA-256") != std::string::npos);
    CHECK(!world.files.exists("/state/delivered/node.yaml"));
}

TEST(Install, NodeYamlOfAnotherJoinAttemptOrFounderIsRefused) {
    const std::vector<std::function<void(config::NodeConfig&)>> spoils = {
        [](config::NodeConfig& node) { node.join_id = "nj-aaaaaaaa"; },
        [](config::NodeConfig& node) { node.attempt = 7; },
        [](config::NodeConfig& node) { node.founder->key = std::string(64, 'b'); },
    };
    for (const auto& spoil : spoils) {
        JoinWorld other;
        other.options.code.argument = other.founder.uri(other.founder.make_code());
        other.founder_goes_on();
        other.spoil_node = spoil;
        other.stop_when = [](const JoinProgress& shown) {
            return shown.state == JoinerState::kFailed;
        };
        (void)other.run();
        CHECK(other.shown().state == JoinerState::kFailed);
        CHECK(PhaseScript::now().runs.empty());
        STRCMP_EQUAL("join", other.founder.join().failed_step.c_str());
    }
}

TEST(Install, NodeYamlThatDoesNotHoldIsRefusedWithItsFindings) {
    world.founder.render = [](const fakes::FakeJoin&) { return "version: [1\n"; };
    run_until(JoinerState::kFailed);
    CHECK(world.founder.join().failed_error.find("node.yaml is refused") != std::string::npos);
    STRCMP_EQUAL("", runs().c_str());
}

TEST(Install, ABundleThatIsNoneFailsAtVerifyBeforeAnythingRuns) {
    world.bundle_fault = Error{ErrorCode::kInvalid, "no bundle.json in it", ""};
    run_until(JoinerState::kFailed);
    STRCMP_EQUAL("", runs().c_str());
    STRCMP_EQUAL("verify", world.founder.join().failed_step.c_str());
    CHECK(world.founder.join().failed_error.find("no bundle.json") != std::string::npos);
}

TEST(Install, WhatWasDeliveredIsForItsOwnerAloneAndTheBundleGoesWhenItIsDone) {
    world.founder.bundle = "a tar with secrets";
    bool was_private = false;
    PhaseScript::now().acts["verify"] = [&](PhaseContext& context) -> Status {
        was_private = world.files.mode("/state/delivered/bundle.tar") == 0600u;
        CHECK(context.bundle_tar == "a tar with secrets");
        CHECK(context.node_yaml == world.founder.node_yaml);
        return {};
    };
    CHECK(world.run().value() == JoinOutcome::kJoined);
    CHECK(was_private);
    CHECK(!world.files.exists("/state/delivered/bundle.tar"));
}

TEST(Install, ADamagedDeliveryOnDiskIsFetchedAgain) {
    PhaseScript::now().acts["network"] = [](PhaseContext&) -> Status { throw fakes::Crash{}; };
    CHECK_THROWS(fakes::Crash, world.run());
    world.files.put("/state/delivered/node.yaml", "half of it", 0600);
    PhaseScript::now().acts.clear();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    LONGS_EQUAL(2, world.founder.count("GET", "/node.yaml"));
}

TEST(Install, ADamagedJournalIsAFailureAndNothingRuns) {
    run_until(JoinerState::kInstalling);
    PhaseScript::now().runs.clear();
    world.files.put("/state/journal.json", "{", 0600);
    run_until(JoinerState::kFailed);
    STRCMP_EQUAL("", runs().c_str());
    CHECK(world.shown().error.find("journal") != std::string::npos);
}

TEST(Install, AJoinThatIsRejectedByForceStopsBeforeTheNextStep) {
    PhaseScript::now().acts["verify"] = [&](PhaseContext& context) -> Status {
        world.founder.join().ended_reason = "given up";
        world.founder.set_state("rejected");
        context.log("x");
        world.clock.advance_seconds(5);
        context.log("y");
        return {};
    };
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kEnded);
    STRCMP_EQUAL("verify", runs().c_str());
}

TEST(Install, TheFounderIsReachableOnlyOverItsPinnedKey) {
    bool right = false;
    bool away = true;
    bool wrong = true;
    PhaseScript::now().acts["network"] = [&](PhaseContext& context) -> Status {
        right = context.founder_reachable();
        world.founder.is_down = true;
        away = context.founder_reachable();
        world.founder.is_down = false;
        world.founder.others.insert(world.founder.address.str());
        wrong = context.founder_reachable();
        world.founder.others.clear();
        return {};
    };
    CHECK(world.run().value() == JoinOutcome::kJoined);
    CHECK(right);
    CHECK(!away);
    CHECK(!wrong);
}

TEST(Install, TheAddressesOfNodeYamlAreUsedWhereTheFirstOnesDoNotAnswer) {
    world.spoil_node = [](config::NodeConfig& node) {
        node.founder->addresses.push_back("10.30.0.1:8444");
    };
    PhaseScript::now().acts["network"] = [&](PhaseContext&) -> Status {
        world.founder.address = *HostPort::parse("10.30.0.1:8444");
        return {};
    };
    CHECK(world.run().value() == JoinOutcome::kJoined);
}

TEST(Install, AJoinedMachineIsJoinedAtOnceAfterARestart) {
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const std::size_t before = world.founder.seen.size();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    LONGS_EQUAL(before, world.founder.seen.size());
}

TEST(Install, AMachineThatWasRemovedFromItsClusterStartsAnewAndKeepsWhatCodesItUsed) {
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const std::vector<std::string> used = world.record().used_codes;
    CHECK(!used.empty());
    // What the member agent puts away when its node was removed.
    CHECK(world.files.remove("/state/client.pem").has_value());
    world.files.crash_after_change(1); // power cut right behind the first thing that is stored
    CHECK_THROWS(fakes::Crash, (void)world.run());
    world.stop_when = [](const JoinProgress& shown) { return !shown.prompt.empty(); };
    CHECK(world.run().value() == JoinOutcome::kStopped);
    CHECK(world.shown().state == JoinerState::kNeedsCode);
    CHECK(world.shown().message.find("was removed from its cluster") != std::string::npos);
    CHECK(world.record().used_codes == used);
    CHECK(world.files.exists("/state/client.pem")); // another key
}

TEST(Install, AJoinedMachineWithItsKeyWasNotRemoved) {
    CHECK(world.run().value() == JoinOutcome::kJoined);
    CHECK(world.files.remove("/state/member.json").has_value());
    CHECK(world.run().value() == JoinOutcome::kJoined);
}

TEST(Install, WithABackgroundReportsGoOutBesideTheSteps) {
    // A background that ticks when a step waits: reports go out though no callback sends them.
    CHECK(world.run_with_background().value() == JoinOutcome::kJoined);
    const auto& join = world.founder.join();
    LONGS_EQUAL(3, join.steps.size());
    for (std::size_t at = 0; at < join.log.size(); ++at) LONGS_EQUAL(at + 1, join.log[at].seq);
}

TEST(Install, WhatPeopleMustKnowIsOnBothConsoles) {
    world.options.notes = {"This machine runs from memory."};
    CHECK(world.run().value() == JoinOutcome::kJoined);
    CHECK(world.shown().notes == world.options.notes);
    const fakes::FakeJoin& join = world.founder.join();
    CHECK(write_json(join.inventory).find("runs from memory") != std::string::npos);
    const bool logged = std::ranges::any_of(join.log, [](const link::LogLine& line) {
        return line.line.find("runs from memory") != std::string::npos;
    });
    CHECK(logged);
}
