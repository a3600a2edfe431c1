// From a code to the pairing code, and from there to a member: against a founder with state.
#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

#include "common/base/document.hpp"
#include "common/base/text.hpp"
#include "tests/installer/join_world.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;
using fakes::JoinWorld;

namespace {

std::function<bool(const JoinProgress&)> reaches(JoinerState state) {
    return [state](const JoinProgress& progress) { return progress.state == state; };
}

// Something is told to the person: in the error, the message or the reason to wait.
bool says(const JoinProgress& shown, const std::string& part) {
    const std::string reason = shown.retry ? shown.retry->reason : "";
    return (shown.error + shown.message + shown.next_step + reason).find(part) != std::string::npos;
}

} // namespace

TEST_GROUP(Session) {
    JoinWorld world;
    link::JoinCode code = world.founder.make_code();
    void use_long_code() {
        world.options.code.argument = world.founder.uri(code);
    }
    void run_until(JoinerState state) {
        world.stop_when = reaches(state);
        CHECK(world.run().value() == JoinOutcome::kStopped);
        CHECK(world.shown().state == state);
    }
};

TEST(Session, ALongCodeLeadsToAMember) {
    use_long_code();
    world.founder_goes_on();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    CHECK(world.shown().state == JoinerState::kJoined);
    STRCMP_EQUAL("joined", world.founder.join().state.c_str());
    LONGS_EQUAL(1, world.founder.joins.size());
    STRCMP_EQUAL("n-2", world.shown().node_id.c_str());
}

TEST(Session, BothSidesShowTheSamePairingCodeAndItIsNeverSent) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    const std::string shown = world.shown().pairing_code;
    LONGS_EQUAL(7, shown.size());
    STRCMP_EQUAL(world.founder.join().pairing_code.c_str(), shown.c_str());
    for (const auto& seen : world.founder.seen) {
        CHECK(seen.body.find(shown) == std::string::npos);
        CHECK(seen.body.find(code.grouped()) == std::string::npos);
    }
}

TEST(Session, AShortCodeIsTypedAndTheKeyThatAnswersIsPinned) {
    world.typed = {code.grouped() + " 10.20.0.1"};
    world.founder_goes_on();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    STRCMP_EQUAL(world.founder.key.str().c_str(), world.shown().founder_key.c_str());
}

TEST(Session, NobodyIsAskedForACodeThatIsAtHand) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    CHECK(world.history.size() > 2); // the first is there before anything was shown
    for (std::size_t i = 1; i < world.history.size(); ++i)
        CHECK(world.history[i].state != JoinerState::kNeedsCode);
}

TEST(Session, TheClientKeyIsForItsOwnerAloneAndStays) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(0600, *world.files.mode("/state/client.pem"));
    LONGS_EQUAL(0600, *world.files.mode("/state/session.json"));
    std::set<std::string> keys;
    world.founder_goes_on();
    world.stop_when = {};
    CHECK(world.run().value() == JoinOutcome::kJoined);
    for (const auto& seen : world.founder.seen) keys.insert(seen.client_key);
    LONGS_EQUAL(1, keys.size());
}

TEST(Session, NonceAndCommitmentAreStoredBeforeRegistering) {
    use_long_code();
    bool was_stored = false;
    world.founder.before = [&](const std::string& method, const std::string& path) {
        if (method != "POST" || path != "/v1/join/registrations") return;
        const JoinerRecord record = world.record();
        was_stored = record.state == JoinerState::kRegistering && record.nonce.has_value();
    };
    run_until(JoinerState::kRevealing);
    CHECK(was_stored);
}

TEST(Session, TheWholeTupleIsStoredBeforeTheReveal) {
    use_long_code();
    bool was_stored = false;
    world.founder.before = [&](const std::string&, const std::string& path) {
        if (path.find("/reveal") == std::string::npos) return;
        const JoinerRecord record = world.record();
        was_stored = record.pairing && record.pairing->join_id == world.founder.join().id &&
                     record.pairing->founder_nonce == world.founder.join().founder_nonce &&
                     record.pairing->founder_key == world.founder.key;
    };
    run_until(JoinerState::kWaiting);
    CHECK(was_stored);
    CHECK(!world.record().code);
}

