// Removing a member: who may be removed, whose turn it is, how a node leaves and what is free then.

#include <functional>

#include "founder/queue.hpp"
#include "founder/removal.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(Removal) {
    World world;
    Machine first{1};
    Machine second{2};
    Machine third{3};

    std::string node_of(const std::string& join_id) {
        return world.record(join_id).node_id;
    }
    Answer<MemberRecord> remove(const std::string& node_id, bool force = false) {
        return world.founder->remove_member(node_id, {force, world.admin});
    }
    std::optional<MemberRecord> row(const std::string& node_id) {
        const auto members = world.founder->members();
        for (const MemberRecord& member : *members)
            if (member.node_id == node_id) return member;
        return std::nullopt;
    }
    // What a member hears; `left`: it says that it has stopped being one.
    Answer<link::HeartbeatAnswer> beat(const Machine& machine, bool left = false) {
        link::Heartbeat message;
        message.generation_applied = world.generation();
        message.left = left;
        return world.founder->heartbeat(link::to_node(message), machine.key);
    }
    std::string waits_for(const std::string& node_id) {
        const auto found = row(node_id);
        return found ? found->removal_waits_for : "gone";
    }
};

TEST(Removal, a_live_member_hears_of_it_leaves_and_is_gone_with_a_new_generation) {
    const std::string join = world.joined(first, "beta");
    const std::string node = node_of(join);
    const std::int64_t before = world.generation();
    const auto asked = remove(node);
    STRCMP_EQUAL("ok", code_of(asked).c_str());
    STRCMP_EQUAL("removing", asked->status.c_str());
    STRCMP_EQUAL("waiting for node beta to stop being a member", asked->removal_waits_for.c_str());
    CHECK_TRUE(beat(first)->removal == link::Removal::kNone); // its turn has not come
    world.tick();
    CHECK_TRUE(beat(first)->removal == link::Removal::kLeave);
    LONGS_EQUAL(before, world.generation());
    const auto done = beat(first, true);
    CHECK_TRUE(done->removal == link::Removal::kDone);
    LONGS_EQUAL(before + 1, done->generation);
    CHECK_FALSE(row(node).has_value());
    LONGS_EQUAL(before + 1, world.generation());
    STRCMP_EQUAL("rejected", world.state(join).c_str());
    STRCMP_EQUAL("its node was removed from the cluster", world.record(join).ended_reason.c_str());
}

TEST(Removal, a_member_that_nobody_removes_is_not_told_to_leave) {
    world.joined(first, "beta");
    world.tick();
    CHECK_TRUE(beat(first)->removal == link::Removal::kNone);
}

TEST(Removal, a_removed_machine_is_told_so_and_what_to_do) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    CHECK_TRUE(beat(first, true).has_value());
    for (const bool left : {false, true}) {
        const auto told = beat(first, left);
        STRCMP_EQUAL("FORBIDDEN", code_of(told).c_str());
        CHECK_TRUE(told.error().details.find("removed")->as_bool());
        STRCMP_EQUAL(node.c_str(), told.error().details.find("nodeId")->as_string().c_str());
        CHECK_TRUE(told.error().detail.find("was removed from this cluster") != std::string::npos);
        CHECK_TRUE(told.error().detail.find("join code") != std::string::npos);
    }
    // A key that never was a member hears nothing of that.
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(beat(second)).c_str());
}

TEST(Removal, name_addresses_disks_place_and_key_are_free_again) {
    const std::string old_join = world.joined(first, "beta");
    const std::vector<std::string> addresses = world.record(old_join).addresses;
    CHECK_TRUE(remove(node_of(old_join)).has_value());
    world.tick();
    CHECK_TRUE(beat(first, true).has_value());
    // The same machine, disks and key, and the old name: everything it had.
    const std::string again = world.joined(first, "beta");
    CHECK_TRUE(world.record(again).addresses == addresses);
    CHECK_TRUE(node_of(again) != node_of(old_join));
    CHECK_TRUE(beat(first)->removal == link::Removal::kNone);
}

