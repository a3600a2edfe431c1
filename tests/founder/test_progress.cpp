// Progress and heartbeats: what is kept, once, and what follows from it.

#include "common/link/step_titles.hpp"
#include "founder/documents.hpp"
#include "founder/store/tables.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

link::Progress lines(std::int64_t from, std::int64_t to) {
    link::Progress report;
    for (std::int64_t seq = from; seq <= to; ++seq)
        report.log.push_back({seq, 1'796'040'000, "line " + std::to_string(seq)});
    return report;
}

link::Step step(const std::string& name, link::StepStatus status, const std::string& error = {}) {
    link::Step made;
    made.name = name;
    made.status = status;
    made.error = error;
    return made;
}

} // namespace

TEST_GROUP(Progress) {
    World world;
    Machine machine{1};
};

TEST(Progress, the_first_report_makes_it_installing) {
    const std::string id = world.delivering(machine, "beta");
    const auto last = world.report(machine, id, lines(1, 3));
    LONGS_EQUAL(3, *last);
    STRCMP_EQUAL("installing", world.state(id).c_str());
}

TEST(Progress, a_report_sent_again_keeps_nothing_twice) {
    const std::string id = world.delivering(machine, "beta");
    CHECK_TRUE(world.report(machine, id, lines(1, 3)).has_value());
    const std::int64_t revision = world.record(id).revision;
    LONGS_EQUAL(3, *world.report(machine, id, lines(1, 3)));
    LONGS_EQUAL(revision, world.record(id).revision);
    LONGS_EQUAL(5, *world.report(machine, id, lines(2, 5)));
    const auto log = world.founder->join(id)->log;
    LONGS_EQUAL(5, log.size());
    STRCMP_EQUAL("line 5", log.back().line.c_str());
}

TEST(Progress, the_last_two_thousand_lines_are_kept) {
    const std::string id = world.delivering(machine, "beta");
    for (int i = 0; i < 3; ++i)
        CHECK_TRUE(world.report(machine, id, lines(i * 700 + 1, i * 700 + 700)).has_value());
    const auto log = world.founder->join(id)->log;
    LONGS_EQUAL(2000, log.size());
    STRCMP_EQUAL("line 101", log.front().line.c_str());
    STRCMP_EQUAL("line 2100", log.back().line.c_str());
    LONGS_EQUAL(2, world.founder->log_after(id, 2098)->size());
}

TEST(Progress, steps_are_shown_with_a_title_always) {
    const std::string id = world.delivering(machine, "beta");
    link::Progress report;
    report.steps = {step("storage", link::StepStatus::kDone),
                    step("join/raft-openbao", link::StepStatus::kRunning),
                    step("join/own_thing", link::StepStatus::kPending)};
    report.steps[2].title = "Doing our own thing";
    CHECK_TRUE(world.report(machine, id, report).has_value());
    const Node shown = join_document(*world.founder->join(id));
    const auto& steps = shown.find("steps")->items();
    STRCMP_EQUAL("Preparing the confirmed disks", steps[0].find("title")->as_string().c_str());
    STRCMP_EQUAL("Joining the OpenBao raft", steps[1].find("title")->as_string().c_str());
    STRCMP_EQUAL("Doing our own thing", steps[2].find("title")->as_string().c_str());
    STRCMP_EQUAL("Join own thing", link::step_title("join/own_thing").c_str());
    STRCMP_EQUAL("Upgrading to the cluster's release", link::step_title("upgrade").c_str());
}

TEST(Progress, joined_makes_the_member_joined) {
    const std::string id = world.joined(machine, "beta");
    STRCMP_EQUAL("joined", world.founder->members()->at(1).status.c_str());
    CHECK_TRUE(world.audit_actions().find("cluster.join.joined/ok") != std::string::npos);
    // A lost answer: the same again is no fault.
    CHECK_TRUE(world.report(machine, id, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"})
                   .has_value());
}

TEST(Progress, failed_names_the_step_its_title_and_the_error) {
    const std::string id = world.failed(machine, "beta");
    const JoinRecord record = world.record(id);
    STRCMP_EQUAL("storage", record.failed_step.c_str());
    STRCMP_EQUAL("Preparing the confirmed disks", record.failed_step_title.c_str());
    STRCMP_EQUAL("the disk changed", record.failed_error.c_str());
    STRCMP_EQUAL("storage", world.view(machine, id)->failed_step.c_str());
}

TEST(Progress, a_delivery_that_was_refused_is_the_fault_of_no_one_step) {
    const std::string id = world.delivering(machine, "beta");
    CHECK_TRUE(world.report(machine, id, {.attempt = 1, .steps = {}, .log = {}, .result = "failed"})
                   .has_value());
    STRCMP_EQUAL("failed", world.state(id).c_str());
    STRCMP_EQUAL("join", world.record(id).failed_step.c_str());
    STRCMP_EQUAL("Joining the cluster", world.record(id).failed_step_title.c_str());
}

TEST(Progress, of_an_older_attempt_is_200_and_ignored) {
    const std::string id = world.failed(machine, "beta");
    CHECK_TRUE(world.founder->retry(id, {world.admin}).has_value());
    world.tick();
    CHECK_TRUE(world.report(machine, id, {.attempt = 1, .steps = {}, .log = {}, .result = "joined"})
                   .has_value());
    STRCMP_EQUAL("delivering", world.state(id).c_str());
}

TEST(Progress, log_lines_of_a_second_attempt_begin_again_and_both_are_kept) {
    const std::string id = world.delivering(machine, "beta");
    link::Progress report = lines(1, 3);
    report.result = "failed";
    CHECK_TRUE(world.report(machine, id, report).has_value());
    CHECK_TRUE(world.founder->retry(id, {world.admin}).has_value());
    world.tick();
    link::Progress again = lines(1, 2);
    again.attempt = 2;
    LONGS_EQUAL(2, *world.report(machine, id, again));
    LONGS_EQUAL(5, world.founder->join(id)->log.size());
}

TEST(Progress, before_the_delivery_or_after_the_end_is_a_conflict) {
    const std::string id = world.pending(machine);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.report(machine, id, lines(1, 1))).c_str());
    CHECK_TRUE(world.reject(id).has_value());
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.report(machine, id, lines(1, 1))).c_str());
}