TEST(Session, TheInventoryIsSentOnlyAfterTheFounderProvedTheCode) {
    use_long_code();
    world.founder.forge_proof = true;
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kNeedsCode);
    for (const auto& seen : world.founder.seen) {
        CHECK(seen.body.find("rack-7") == std::string::npos);
    }
    LONGS_EQUAL(0, world.founder.count("POST", "/reveal"));
}

TEST(Session, AFounderThatDoesNotProveTheCodeGetsNothingMore) {
    for (const bool leave_out : {false, true}) {
        JoinWorld other;
        other.options.code.argument = other.founder.uri(other.founder.make_code());
        other.founder.forge_proof = !leave_out;
        other.founder.leave_out_proof = leave_out;
        (void)other.run();
        CHECK(other.shown().state == JoinerState::kNeedsCode);
        CHECK(says(other.shown(), "did not prove"));
        LONGS_EQUAL(1, other.founder.seen.size());
    }
}

TEST(Session, ALost201CostsNothing) {
    use_long_code();
    world.founder.lose_answers = 2;
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(1, world.founder.joins.size());
    LONGS_EQUAL(0, world.founder.codes.begin()->second.uses_left);
    LONGS_EQUAL(3, world.founder.count("POST", "/v1/join/registrations") -
                       world.founder.count("POST", "/reveal"));
}

TEST(Session, ALost201IsFoundAgainAfterARestart) {
    use_long_code();
    world.founder.after = [](const std::string&, const std::string&) { throw fakes::Crash{}; };
    CHECK_THROWS(fakes::Crash, world.run());
    world.founder.after = {};
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(1, world.founder.joins.size());
}

TEST(Session, AFounderThatChangesItsKeyInMidJoinIsRefusedAndNothingMoreIsSent) {
    use_long_code();
    run_until(JoinerState::kRevealing);
    const std::size_t before = world.founder.seen.size();
    world.founder.key = link::Fingerprint(sha256(bytes_of("a thief's key")));
    world.stop_when = {};
    world.most_waits = 30;
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kRevealing);
    CHECK(says(world.shown(), "another key"));
    LONGS_EQUAL(before, world.founder.seen.size());
}

TEST(Session, AChangedKeyIsRefusedWhileWaitingToo) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    const std::size_t before = world.founder.seen.size();
    world.founder.key = link::Fingerprint(sha256(bytes_of("a thief's key")));
    world.stop_when = {};
    world.most_waits = 30;
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kWaiting);
    CHECK(world.shown().retry.has_value());
    LONGS_EQUAL(before, world.founder.seen.size());
}

TEST(Session, ALongCodePinsTheKeyFromTheFirstByte) {
    use_long_code();
    world.founder.others.insert("10.20.0.1:8444");
    world.most_waits = 20;
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kRegistering);
    CHECK(says(world.shown(), "another key"));
    CHECK(world.founder.seen.empty());
}

TEST(Session, AnotherNonceOrIdForTheSameCommitmentIsRefused) {
    for (const bool change_id : {false, true}) {
        JoinWorld other;
        other.options.code.argument = other.founder.uri(other.founder.make_code());
        other.stop_when = reaches(JoinerState::kWaiting);
        (void)other.run();
        // Registers again, because the program is another release now.
        other.options.release = "1.0.1";
        other.founder.release = "1.0.1";
        other.founder.change_nonce = !change_id;
        other.founder.change_id = change_id;
        const int before = static_cast<int>(other.founder.seen.size());
        other.stop_when = reaches(JoinerState::kStopped);
        (void)other.run();
        CHECK(other.shown().state == JoinerState::kStopped);
        LONGS_EQUAL(before + 1, other.founder.seen.size());
    }
}

