// The queue: what its head waits for, in which order, in which words; and what time does.

#include "common/config/node_config.hpp"
#include "founder/delivery.hpp"
#include "founder/queue.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

MemberRecord member(const std::string& name, std::int64_t heard_at, std::int64_t applied) {
    MemberRecord made;
    made.node_id = "n-" + name;
    made.name = name;
    made.status = "joined";
    made.heard_at = heard_at;
    made.generation_applied = applied;
    return made;
}

JoinRecord queued(const std::string& name, std::int64_t order,
                  JoinState state = JoinState::kApproved) {
    JoinRecord made;
    made.id = "nj-" + name;
    made.name = name;
    made.queue_order = order;
    made.state = state;
    return made;
}

} // namespace

TEST_GROUP(Queue) {
    QueueFacts facts{.now = 1'796'040'000,
                     .generation = 7,
                     .self_node_id = "n-alpha",
                     .members = {member("alpha", 0, 0), member("beta", 1'796'039'970, 7)},
                     .joins = {queued("gamma", 1)}};

    std::string waits(std::size_t join = 0) {
        return why_waiting(facts, facts.joins.at(join));
    }
};

TEST(Queue, the_head_of_a_green_and_idle_cluster_may_start) {
    STRCMP_EQUAL("", waits().c_str());
}

TEST(Queue, the_serving_founder_counts_itself) {
    CHECK_TRUE(why_not_green(facts).empty());
    facts.self_node_id = "n-other";
    CHECK_FALSE(why_not_green(facts).empty());
}

TEST(Queue, a_member_heard_from_a_minute_ago_is_well_and_a_second_later_is_not) {
    facts.members[1].heard_at = facts.now - 60;
    STRCMP_EQUAL("", waits().c_str());
    facts.members[1].heard_at = facts.now - 61;
    STRCMP_EQUAL("waiting for the cluster to be green: node beta was last heard from at "
                 "2026-11-30T11:58:59Z",
                 waits().c_str());
}

TEST(Queue, a_member_that_never_spoke_or_is_not_healthy_holds_it) {
    facts.members[1].heard_at = 0;
    STRCMP_EQUAL("waiting for the cluster to be green: node beta has not been heard from since it "
                 "joined",
                 waits().c_str());
    facts.members[1].heard_at = facts.now;
    facts.members[1].healthy = false;
    facts.members[1].complaints = {"disk sda is full"};
    STRCMP_EQUAL("waiting for the cluster to be green: node beta is not healthy: disk sda is full",
                 waits().c_str());
}

TEST(Queue, a_joining_member_does_not_count_for_health) {
    facts.members[1].status = "joining";
    facts.members[1].heard_at = 0;
    STRCMP_EQUAL("", waits().c_str());
}

TEST(Queue, a_running_join_holds_it) {
    facts.joins.push_back(queued("delta", 0, JoinState::kInstalling));
    STRCMP_EQUAL("waiting for node delta (nj-delta), which is installing", waits().c_str());
    facts.joins[1].stalled = true;
    STRCMP_EQUAL("waiting for node delta (nj-delta), which is installing and has been silent for "
                 "10 minutes",
                 waits().c_str());
}

TEST(Queue, a_removal_holds_it) {
    facts.members.push_back(member("eta", facts.now, 7));
    facts.members.back().status = "removing";
    STRCMP_EQUAL("waiting for node eta to be removed", waits().c_str());
}

TEST(Queue, a_generation_not_applied_holds_it_by_name) {
    facts.members[1].generation_applied = 6;
    STRCMP_EQUAL("waiting for node beta to apply membership generation 7 (it has 6)",
                 waits().c_str());
}

TEST(Queue, a_health_check_that_fails_holds_it_with_its_name_and_what_it_said) {
    facts.failing_checks = {"health check etcd ended with exit code 1: no quorum"};
    STRCMP_EQUAL("waiting for the cluster to be green: health check etcd ended with exit code 1: "
                 "no quorum",
                 waits().c_str());
    LONGS_EQUAL(1, why_not_green(facts).size());
}

// Takes the causes away one after the other: each time the next one in the order is named.
TEST(Queue, the_first_cause_is_named_in_the_order_members_checks_run_removal_generation) {
    facts.members[1].generation_applied = 6;
    facts.members[1].healthy = false;
    facts.failing_checks = {"health check etcd has not run yet"};
    facts.joins.push_back(queued("delta", 0, JoinState::kInstalling));
    facts.members.push_back(member("eta", facts.now, 7));
    facts.members.back().status = "removing";
    CHECK_TRUE(waits().find("green: node beta is not healthy") != std::string::npos);
    facts.members[1].healthy = true;
    CHECK_TRUE(waits().find("green: health check etcd") != std::string::npos);
    facts.failing_checks.clear();
    CHECK_TRUE(waits().find("node delta (nj-delta), which is installing") != std::string::npos);
    facts.joins.pop_back();
    STRCMP_EQUAL("waiting for node eta to be removed", waits().c_str());
    facts.members.pop_back();
    CHECK_TRUE(waits().find("node beta to apply membership generation 7 (it has 6)") !=
               std::string::npos);
    facts.members[1].generation_applied = 7;
    STRCMP_EQUAL("", waits().c_str());
}

TEST(Queue, a_removal_waits_for_a_running_join_and_for_earlier_removals_only) {
    MemberRecord first = member("eta", 0, 0);
    first.status = "removing";
    first.removal_order = 1;
    MemberRecord second = member("theta", 0, 0);
    second.status = "removing";
    second.removal_order = 2;
    facts.members = {second, first};
    facts.failing_checks = {"health check etcd has not run yet"};
    STRCMP_EQUAL("", why_removal_waits(facts, first).c_str());
    STRCMP_EQUAL("waiting for node eta, which is to be removed before it",
                 why_removal_waits(facts, second).c_str());
    facts.joins.push_back(queued("delta", 0, JoinState::kDelivering));
    STRCMP_EQUAL("waiting for node delta (nj-delta), which is delivering",
                 why_removal_waits(facts, first).c_str());
}

TEST(Queue, whoever_is_not_the_head_waits_for_it) {
    facts.joins.push_back(queued("delta", 2));
    STRCMP_EQUAL("waiting for node gamma (nj-gamma), which is before it in the queue",
                 waits(1).c_str());
}

TEST(Queue, the_order_is_the_running_one_then_by_approval) {
    facts.joins = {queued("c", 3), queued("b", 2), queued("a", 9, JoinState::kDelivering)};
    std::string order;
    for (const JoinRecord& join : queue_order(facts)) order += join.name;
    STRCMP_EQUAL("abc", order.c_str());
}

// ---- the whole, with time

TEST_GROUP(Delivery) {
    World world;
    Machine first{1};
    Machine second{2};

    // When the clock looks at a live join again, as the store has it.
    std::string live_note(const std::string& id) {
        std::string text = "none";
        (void)world.store->read([&](Transaction& tx) -> Status {
            text = tx.get(Kind::kLiveJoin, id)->value_or("none");
            return {};
        });
        return text;
    }
};

TEST(Delivery, writes_the_member_row_a_generation_and_both_files) {
    const std::string id = world.approved(first, "beta");
    const std::int64_t before = world.generation();
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.founder->node_yaml(id, first.key)).c_str());
    world.tick();
    LONGS_EQUAL(before + 1, world.generation());
    const auto members = world.founder->members();
    STRCMP_EQUAL("beta", members->at(1).name.c_str());
    STRCMP_EQUAL("joining", members->at(1).status.c_str());
    STRCMP_EQUAL("10.20.0.11", members->at(1).mgmt_address.c_str());
    const auto yaml = world.founder->node_yaml(id, first.key);
    const auto bundle = world.founder->bundle(id, first.key);
    const auto view = world.view(first, id);
    STRCMP_EQUAL(view->node_yaml_sha256.c_str(), yaml->sha256.c_str());
    STRCMP_EQUAL(view->bundle_sha256.c_str(), bundle->sha256.c_str());
    const auto node = config::check_node_yaml(yaml->bytes).config;
    LONGS_EQUAL(before + 1, node->cluster->generation);
    LONGS_EQUAL(2, node->cluster->members.size());
}