TEST(Progress, of_another_key_is_403) {
    const std::string id = world.delivering(machine, "beta");
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(world.report(Machine(2), id, lines(1, 1))).c_str());
}

TEST(Progress, of_an_upgrade_is_kept_and_the_state_stays) {
    World upgrading(">=0.5.0");
    Machine older{1};
    older.release = "0.5.0";
    older.self_upgrade = true;
    const auto answer = upgrading.register_with(older, upgrading.code());
    CHECK_TRUE(upgrading.reveal(older, answer->id).has_value());
    link::Progress report;
    report.steps = {step("upgrade/fetch", link::StepStatus::kFailed, "no mirror answers")};
    report.result = "failed";
    CHECK_TRUE(upgrading.report(older, answer->id, report).has_value());
    const JoinRecord record = upgrading.record(answer->id);
    CHECK_TRUE(record.state == JoinState::kNeedsUpgrade);
    STRCMP_EQUAL("upgrade/fetch", record.failed_step.c_str());
    STRCMP_EQUAL("no mirror answers", record.failed_error.c_str());
}

// ---- heartbeats

TEST_GROUP(Heartbeats) {
    World world;
    Machine machine{1};
};

TEST(Heartbeats, a_members_is_answered_with_the_newer_list) {
    world.joined(machine, "beta");
    const auto older = world.beat(machine, 1);
    LONGS_EQUAL(2, older->generation);
    LONGS_EQUAL(2, older->members->size());
    CHECK_FALSE(world.beat(machine, 2)->members.has_value());
}

TEST(Heartbeats, are_kept) {
    world.joined(machine, "beta");
    world.clock.advance_seconds(5);
    CHECK_TRUE(world.beat(machine, 2, false).has_value());
    const MemberRecord member = world.founder->members()->at(1);
    LONGS_EQUAL(world.clock.unix_seconds(), member.heard_at);
    LONGS_EQUAL(2, member.generation_applied);
    CHECK_FALSE(member.healthy);
    CHECK_FALSE(world.founder->cluster()->green);
    STRCMP_EQUAL("node beta is not healthy: disk sda is full",
                 world.founder->cluster()->reasons.at(0).c_str());
}

TEST(Heartbeats, nobody_applies_what_is_not_made_yet) {
    world.joined(machine, "beta");
    CHECK_TRUE(world.beat(machine, 99).has_value());
    LONGS_EQUAL(2, world.founder->members()->at(1).generation_applied);
}

TEST(Heartbeats, of_a_key_that_is_no_members_is_403) {
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(world.beat(machine, 1)).c_str());
    world.pending(machine);
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(world.beat(machine, 1)).c_str());
}

// ---- lists, networks, tokens, audit

TEST_GROUP(Lists) {
    World world;
};