TEST(Session, ANewReleaseRegistersAgainWithoutACodeAndKeepsThePairingCode) {
    use_long_code();
    world.options.self_upgrade = true;
    world.options.release = "0.9.0";
    run_until(JoinerState::kNeedsUpgrade);
    CHECK(says(world.shown(), "0.9.0"));
    CHECK(says(world.shown(), "1.0.0"));
    const std::string before = world.shown().pairing_code;
    world.options.release = "1.0.0";
    world.stop_when = [](const JoinProgress& progress) {
        return progress.state == JoinerState::kWaiting && progress.founder.size() > 0 &&
               progress.message.find("compares") != std::string::npos;
    };
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kWaiting);
    STRCMP_EQUAL(before.c_str(), world.shown().pairing_code.c_str());
    LONGS_EQUAL(1, world.founder.joins.size());
    STRCMP_EQUAL("1.0.0", world.founder.join().release.c_str());
}

TEST(Session, AWrongCodeIsToldAndAnotherOneIsAskedFor) {
    world.options.code.argument = world.founder.uri(link::JoinCode::generate());
    world.typed = {world.founder.uri(code)};
    world.founder_goes_on();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const bool told = std::ranges::any_of(world.history, [](const JoinProgress& one) {
        return one.state == JoinerState::kNeedsCode && says(one, "does not take this join code") &&
               !one.prompt.empty();
    });
    CHECK(told);
}

TEST(Session, ARefusedCodeIsNotTriedAgainByItself) {
    world.options.code.argument = world.founder.uri(link::JoinCode::generate());
    (void)world.run();
    (void)world.run();
    LONGS_EQUAL(1, world.founder.seen.size());
    world.typed = {""}; // Enter: the same one again
    (void)world.run();
    LONGS_EQUAL(2, world.founder.seen.size());
}

TEST(Session, WhatIsTypedWrongIsToldAtOnceAndStaysSecret) {
    world.typed = {"2345-6789-ABCD-EFG0 10.20.0.1", code.grouped()};
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kNeedsCode);
    CHECK(world.founder.seen.empty());
    CHECK(says(world.shown(), "needs the founder's address"));
    for (const std::string& line : world.log) {
        CHECK(line.find(code.grouped()) == std::string::npos);
    }
}

TEST(Session, DownPastTheMinuteTheCodesUseIsGoneAndAnotherIsAskedFor) {
    use_long_code();
    run_until(JoinerState::kRevealing);
    world.clock.advance_seconds(61);
    world.stop_when = {};
    const link::JoinCode other = world.founder.make_code();
    world.typed = {world.founder.uri(other)};
    world.founder_goes_on();
    CHECK(world.run().value() == JoinOutcome::kJoined);
    const bool told = std::ranges::any_of(world.history, [](const JoinProgress& one) {
        return one.state == JoinerState::kNeedsCode && says(one, "60 seconds") &&
               says(one, "another join code");
    });
    CHECK(told);
    LONGS_EQUAL(2, world.founder.joins.size());
}

TEST(Session, DownWithinTheMinuteItGoesOn) {
    use_long_code();
    run_until(JoinerState::kRevealing);
    world.clock.advance_seconds(50);
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(1, world.founder.joins.size());
}

TEST(Session, AtMostFiveFreshPairingsWithoutAKeyPress) {
    code = world.founder.make_code(100);
    use_long_code();
    world.founder.refuse_reveal = "PAIRING_FAILED";
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kStopped);
    LONGS_EQUAL(6, world.founder.joins.size());
    (void)world.run();
    LONGS_EQUAL(6, world.founder.joins.size());
    world.founder.refuse_reveal.clear();
    world.typed = {""};
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(7, world.founder.joins.size());
}

