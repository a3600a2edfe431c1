// Who waits is woken by what it waits for.

#include <thread>

#include "founder/changes.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(Changes) {
    Changes changes;
};

TEST(Changes, a_change_of_another_join_wakes_nobody_who_waits_for_one) {
    JoinWatch watch(changes, "nj-a");
    changes.announce();
    changes.announce({"nj-b", "nj-c"});
    CHECK_FALSE(watch.wait(0));
    changes.announce({"nj-b", "nj-a"});
    CHECK_TRUE(watch.wait(0));
    CHECK_FALSE(watch.wait(0)); // told once
}

TEST(Changes, a_change_between_look_and_wait_is_not_missed) {
    JoinWatch watch(changes, "nj-a");
    changes.announce({"nj-a"});
    CHECK_TRUE(watch.wait(60'000));
}

TEST(Changes, a_change_wakes_one_who_waits_already) {
    JoinWatch watch(changes, "nj-a");
    std::thread other([&] { changes.announce({"nj-a"}); });
    CHECK_TRUE(watch.wait(60'000));
    other.join();
}

TEST(Changes, a_stop_ends_every_wait_for_good) {
    JoinWatch watch(changes, "nj-a");
    std::thread other([&] { changes.stop(); });
    CHECK_FALSE(watch.wait(60'000));
    other.join();
    changes.announce({"nj-a"});
    CHECK_FALSE(watch.wait(60'000));
    CHECK_FALSE(changes.wait(changes.number() + 1, 60'000));
}

TEST(Changes, of_two_who_wait_for_one_join_both_are_told) {
    JoinWatch one(changes, "nj-a");
    JoinWatch two(changes, "nj-a");
    { const JoinWatch gone(changes, "nj-a"); }
    changes.announce({"nj-a"});
    CHECK_TRUE(one.wait(0));
    CHECK_TRUE(two.wait(0));
}

TEST(Changes, what_a_person_decides_wakes_the_join_and_a_dry_run_does_not) {
    World world;
    const Machine machine(1);
    const Machine other(2);
    const std::string id = world.pending(machine);
    const auto watch = world.founder->watch_join(id);
    world.pending(other);
    ApproveOptions dry;
    dry.dry_run = true;
    dry.caller = world.admin;
    CHECK_TRUE(world.founder->approve(id, approval_body(machine, "beta"), dry).has_value());
    CHECK_FALSE(watch->wait(0));
    CHECK_TRUE(world.approve(id, approval_body(machine, "beta")).has_value());
    CHECK_TRUE(watch->wait(0));
}

} // namespace stratum::founder