TEST(Lists, joins_come_newest_first_in_pages) {
    std::vector<std::string> ids;
    for (int i = 1; i <= 5; ++i) ids.push_back(world.pending(Machine(i)));
    const auto first = world.founder->joins({std::nullopt, 2, ""});
    LONGS_EQUAL(2, first->joins.size());
    STRCMP_EQUAL(ids[4].c_str(), first->joins[0].id.c_str());
    const auto second = world.founder->joins({std::nullopt, 2, first->next_cursor});
    STRCMP_EQUAL(ids[2].c_str(), second->joins[0].id.c_str());
    const auto last = world.founder->joins({std::nullopt, 2, second->next_cursor});
    LONGS_EQUAL(1, last->joins.size());
    STRCMP_EQUAL("", last->next_cursor.c_str());
    STRCMP_EQUAL("INVALID_INPUT", code_of(world.founder->joins({std::nullopt, 2, "x'--"})).c_str());
}

TEST(Lists, joins_can_be_asked_for_by_state) {
    world.pending(Machine(1));
    const std::string rejected = world.pending(Machine(2));
    CHECK_TRUE(world.reject(rejected).has_value());
    const auto page = world.founder->joins({JoinState::kRejected, 100, ""});
    LONGS_EQUAL(1, page->joins.size());
    STRCMP_EQUAL(rejected.c_str(), page->joins[0].id.c_str());
}

TEST(Lists, a_summary_has_no_inventory_and_no_log_and_the_whole_has) {
    const std::string id = world.pending(Machine(1));
    const Node summary = summary_document(world.record(id));
    CHECK_TRUE(summary.find("inventory") == nullptr);
    CHECK_TRUE(summary.find("log") == nullptr);
    const Node whole = join_document(*world.founder->join(id));
    CHECK_TRUE(whole.find("inventory") != nullptr);
    CHECK_TRUE(whole.find("log") != nullptr);
    for (const char* secret : {"commitment", "founderNonce", "founderProof", "joinerNonce"})
        CHECK_TRUE(whole.find(secret) == nullptr);
}

TEST(Lists, networks_count_what_is_used_and_free) {
    const auto before = world.founder->networks();
    STRCMP_EQUAL("storage", before->networks[0].network.name.c_str());
    LONGS_EQUAL(1, before->networks[0].used);
    LONGS_EQUAL(253, before->networks[0].free);
    world.approved(Machine(1), "beta");
    const auto after = world.founder->networks();
    LONGS_EQUAL(2, after->networks[0].used);
    LONGS_EQUAL(252, after->networks[0].free);
}

TEST_GROUP(Tokens) {
    World world;
};

TEST(Tokens, the_bootstrap_admins_opens_and_another_does_not) {
    const auto known = world.founder->authenticate(world.token);
    CHECK_TRUE(known.has_value());
    STRCMP_EQUAL("bootstrap-admin", known->note.c_str());
    STRCMP_EQUAL("UNAUTHENTICATED", code_of(world.founder->authenticate("fbt_wrong")).c_str());
    STRCMP_EQUAL("UNAUTHENTICATED", code_of(world.founder->authenticate("")).c_str());
    STRCMP_EQUAL("UNAUTHENTICATED",
                 code_of(world.founder->authenticate(world.token + "x")).c_str());
    STRCMP_EQUAL("UNAUTHENTICATED",
                 code_of(world.founder->authenticate(std::string(100'000, 'a'))).c_str());
}

TEST(Tokens, are_kept_as_hashes_and_shown_once) {
    Node policy = Node::object();
    policy.set("version", Node::integer(1));
    const auto made = world.founder->create_token("ci", policy, world.admin);
    CHECK_TRUE(world.founder->authenticate(made->token).has_value());
    const auto tokens = world.founder->tokens();
    for (const TokenRecord& each : *tokens) {
        CHECK_TRUE(encode(each).find(made->token) == std::string::npos);
        const std::string shown = write_json(token_document(each));
        CHECK_TRUE(shown.find(each.hash) == std::string::npos);
    }
}

TEST(Tokens, a_revoked_one_opens_nothing) {
    const auto made = world.founder->create_token("ci", Node::object(), world.admin);
    CHECK_TRUE(world.founder->revoke_token(made->record.id, world.admin).has_value());
    STRCMP_EQUAL("UNAUTHENTICATED", code_of(world.founder->authenticate(made->token)).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(world.founder->revoke_token("tk-no", world.admin)).c_str());
    CHECK_TRUE(world.audit_actions().find("iam.token.revoked/ok iam.token.created/ok") == 0);
}

TEST(Tokens, the_audit_comes_in_pages_and_names_who_and_from_where) {
    for (int i = 0; i < 3; ++i) (void)world.code();
    const auto first = world.founder->audit({2, ""});
    LONGS_EQUAL(2, first->entries.size());
    STRCMP_EQUAL("tk-test", first->entries[0].actor.c_str());
    STRCMP_EQUAL("192.0.2.1", first->entries[0].from.c_str());
    const auto second = world.founder->audit({2, first->next_cursor});
    LONGS_EQUAL(2, second->entries.size());
    STRCMP_EQUAL("", second->next_cursor.c_str());
}

} // namespace stratum::founder