TEST(Session, EachFreshPairingHasANewCommitment) {
    code = world.founder.make_code(100);
    use_long_code();
    world.founder.refuse_reveal = "PAIRING_FAILED";
    (void)world.run();
    std::set<std::string> commitments;
    for (const auto& join : world.founder.joins) commitments.insert(to_hex(join.commitment));
    LONGS_EQUAL(6, commitments.size());
}

TEST(Session, AnUnreachableFounderIsTriedAgainWithACountdown) {
    use_long_code();
    world.founder.is_down = true;
    world.most_waits = 200;
    (void)world.run();
    CHECK(world.shown().retry.has_value());
    CHECK(world.shown().retry->count >= 3);
    CHECK(says(world.shown(), "connection refused"));
    const bool counts_down = std::ranges::any_of(world.history, [](const JoinProgress& one) {
        return one.retry && one.retry->seconds_left == 2;
    });
    CHECK(counts_down);
    world.founder.is_down = false;
    run_until(JoinerState::kWaiting);
    CHECK(!world.shown().retry);
}

TEST(Session, WaitsGrowAndStayBelowAMinuteAndAQuarter) {
    use_long_code();
    world.founder.is_down = true;
    world.most_waits = 1500;
    (void)world.run();
    std::int64_t longest = 0;
    for (const auto& one : world.history) {
        if (one.retry) longest = std::max(longest, one.retry->seconds_left);
    }
    CHECK(longest > 30);
    CHECK(longest <= 75);
}

TEST(Session, SeveralAddressesAreTriedInOrder) {
    const link::JoinUri uri{
        {*HostPort::parse("10.0.0.8:1"), world.founder.address}, code, world.founder.key};
    world.options.code.argument = uri.str();
    run_until(JoinerState::kWaiting);
    STRCMP_EQUAL("10.20.0.1:8444", world.shown().founder.c_str());
}

TEST(Session, AStrangerAtTheFirstAddressDoesNotHinderTheSecond) {
    world.founder.others.insert("10.0.0.8:1");
    const link::JoinUri uri{
        {*HostPort::parse("10.0.0.8:1"), world.founder.address}, code, world.founder.key};
    world.options.code.argument = uri.str();
    run_until(JoinerState::kWaiting);
}

TEST(Session, AReleaseThatDoesNotFitIsToldByBothSidesNamesAndTriedAgain) {
    use_long_code();
    world.options.release = "2.0.0";
    world.most_waits = 60;
    (void)world.run();
    CHECK(says(world.shown(), "yours is 2.0.0, the cluster's is 1.0.0"));
    CHECK(world.shown().retry->count >= 2);
    LONGS_EQUAL(1, world.founder.codes.begin()->second.uses_left);
}

