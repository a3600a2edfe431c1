// What time and people do to joins, state by state: what ends, what stalls, what is never touched,
// and what is free again afterwards.

#include <functional>
#include <memory>

#include "founder/delivery.hpp"
#include "founder/join_codes.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

constexpr std::int64_t kDay = 24 * 3600;

link::Progress result(const std::string& word) {
    return {.attempt = 1, .steps = {}, .log = {}, .result = word};
}

} // namespace

TEST_GROUP(Lifecycle) {
    std::unique_ptr<World> world = std::make_unique<World>(">=0.5.0 <0.6.0");
    Machine first{1};
    Machine second{2};

    // A join in each state of the table that a machine or a person brings it to.
    std::string to(JoinState state) {
        switch (state) {
        case JoinState::kNeedsUpgrade: {
            Machine old{1};
            old.release = "0.5.0";
            old.self_upgrade = true;
            return world->pending(old);
        }
        case JoinState::kPending:
            return world->pending(first);
        case JoinState::kApproved:
            world->founder->health().set_fault("held"); // the queue stands still
            return world->approved(first, "beta");
        case JoinState::kDelivering:
            return world->delivering(first, "beta");
        case JoinState::kInstalling:
            return world->installing(first, "beta");
        case JoinState::kJoined:
            return world->joined(first, "beta");
        case JoinState::kFailed:
            return world->failed(first, "beta");
        case JoinState::kRejected: {
            std::string id = world->pending(first);
            CHECK_TRUE(world->reject(id).has_value());
            return id;
        }
        case JoinState::kExpired: {
            std::string id = world->pending(first);
            world->tick(3600 + kDay);
            return id;
        }
        }
        return "";
    }
    // Checks a statement about every state, each in a world of its own.
    void in_every_state(const std::function<void(JoinState, const std::string&)>& check) {
        for (const StateInfo& info : states()) {
            world = std::make_unique<World>(">=0.5.0 <0.6.0");
            const std::string id = to(info.state);
            STRCMP_EQUAL(std::string(info.name).c_str(), world->state(id).c_str());
            check(info.state, id);
        }
    }
};

TEST(Lifecycle, only_what_nobody_approved_expires_a_day_after_its_code) {
    in_every_state([&](JoinState state, const std::string& id) {
        world->tick(3600 + kDay + 1);
        const bool expires = state == JoinState::kPending || state == JoinState::kNeedsUpgrade;
        if (expires) {
            STRCMP_EQUAL("expired", world->state(id).c_str());
            STRCMP_EQUAL("nobody approved it within 24 hours of its join code's expiry",
                         world->record(id).ended_reason.c_str());
        } else {
            CHECK_TRUE(parse_state(world->state(id)) == state);
        }
    });
}

TEST(Lifecycle, the_day_is_counted_from_the_codes_own_expiry) {
    for (const std::int64_t expires_in : {std::int64_t{60}, std::int64_t{7 * kDay}}) {
        world = std::make_unique<World>();
        const auto made = world->register_with(first, world->code(1, expires_in));
        CHECK_TRUE(world->reveal(first, made->id).has_value());
        LONGS_EQUAL(world->clock.unix_seconds() + expires_in + kDay,
                    world->record(made->id).expires_at);
        world->tick(expires_in + kDay - 1);
        STRCMP_EQUAL("pending", world->state(made->id).c_str());
        world->tick(1);
        STRCMP_EQUAL("expired", world->state(made->id).c_str());
    }
}

TEST(Lifecycle, an_expired_machine_may_come_again_with_another_code) {
    const std::string id = to(JoinState::kExpired);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT",
                 code_of(world->approve(id, approval_body(first, "beta"))).c_str());
    const auto again = world->register_with(first, world->code());
    STRCMP_EQUAL("ok", code_of(again).c_str());
    CHECK_TRUE(again->id != id);
}

TEST(Lifecycle, only_a_running_join_stalls_after_ten_silent_minutes) {
    in_every_state([&](JoinState state, const std::string& id) {
        world->tick(kStalledAfterSeconds - 1);
        CHECK_FALSE(world->record(id).stalled);
        world->tick(1);
        CHECK_EQUAL(info_of(state).is_running, world->record(id).stalled);
        // Stalled is a mark, not a state.
        CHECK_TRUE(parse_state(world->state(id)) == state);
    });
}