TEST(Removal, what_is_being_removed_is_not_free_yet) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    const std::string id = world.pending(second);
    const auto refusal = world.approve(id, approval_body(second, "beta"));
    STRCMP_EQUAL("JOIN_APPROVAL_REFUSED", code_of(refusal).c_str());
    STRCMP_EQUAL("name", refusal.error().errors.front().field.c_str());
}

TEST(Removal, the_founder_and_an_unknown_node_are_refused) {
    const auto self = remove("n-founder1");
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(self).c_str());
    CHECK_TRUE(self.error().detail.find("cannot remove itself") != std::string::npos);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(remove("n-founder1", true)).c_str());
    for (const char* id : {"n-nobody", "", "../x", "n-\x01", "N-UPPER"})
        STRCMP_EQUAL("NOT_FOUND", code_of(remove(id)).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(remove(std::string(500, 'n'))).c_str());
    STRCMP_EQUAL("joined", row("n-founder1")->status.c_str());
}

TEST(Removal, a_member_whose_join_runs_or_failed_is_refused_with_the_way_on) {
    const std::string running = world.installing(first, "beta");
    const auto refused_run = remove(node_of(running), true);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(refused_run).c_str());
    CHECK_TRUE(refused_run.error().detail.find(running + " is installing") != std::string::npos);
    CHECK_TRUE(refused_run.error().detail.find("reject that join with force") != std::string::npos);
    CHECK_TRUE(
        world.report(first, running, {.attempt = 1, .steps = {}, .log = {}, .result = "failed"})
            .has_value());
    const auto refused_failed = remove(node_of(running));
    CHECK_TRUE(refused_failed.error().detail.find("has failed; reject that join") !=
               std::string::npos);
}

TEST(Removal, force_is_for_a_silent_member_and_takes_its_row_at_once) {
    const std::string node = node_of(world.joined(first, "beta"));
    world.clock.advance_seconds(60);
    const auto alive = remove(node, true);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(alive).c_str());
    CHECK_TRUE(alive.error().detail.find("it is not dead") != std::string::npos);
    STRCMP_EQUAL("joined", row(node)->status.c_str());
    world.clock.advance_seconds(1);
    const std::int64_t before = world.generation();
    CHECK_TRUE(remove(node, true).has_value());
    world.tick();
    CHECK_FALSE(row(node).has_value());
    LONGS_EQUAL(before + 1, world.generation());
    // It was not dead after all: it hears what became of it.
    STRCMP_EQUAL("FORBIDDEN", code_of(beat(first)).c_str());
}

TEST(Removal, a_member_that_has_just_joined_is_not_dead_though_no_heartbeat_has_come_yet) {
    const std::string join = world.installing(first, "beta");
    CHECK_TRUE(world.report(first, join, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"})
                   .has_value());
    const std::string node = node_of(join);
    LONGS_EQUAL(0, row(node)->heard_at);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(remove(node, true)).c_str());
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    STRCMP_EQUAL("waiting for node beta to stop being a member", waits_for(node).c_str());
    world.tick(61);
    CHECK_TRUE(waits_for(node).find("remove it with force") != std::string::npos);
    CHECK_TRUE(remove(node, true).has_value());
    world.tick();
    STRCMP_EQUAL("gone", waits_for(node).c_str());
}

TEST(Removal, without_force_a_silent_member_stays_and_the_reason_says_what_to_do) {
    const std::string node = node_of(world.joined(first, "beta"));
    world.tick(120);
    CHECK_TRUE(remove(node).has_value());
    world.tick(3600);
    CHECK_TRUE(waits_for(node).find("waiting for node beta, which was last heard from at 2026-") ==
               0);
    CHECK_TRUE(waits_for(node).find("remove it with force") != std::string::npos);
    CHECK_TRUE(remove(node, true).has_value());
    world.tick();
    STRCMP_EQUAL("gone", waits_for(node).c_str());
}