TEST(Session, RetryAfterIsWaitedFor) {
    use_long_code();
    world.founder.instead.push_back(fakes::problem_answer(link::ProblemCode::kTooManyRequests,
                                                          "paused", {{"Retry-After", "300"}}));
    const std::int64_t began = world.clock.steady_ms();
    run_until(JoinerState::kWaiting);
    CHECK(world.clock.steady_ms() - began >= 300'000);
}

TEST(Session, AKeyPressEndsAWait) {
    use_long_code();
    world.founder.instead.push_back(fakes::problem_answer(link::ProblemCode::kTooManyRequests,
                                                          "paused", {{"Retry-After", "300"}}));
    world.lines_at_any_time = {""};
    const std::int64_t began = world.clock.steady_ms();
    run_until(JoinerState::kWaiting);
    CHECK(world.clock.steady_ms() - began < 10'000);
}

TEST(Session, AClonedKeyIsReplacedOnlyAfterAKeyPress) {
    code = world.founder.make_code(5);
    use_long_code();
    world.founder.refuse_reveal = "JOIN_KEY_IN_USE";
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kStopped);
    CHECK(says(world.shown(), "cloned"));
    const std::string before = *world.files.content("/state/client.pem");
    (void)world.run();
    STRCMP_EQUAL(before.c_str(), world.files.content("/state/client.pem")->c_str());
    world.founder.refuse_reveal.clear();
    world.typed = {""};
    run_until(JoinerState::kWaiting);
    CHECK(before != *world.files.content("/state/client.pem"));
    CHECK(!world.record().new_key_wanted);
    STRCMP_EQUAL(world.founder.join().pairing_code.c_str(), world.shown().pairing_code.c_str());
}

TEST(Session, RejectedOrExpiredIsSaidAndAKeyPressStartsAgain) {
    for (const char* state : {"rejected", "expired"}) {
        JoinWorld other;
        const auto its_code = other.founder.make_code(5);
        other.options.code.argument = other.founder.uri(its_code);
        other.stop_when = reaches(JoinerState::kWaiting);
        (void)other.run();
        other.founder.join().ended_reason = "wrong rack";
        other.founder.set_state(state);
        other.stop_when = {};
        (void)other.run();
        CHECK(other.shown().state == JoinerState::kEnded);
        CHECK(says(other.shown(), "wrong rack"));
        (void)other.run(); // a restart alone starts nothing
        LONGS_EQUAL(1, other.founder.joins.size());
        other.typed = {""};
        other.founder_goes_on();
        CHECK(other.run().value() == JoinOutcome::kJoined);
        LONGS_EQUAL(2, other.founder.joins.size());
    }
}

TEST(Session, AfterTheEndAnotherCodeOnTheKernelsLineStartsAgainByItself) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.founder.set_state("rejected");
    world.stop_when = {};
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kEnded);
    world.options.code = {};
    world.options.code.kernel_command_line =
        "stratum.join=" + world.founder.uri(world.founder.make_code());
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(2, world.founder.joins.size());
}

TEST(Session, AForgottenJoinIsAnEnd) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.founder.joins.clear();
    world.stop_when = {};
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kEnded);
    CHECK(says(world.shown(), "does not know"));
}

TEST(Session, ChangedHardwareIsToldBeforeApproval) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.inventory.hostname = "rack-8";
    world.stop_when = [&](const JoinProgress&) {
        return world.founder.count("PUT", "/inventory") > 0 &&
               world.founder.count("GET", "/v1/join") > 3;
    };
    (void)world.run();
    LONGS_EQUAL(1, world.founder.count("PUT", "/inventory"));
    CHECK(world.founder.join().inventory.find("hostname")->as_string() == "rack-8");
}

TEST(Session, HardwareThatStirsIsToldAfterTheCallAndNotAfterAMinute) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    bool has_changed = false;
    world.hardware_changed = [&] { return std::exchange(has_changed, false); };
    std::int64_t changed_at = 0, told_at = 0;
    world.founder.before = [&](const std::string& method, const std::string& path) {
        if (method == "PUT" && told_at == 0) told_at = world.clock.steady_ms();
        if (changed_at != 0 || path.find("wait=30") == std::string::npos) return;
        world.inventory.nics[0].state = facts::LinkState::kUp; // a cable
        changed_at = world.clock.steady_ms();
        has_changed = true;
    };
    world.stop_when = [&](const JoinProgress&) { return told_at != 0; };
    (void)world.run();
    LONGS_EQUAL(1, world.founder.count("PUT", "/inventory"));
    // The fake founder holds a call for its 30 s; nothing can cut it short without a background.
    CHECK(changed_at != 0 && told_at - changed_at < 35'000);
}