TEST(Delivery, is_for_the_joins_own_key) {
    const std::string id = world.delivering(first, "beta");
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(world.founder->node_yaml(id, second.key)).c_str());
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(world.founder->bundle(id, second.key)).c_str());
}

TEST(Delivery, the_second_starts_only_when_the_first_is_joined_and_has_confirmed) {
    const std::string a = world.installing(first, "beta");
    const std::string b = world.approved(second, "gamma");
    world.tick();
    STRCMP_EQUAL(("waiting for node beta (" + a + "), which is installing").c_str(),
                 world.record(b).wait_reason.c_str());
    CHECK_TRUE(world.report(first, a, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"})
                   .has_value());
    world.tick();
    STRCMP_EQUAL("waiting for the cluster to be green: node beta has not been heard from since it "
                 "joined",
                 world.record(b).wait_reason.c_str());
    CHECK_TRUE(world.beat(first, 1).has_value());
    world.tick();
    STRCMP_EQUAL("waiting for node beta to apply membership generation 2 (it has 1)",
                 world.record(b).wait_reason.c_str());
    CHECK_TRUE(world.beat(first, 2).has_value());
    world.tick();
    STRCMP_EQUAL("delivering", world.state(b).c_str());
    STRCMP_EQUAL("", world.record(b).wait_reason.c_str());
}

TEST(Delivery, a_failing_health_check_holds_the_queue_until_it_passes) {
    health::Check check;
    check.name = "etcd";
    check.command = {"etcdctl"};
    health::Board& board = world.founder->health();
    board.set_checks({check});
    const std::string id = world.approved(first, "beta");
    world.tick();
    STRCMP_EQUAL("waiting for the cluster to be green: health check etcd has not run yet",
                 world.record(id).wait_reason.c_str());
    CHECK_TRUE(
        board.put(check, {false, "ended with exit code 1: no quorum"}, world.clock.unix_seconds()));
    world.tick();
    STRCMP_EQUAL("waiting for the cluster to be green: health check etcd ended with exit code 1: "
                 "no quorum",
                 world.record(id).wait_reason.c_str());
    CHECK_FALSE(world.founder->cluster()->green);
    STRCMP_EQUAL("etcd", world.founder->cluster()->checks.at(0).check.name.c_str());
    CHECK_TRUE(board.put(check, {true, ""}, world.clock.unix_seconds()));
    CHECK_TRUE(world.founder->cluster()->green);
    world.tick();
    STRCMP_EQUAL("delivering", world.state(id).c_str());
    // What runs is not stopped by it.
    CHECK_TRUE(board.put(check, {false, "ended with exit code 1"}, world.clock.unix_seconds()));
    world.tick();
    STRCMP_EQUAL("delivering", world.state(id).c_str());
}

TEST(Delivery, a_file_of_checks_that_is_wrong_holds_the_queue) {
    world.founder->health().set_fault("health.yaml:1:1: …");
    const std::string id = world.approved(first, "beta");
    world.tick();
    STRCMP_EQUAL("waiting for the cluster to be green: the health checks' file cannot be used: "
                 "health.yaml:1:1: …",
                 world.record(id).wait_reason.c_str());
}

TEST(Delivery, a_change_of_health_is_told_to_those_who_wait) {
    const std::uint64_t seen = world.founder->change_number();
    world.founder->health_changed();
    CHECK_TRUE(world.founder->wait_for_change(seen, 0));
}

TEST(Delivery, an_approval_tells_at_once_what_it_waits_for) {
    const std::string a = world.installing(first, "beta");
    const std::string b = world.approved(second, "gamma");
    STRCMP_EQUAL(("waiting for node beta (" + a + "), which is installing").c_str(),
                 world.record(b).wait_reason.c_str());
}

TEST(Delivery, a_silent_member_holds_the_queue) {
    world.joined(first, "beta");
    const std::string b = world.approved(second, "gamma");
    world.tick(61);
    STRCMP_EQUAL("approved", world.state(b).c_str());
    CHECK_TRUE(world.beat(first, world.generation(), false).has_value());
    world.tick();
    STRCMP_EQUAL("approved", world.state(b).c_str());
    CHECK_TRUE(world.beat(first, world.generation()).has_value());
    world.tick();
    STRCMP_EQUAL("delivering", world.state(b).c_str());
}

TEST(Delivery, a_failed_join_lets_the_next_one_start) {
    world.failed(first, "beta");
    const std::string b = world.approved(second, "gamma");
    world.tick();
    STRCMP_EQUAL("delivering", world.state(b).c_str());
}

TEST(Delivery, a_wait_that_does_not_change_makes_no_new_revision) {
    world.installing(first, "beta");
    const std::string b = world.approved(second, "gamma");
    world.tick();
    const std::int64_t revision = world.record(b).revision;
    for (int i = 0; i < 5; ++i) world.tick(1);
    LONGS_EQUAL(revision, world.record(b).revision);
}

TEST(Delivery, survives_a_restart_of_the_founder_at_every_step) {
    const std::string a = world.approved(first, "beta");
    world.restart();
    world.tick();
    STRCMP_EQUAL("delivering", world.state(a).c_str());
    const std::string before = world.founder->node_yaml(a, first.key)->sha256;
    world.restart();
    world.tick();
    STRCMP_EQUAL(before.c_str(), world.founder->node_yaml(a, first.key)->sha256.c_str());
    CHECK_TRUE(world.report(first, a, {}).has_value());
    world.restart();
    world.tick();
    STRCMP_EQUAL("installing", world.state(a).c_str());
}

TEST(Delivery, a_bundle_that_cannot_be_made_holds_the_join_and_says_why) {
    world.options.bundle_folder = "/bundle";
    world.files.put("/bundle/bundle.json", R"({"version":1,"steps":[{"name":"etcd"}]})");
    world.restart();
    const std::string id = world.approved(first, "beta");
    const std::int64_t generation = world.generation();
    world.tick();
    STRCMP_EQUAL("approved", world.state(id).c_str());
    CHECK_TRUE(world.record(id).wait_reason.find("its bundle cannot be made: bundle.json: "
                                                 "steps[0].argv") == 0);
    LONGS_EQUAL(generation, world.generation());
    LONGS_EQUAL(1, world.founder->members()->size());
    world.files.put("/bundle/bundle.json",
                    R"({"version":1,"steps":[{"name":"etcd","argv":["files/etcd"]}]})");
    world.tick();
    STRCMP_EQUAL("delivering", world.state(id).c_str());
}

TEST(Delivery, a_running_join_is_stalled_after_ten_silent_minutes_and_speaks_again) {
    const std::string id = world.installing(first, "beta");
    world.tick(599);
    CHECK_FALSE(world.record(id).stalled);
    world.tick(1);
    CHECK_TRUE(world.record(id).stalled);
    CHECK_TRUE(world.view(first, id).has_value());
    CHECK_FALSE(world.record(id).stalled);
    world.tick(300);
    CHECK_TRUE(world.view(first, id).has_value());
    world.tick(599);
    CHECK_FALSE(world.record(id).stalled);
}

TEST(Delivery, a_pending_join_expires_a_day_after_its_code) {
    const std::string id = world.pending(first);
    world.tick(3600 + 24 * 3600 - 1);
    STRCMP_EQUAL("pending", world.state(id).c_str());
    world.tick(1);
    STRCMP_EQUAL("expired", world.state(id).c_str());
    CHECK_FALSE(world.view(first, id)->ended_reason.empty());
    CHECK_TRUE(world.audit_actions().find("cluster.join.expired/ok") != std::string::npos);
}

// What is noted beside a live join's id spares reading it; a note that says nothing spares nothing.
TEST(Delivery, a_live_join_whose_note_says_nothing_is_read) {
    const std::string id = world.pending(first);
    CHECK_TRUE(world.store
                   ->write([&](Transaction& tx) -> Result<Ending> {
                       (void)tx.put(Kind::kLiveJoin, id, "0000000000000001");
                       return Ending::kCommit;
                   })
                   .has_value());
    world.tick(3600 + 24 * 3600);
    STRCMP_EQUAL("expired", world.state(id).c_str());
}

TEST(Delivery, a_live_join_is_noted_to_be_looked_at_never_too_late) {
    const std::string id = world.pending(first);
    const auto note = [&] { return live_note(id); };
    const std::string expires = std::to_string(world.record(id).expires_at);
    STRCMP_EQUAL(expires.c_str(), note().c_str());
    CHECK_TRUE(world.approve(id, approval_body(first, "beta")).has_value());
    STRCMP_EQUAL(expires.c_str(), note().c_str()); // it never expires now: one look in vain
    world.tick();
    STRCMP_EQUAL("delivering", world.state(id).c_str());
    STRCMP_EQUAL("0", note().c_str()); // it may fall silent
}

TEST(Delivery, a_look_in_vain_is_the_last_for_a_while) {
    world.installing(first, "beta");
    const std::string id = world.approved(second, "gamma");
    const auto note = [&] { return live_note(id); };
    for (const char* older : {"approved 1", "0000000000000001", "nothing of the kind"}) {
        CHECK_TRUE(world.store
                       ->write([&](Transaction& tx) -> Result<Ending> {
                           (void)tx.put(Kind::kLiveJoin, id, older);
                           return Ending::kCommit;
                       })
                       .has_value());
        world.tick();
        STRCMP_EQUAL(std::to_string(INT64_MAX).c_str(), note().c_str());
        STRCMP_EQUAL("approved", world.state(id).c_str());
    }
}

TEST(Delivery, an_approved_join_does_not_expire) {
    world.installing(first, "beta");
    const std::string b = world.approved(second, "gamma");
    world.tick(30 * 24 * 3600);
    STRCMP_EQUAL("approved", world.state(b).c_str());
}

} // namespace stratum::founder