TEST(Removal, a_member_that_speaks_again_before_its_turn_leaves_by_itself) {
    const std::string running_first = world.joined(first, "beta");
    const std::string node = node_of(running_first);
    const std::string running = world.installing(second, "gamma");
    world.tick(61);
    CHECK_TRUE(remove(node, true).has_value());
    world.tick();
    CHECK_TRUE(
        waits_for(node).find("waiting for node gamma (" + running + "), which is installing") == 0);
    CHECK_TRUE(
        world.report(second, running, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"})
            .has_value());
    CHECK_TRUE(beat(first).has_value()); // alive
    world.tick();
    CHECK_TRUE(row(node).has_value());
    CHECK_TRUE(beat(first)->removal == link::Removal::kLeave);
}

TEST(Removal, one_that_was_told_and_does_not_leave_can_be_forced_after_ten_minutes) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    world.clock.advance_seconds(kRemovalStalledAfterSeconds - 1);
    CHECK_TRUE(beat(first).has_value());
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(remove(node, true)).c_str());
    world.clock.advance_seconds(1);
    CHECK_TRUE(remove(node, true).has_value());
    world.tick();
    CHECK_FALSE(row(node).has_value());
}

TEST(Removal, asked_again_it_is_the_same_removal) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    const auto once = row(node);
    world.clock.advance_seconds(5);
    CHECK_TRUE(remove(node).has_value());
    LONGS_EQUAL(once->removal_order, row(node)->removal_order);
    LONGS_EQUAL(once->removal_asked_at, row(node)->removal_asked_at);
    STRCMP_EQUAL("cluster.member.removing/ok ", world.audit_actions().substr(0, 27).c_str());
    CHECK_TRUE(world.audit_actions().find("removing", 30) == std::string::npos);
}

TEST(Removal, waits_for_a_running_join_by_name_and_begins_when_it_is_done) {
    const std::string node = node_of(world.joined(first, "beta"));
    const std::string running = world.installing(second, "gamma");
    const auto asked = remove(node);
    STRCMP_EQUAL(("waiting for node gamma (" + running + "), which is installing").c_str(),
                 asked->removal_waits_for.c_str());
    world.tick();
    CHECK_TRUE(beat(first)->removal == link::Removal::kNone);
    CHECK_TRUE(
        world.report(second, running, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"})
            .has_value());
    world.tick();
    CHECK_TRUE(beat(first)->removal == link::Removal::kLeave);
}

TEST(Removal, a_queued_join_waits_for_it_by_name_and_starts_when_it_is_over) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    const std::string queued = world.approved(second, "gamma");
    world.tick();
    STRCMP_EQUAL("waiting for node beta to be removed", world.record(queued).wait_reason.c_str());
    CHECK_TRUE(beat(first, true).has_value());
    world.tick();
    STRCMP_EQUAL("delivering", world.state(queued).c_str());
}

TEST(Removal, two_go_one_after_the_other_in_the_order_they_were_asked_for) {
    const std::string beta = node_of(world.joined(first, "beta"));
    const std::string gamma = node_of(world.joined(second, "gamma"));
    CHECK_TRUE(remove(gamma).has_value());
    CHECK_TRUE(remove(beta).has_value());
    world.tick();
    STRCMP_EQUAL("waiting for node gamma, which is to be removed before it",
                 waits_for(beta).c_str());
    CHECK_TRUE(beat(first)->removal == link::Removal::kNone);
    CHECK_TRUE(beat(second)->removal == link::Removal::kLeave);
    CHECK_TRUE(beat(second, true).has_value());
    world.tick();
    CHECK_TRUE(beat(first)->removal == link::Removal::kLeave);
}

TEST(Removal, one_that_waits_for_its_turn_can_be_taken_back_and_begins_anew) {
    const std::string node = node_of(world.joined(first, "beta"));
    const std::string running = world.installing(second, "gamma");
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    const std::int64_t generation = world.generation();
    const auto kept = world.founder->keep_member(node, world.admin);
    STRCMP_EQUAL("ok", code_of(kept).c_str());
    STRCMP_EQUAL("joined", kept->status.c_str());
    CHECK_TRUE(*row(node) == *kept);
    LONGS_EQUAL(generation, world.generation());
    STRCMP_EQUAL("cluster.member.kept/ok", world.audit_actions().substr(0, 22).c_str());
    world.tick(5);
    CHECK_TRUE(beat(first)->removal == link::Removal::kNone);
    // Asked for again it is a new removal.
    CHECK_TRUE(remove(node).has_value());
    STRCMP_EQUAL("removing", row(node)->status.c_str());
    STRCMP_EQUAL("ok", code_of(world.founder->keep_member(node, world.admin)).c_str());
}