TEST(Session, WhatChangesByItselfIsNotToldHoweverOftenItStirs) {
    use_long_code();
    world.inventory.nics[0].addresses = {{"2001:db8::1/64", "temporary"}, {"10.0.0.5/24", "dhcp"}};
    facts::StackLayer array;
    array.name = "md0";
    array.sync = "resync";
    array.sync_percent = 1;
    world.inventory.disks[0].stack = {array};
    run_until(JoinerState::kWaiting);
    world.stop_when = {};
    world.hardware_changed = [&] {
        world.inventory.nics[0].addresses[0].cidr = "2001:db8::2/64";
        auto& percent = world.inventory.disks[0].stack[0].sync_percent;
        percent = (*percent + 1) % 100;
        return true;
    };
    world.most_waits = 50;
    (void)world.run();
    LONGS_EQUAL(0, world.founder.count("PUT", "/inventory"));
    // Another address of the lease is another matter.
    world.inventory.nics[0].addresses[1].cidr = "10.0.0.6/24";
    world.stop_when = [&](const JoinProgress&) {
        return world.founder.count("PUT", "/inventory") > 0;
    };
    (void)world.run();
    LONGS_EQUAL(1, world.founder.count("PUT", "/inventory"));
}

TEST(Session, HardwareThatStirsAllTheTimeIsNotReadAllTheTime) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.stop_when = {};
    world.looks = 0;
    world.hardware_changed = [] { return true; };
    const auto began = world.clock.steady_ms();
    world.most_waits = 100;
    (void)world.run();
    const auto seconds = (world.clock.steady_ms() - began) / 1000;
    CHECK(seconds > 20);
    CHECK(world.looks >= 2 && world.looks <= 1 + seconds / 5);
}

TEST(Session, ACallThatTheFounderHoldsIsCutShortToTellOfHardware) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    std::atomic<bool> is_held = false;
    world.hardware_changed = [&] { return is_held.load(); };
    world.founder.before = [&](const std::string& method, const std::string& path) {
        const bool is_poll = path.find("wait=30") != std::string::npos;
        if (is_poll && world.inventory.hostname == "rack-7") {
            world.inventory.hostname = "rack-8"; // the machine was looked at before
            world.founder.hold_views = true;
        }
        if (method == "PUT") world.founder.hold_views = false;
        is_held = world.founder.hold_views;
    };
    world.stop_when = [&](const JoinProgress&) {
        return world.founder.count("PUT", "/inventory") > 0 &&
               world.founder.count("GET", "wait=30") > 3;
    };
    CHECK(world.run_with_background().value() == JoinOutcome::kStopped);
    LONGS_EQUAL(1, world.founder.count("PUT", "/inventory"));
    CHECK(world.founder.join().inventory.find("hostname")->as_string() == "rack-8");
    // No trouble, and nobody is told of any.
    for (const auto& one : world.history) CHECK(!one.retry.has_value());
}

TEST(Session, HardwareThatStirsAfterApprovalIsNotSentAgain) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.founder.approve();
    world.stop_when = {};
    world.hardware_changed = [] { return true; };
    world.most_waits = 30;
    run_until(JoinerState::kQueued);
    world.inventory.hostname = "rack-9";
    world.stop_when = {};
    (void)world.run();
    LONGS_EQUAL(0, world.founder.count("PUT", "/inventory"));
}

TEST(Session, UnchangedHardwareIsNotSentAgain) {
    use_long_code();
    world.most_waits = 50;
    (void)world.run();
    CHECK(world.founder.count("GET", "wait=30") > 10);
    LONGS_EQUAL(0, world.founder.count("PUT", "/inventory"));
}

TEST(Session, TheFoundersTimeSetsAClockThatIsFarOff) {
    for (const std::int64_t seconds : {1'262'304'000LL, 2'208'988'800LL}) { // 2010, 2040
        JoinWorld other;
        other.options.code.argument = other.founder.uri(other.founder.make_code());
        other.machine_clock.wrong_by_s = seconds - other.clock.unix_seconds();
        other.stop_when = reaches(JoinerState::kWaiting);
        (void)other.run();
        CHECK(!other.clocks_set.empty());
        LONGS_EQUAL(other.clock.unix_seconds(), other.clocks_set.front());
        const bool logged = std::ranges::any_of(other.log, [](const std::string& line) {
            return line.find("the founder says") != std::string::npos;
        });
        CHECK(logged);
    }
}