TEST(Lifecycle, any_sign_of_life_takes_the_mark_away) {
    const std::string id = to(JoinState::kDelivering);
    world->tick(kStalledAfterSeconds);
    CHECK_TRUE(world->record(id).stalled);
    CHECK_TRUE(world->report(first, id, {}).has_value());
    CHECK_FALSE(world->record(id).stalled);
    STRCMP_EQUAL("installing", world->state(id).c_str());
    world->tick(kStalledAfterSeconds);
    CHECK_TRUE(world->record(id).stalled);
    CHECK_TRUE(world->report(first, id, result("joined")).has_value());
    CHECK_FALSE(world->record(id).stalled);
}

TEST(Lifecycle, force_takes_only_a_stalled_run_and_the_queue_goes_on) {
    const std::string running = to(JoinState::kInstalling);
    const std::string next = world->approved(second, "gamma");
    world->tick();
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world->reject(running, true)).c_str());
    world->tick(kStalledAfterSeconds);
    STRCMP_EQUAL(("waiting for node beta (" + running +
                  "), which is installing and has been silent for 10 minutes")
                     .c_str(),
                 world->record(next).wait_reason.c_str());
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world->reject(running, false)).c_str());
    STRCMP_EQUAL("ok", code_of(world->reject(running, true)).c_str());
    STRCMP_EQUAL("rejected", world->state(running).c_str());
    world->tick();
    STRCMP_EQUAL("delivering", world->state(next).c_str());
}

TEST(Lifecycle, force_is_nothing_for_what_can_be_rejected_without) {
    for (const JoinState state : {JoinState::kPending, JoinState::kApproved, JoinState::kFailed}) {
        world = std::make_unique<World>();
        STRCMP_EQUAL("ok", code_of(world->reject(to(state), true)).c_str());
    }
}

// Each call of a person in each state: the table alone says where it leads.
TEST(Lifecycle, what_a_person_may_do_is_what_the_table_says) {
    in_every_state([&](JoinState state, const std::string& id) {
        const bool retried = world->founder->retry(id, {world->admin}).has_value();
        CHECK_EQUAL(state == JoinState::kFailed, retried);
        if (retried) return;
        const bool approved = world->approve(id, approval_body(first, "beta")).has_value();
        CHECK_EQUAL(state == JoinState::kPending || state == JoinState::kApproved, approved);
        const JoinState now = *parse_state(world->state(id));
        const bool rejected = world->reject(id).has_value();
        CHECK_EQUAL(next_state(now, JoinEvent::kRejectedBy).has_value(), rejected);
    });
}

TEST(Lifecycle, approving_again_in_the_queue_changes_the_plan_and_nothing_of_its_place) {
    const std::string id = to(JoinState::kApproved);
    const JoinRecord before = world->record(id);
    CHECK_TRUE(world->approve(id, approval_body(first, "delta")).has_value());
    const JoinRecord after = world->record(id);
    STRCMP_EQUAL("delta", after.name.c_str());
    LONGS_EQUAL(before.queue_order, after.queue_order);
    STRCMP_EQUAL(before.node_id.c_str(), after.node_id.c_str());
    CHECK_TRUE(before.addresses == after.addresses);
    // The name that it gave up is free.
    const std::string other = world->pending(second);
    STRCMP_EQUAL("ok", code_of(world->approve(other, approval_body(second, "beta"))).c_str());
}

TEST(Lifecycle, an_unknown_step_that_failed_has_a_readable_title) {
    const std::string id = to(JoinState::kInstalling);
    link::Progress report = result("failed");
    link::Step step;
    step.name = "join/warm_the-cache";
    step.status = link::StepStatus::kFailed;
    step.error = "no cache";
    report.steps = {step};
    CHECK_TRUE(world->report(first, id, report).has_value());
    STRCMP_EQUAL("join/warm_the-cache", world->record(id).failed_step.c_str());
    STRCMP_EQUAL("Join warm the cache", world->record(id).failed_step_title.c_str());
    STRCMP_EQUAL("no cache", world->record(id).failed_error.c_str());
}

TEST(Lifecycle, a_clock_that_was_set_back_ends_nothing_too_early) {
    const std::string id = to(JoinState::kInstalling);
    world->clock.jump_to(world->clock.unix_seconds() - 7 * kDay);
    world->tick();
    CHECK_FALSE(world->record(id).stalled);
    STRCMP_EQUAL("installing", world->state(id).c_str());
}

} // namespace stratum::founder