TEST(Removal, one_that_was_told_to_leave_or_that_nobody_asked_for_cannot_be_taken_back) {
    const std::string node = node_of(world.joined(first, "beta"));
    STRCMP_EQUAL("JOIN_STATE_CONFLICT",
                 code_of(world.founder->keep_member(node, world.admin)).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(world.founder->keep_member("n-none", world.admin)).c_str());
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    CHECK_TRUE(beat(first)->removal == link::Removal::kLeave);
    const auto late = world.founder->keep_member(node, world.admin);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(late).c_str());
    CHECK_TRUE(late.error().detail.find("was told to leave") != std::string::npos);
    STRCMP_EQUAL("removing", row(node)->status.c_str());
    CHECK_TRUE(beat(first, true)->removal == link::Removal::kDone);
    STRCMP_EQUAL("NOT_FOUND", code_of(world.founder->keep_member(node, world.admin)).c_str());
}

TEST(Removal, a_word_of_leaving_that_nobody_asked_for_is_told_and_removes_nothing) {
    const std::string node = node_of(world.joined(first, "beta"));
    const auto heard = beat(first, true);
    CHECK_TRUE(heard->removal == link::Removal::kNone);
    STRCMP_EQUAL("joined", row(node)->status.c_str());
    CHECK_FALSE(row(node)->healthy);
    STRCMP_EQUAL("node beta is not healthy: its machine has left the cluster; remove the node",
                 world.founder->cluster()->reasons.front().c_str());
    // The way on: a person removes it, and its next word is enough.
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    CHECK_TRUE(beat(first, true)->removal == link::Removal::kDone);
    CHECK_TRUE(world.founder->cluster()->reasons.empty());
}

TEST(Removal, a_member_being_removed_holds_neither_health_nor_generation) {
    const std::string node = node_of(world.joined(first, "beta"));
    world.tick(61);
    CHECK_FALSE(world.founder->cluster()->green);
    CHECK_TRUE(remove(node).has_value());
    CHECK_TRUE(world.founder->cluster()->green);
}

TEST(Removal, is_audited_with_who_asked) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    CHECK_TRUE(beat(first, true).has_value());
    const auto entries = world.founder->audit({2, ""})->entries;
    STRCMP_EQUAL("cluster.member.removed", entries.at(0).action.c_str());
    STRCMP_EQUAL(("member/" + node).c_str(), entries.at(0).object.c_str());
    STRCMP_EQUAL("tk-test", entries.at(0).actor.c_str());
    STRCMP_EQUAL("192.0.2.1", entries.at(0).from.c_str());
    STRCMP_EQUAL("cluster.member.removing", entries.at(1).action.c_str());
}

TEST(Removal, goes_on_after_a_restart_of_the_founder_at_every_step) {
    const std::string node = node_of(world.joined(first, "beta"));
    const std::int64_t before = world.generation();
    const auto restarted = [&](const std::function<void()>& step) {
        step();
        world.restart();
    };
    restarted([&] { CHECK_TRUE(remove(node).has_value()); });
    STRCMP_EQUAL("removing", row(node)->status.c_str());
    restarted([&] { world.tick(); });
    restarted([&] { CHECK_TRUE(beat(first)->removal == link::Removal::kLeave); });
    restarted([&] { CHECK_TRUE(beat(first, true)->removal == link::Removal::kDone); });
    CHECK_FALSE(row(node).has_value());
    LONGS_EQUAL(before + 1, world.generation());
    // The answer was lost with the founder: the same word again is heard as done.
    STRCMP_EQUAL("FORBIDDEN", code_of(beat(first, true)).c_str());
    LONGS_EQUAL(before + 1, world.generation());
}

TEST(Removal, a_reason_that_does_not_change_is_not_written_again) {
    const std::string node = node_of(world.joined(first, "beta"));
    CHECK_TRUE(remove(node).has_value());
    world.tick();
    const std::uint64_t seen = world.founder->change_number();
    for (int i = 0; i < 5; ++i) world.tick(1);
    CHECK_TRUE(seen == world.founder->change_number());
}

} // namespace stratum::founder