TEST(Session, AClockThatIsCloseIsLeftAloneAndOneThatCannotBeSetIsToldOnce) {
    use_long_code();
    world.machine_clock.wrong_by_s = 60;
    run_until(JoinerState::kWaiting);
    CHECK(world.clocks_set.empty());
    JoinWorld other;
    other.options.code.argument = other.founder.uri(other.founder.make_code());
    other.machine_clock.wrong_by_s = -500'000'000;
    other.clock_can_be_set = false;
    other.founder_goes_on();
    CHECK(other.run().value() == JoinOutcome::kJoined);
    LONGS_EQUAL(1, other.clocks_set.size());
}

TEST(Session, ARecordOfAnotherVersionStartsCleanAndSaysSo) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    const std::string key = *world.files.content("/state/client.pem");
    world.files.put("/state/session.json", R"({"version":9,"state":"waiting"})", 0600);
    world.options.code = {};
    world.stop_when = {};
    (void)world.run();
    CHECK(world.shown().state == JoinerState::kNeedsCode);
    const bool said = std::ranges::any_of(world.log, [](const std::string& line) {
        return line.find("version 9") != std::string::npos;
    });
    CHECK(said);
    STRCMP_EQUAL(key.c_str(), world.files.content("/state/client.pem")->c_str());
}

TEST(Session, AStateFolderThatCannotBeReadIsAnErrorAndNothingIsSent) {
    use_long_code();
    world.files.put("/state/client.pem", "not a key", 0600);
    CHECK(!world.run().has_value());
    CHECK(world.founder.seen.empty());
    STRCMP_EQUAL("not a key", world.files.content("/state/client.pem")->c_str());
}

TEST(Session, NothingIsSentWhileTheNonceCannotBeStored) {
    use_long_code();
    world.most_waits = 10;
    world.before_wait = [&] { world.files.fail_change(1); };
    (void)world.run(); // makes the key
    JoinWorld other;
    other.options.code.argument = other.founder.uri(other.founder.make_code());
    other.stop_when = reaches(JoinerState::kConnecting);
    (void)other.run();
    other.stop_when = {};
    other.most_waits = 5;
    other.before_wait = [&] { other.files.fail_change(1); };
    other.files.fail_change(2); // the first is the state folder
    (void)other.run();
    CHECK(other.founder.seen.empty());
    CHECK(says(other.shown(), "cannot be stored"));
}

TEST(Session, AStopEndsACallThatTheFounderHolds) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.stop_when = {};
    world.founder.hold_views = true;
    world.most_waits = 3;
    CHECK(world.run_with_background().value() == JoinOutcome::kStopped);
    CHECK(world.record().state == JoinerState::kWaiting);
}

TEST(Session, ACodeTypedInTroubleBeginsAnotherJoinAndElsewhereNot) {
    use_long_code();
    run_until(JoinerState::kWaiting);
    world.stop_when = {};
    world.founder.is_down = true;
    world.most_waits = 10;
    (void)world.run();
    CHECK(world.shown().retry.has_value());
    CHECK(world.shown().state == JoinerState::kWaiting);
    world.founder.is_down = false;
    const link::JoinCode other = world.founder.make_code();
    // In trouble at first: the line comes in the first wait.
    world.founder.instead.push_back(
        fakes::problem_answer(link::ProblemCode::kInternal, "a hiccup"));
    world.lines_at_any_time = {world.founder.uri(other)};
    run_until(JoinerState::kRevealing);
    run_until(JoinerState::kWaiting);
    LONGS_EQUAL(2, world.founder.joins.size());
    // All well: what is typed is nobody's business.
    world.lines_at_any_time = {world.founder.uri(world.founder.make_code())};
    world.stop_when = {};
    world.most_waits = 20;
    (void)world.run();
    LONGS_EQUAL(2, world.founder.joins.size());
}
