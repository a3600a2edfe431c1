// The reveal, the inventory, and what a failed pairing costs.

#include "common/base/text.hpp"
#include "founder/documents.hpp"
#include "founder/pairing_desk.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

Answer<link::JoinerView> reveal_wrongly(World& world, Machine machine, const std::string& id) {
    machine.nonce.fill(0xee);
    return world.reveal(machine, id);
}

// Another machine with the same key: a cloned image.
Machine clone_of(const Machine& machine) {
    Machine other(machine.number + 1);
    other.key = machine.key;
    other.nonce = machine.nonce;
    return other;
}

} // namespace

TEST_GROUP(Reveal) {
    World world;
    Machine machine{1};
};

TEST(Reveal, gives_both_sides_the_same_pairing_code) {
    const auto answer = world.register_with(machine, world.code());
    const auto view = world.reveal(machine, answer->id);
    CHECK_TRUE(view.has_value());
    CHECK_TRUE(view->revealed);
    const link::PairingTuple tuple{world.options.identity, machine.key, machine.commitment(),
                                   answer->founder_nonce, answer->id};
    STRCMP_EQUAL(link::pairing_code(tuple, machine.nonce).c_str(),
                 world.record(answer->id).pairing_code.c_str());
}

TEST(Reveal, no_answer_to_the_joiner_carries_the_pairing_code) {
    const auto answer = world.register_with(machine, world.code());
    const auto view = world.reveal(machine, answer->id);
    const std::string code = world.record(answer->id).pairing_code;
    CHECK_FALSE(code.empty());
    for (const Node& node : {link::to_node(*answer), link::to_node(*view),
                             link::to_node(*world.view(machine, answer->id))}) {
        CHECK_TRUE(write_json(node).find(code) == std::string::npos);
        CHECK_TRUE(write_json(node).find("pairing") == std::string::npos);
    }
}

TEST(Reveal, the_same_nonce_again_is_200) {
    const std::string id = world.pending(machine);
    const std::int64_t revision = world.record(id).revision;
    CHECK_TRUE(world.reveal(machine, id).has_value());
    LONGS_EQUAL(revision, world.record(id).revision);
}

TEST(Reveal, another_key_is_403_and_an_unknown_join_404) {
    const std::string id = world.registered(machine);
    STRCMP_EQUAL("JOIN_KEY_MISMATCH", code_of(world.reveal(Machine(2), id)).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(world.reveal(machine, "nj-nothere0")).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(world.reveal(machine, "../../etc/passwd")).c_str());
}

TEST(Reveal, a_nonce_that_does_not_fit_ends_the_join) {
    const std::string id = world.registered(machine);
    STRCMP_EQUAL("PAIRING_FAILED", code_of(reveal_wrongly(world, machine, id)).c_str());
    STRCMP_EQUAL("rejected", world.state(id).c_str());
    CHECK_FALSE(world.record(id).ended_reason.empty());
    STRCMP_EQUAL("PAIRING_FAILED", code_of(world.reveal(machine, id)).c_str());
    CHECK_TRUE(world.audit_actions().find("cluster.join.pairing-failed/ok") != std::string::npos);
}

TEST(Reveal, another_nonce_after_a_good_one_ends_the_join_too) {
    const std::string id = world.pending(machine);
    STRCMP_EQUAL("PAIRING_FAILED", code_of(reveal_wrongly(world, machine, id)).c_str());
    STRCMP_EQUAL("rejected", world.state(id).c_str());
}

TEST(Reveal, another_nonce_after_the_approval_is_refused_and_the_join_stands) {
    const std::string id = world.approved(machine, "beta");
    STRCMP_EQUAL("PAIRING_FAILED", code_of(reveal_wrongly(world, machine, id)).c_str());
    STRCMP_EQUAL("approved", world.state(id).c_str());
}

TEST(Reveal, a_body_that_does_not_decode_is_400_and_costs_nothing) {
    const std::string id = world.registered(machine);
    const Caller caller{"joiner", machine.address, "r"};
    const auto refused = world.founder->reveal(
        id, *parse_json(R"({"nonce":"12","inventory":{"hostname":"a"}})").root, machine.key,
        caller);
    STRCMP_EQUAL("INVALID_INPUT", code_of(refused).c_str());
    CHECK_TRUE(refused.error().errors.size() >= 3); // nonce, inventory.disks, inventory.nics
    CHECK_TRUE(world.reveal(machine, id).has_value());
}

TEST(Reveal, at_the_sixtieth_second_it_still_holds) {
    const std::string id = world.registered(machine);
    world.tick(60);
    CHECK_TRUE(world.reveal(machine, id).has_value());
}

TEST(Reveal, past_sixty_seconds_the_join_has_ended_even_before_the_clock_was_asked) {
    const std::string id = world.registered(machine);
    world.clock.advance_seconds(61);
    STRCMP_EQUAL("PAIRING_FAILED", code_of(world.reveal(machine, id)).c_str());
    STRCMP_EQUAL("rejected", world.state(id).c_str());
}

TEST(Reveal, one_that_never_comes_ends_the_join_by_the_clock) {
    const std::string id = world.registered(machine);
    world.tick(61);
    STRCMP_EQUAL("rejected", world.state(id).c_str());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, std::nullopt)).c_str());
}

TEST(Reveal, a_join_past_its_time_does_not_come_back_even_before_the_clock_was_asked) {
    const link::JoinCode code = world.code();
    const auto answer = world.register_with(machine, code);
    world.clock.advance_seconds(61);
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, code)).c_str());
    STRCMP_EQUAL("rejected", world.state(answer->id).c_str());
}

TEST(Reveal, two_live_joins_never_show_the_same_code_and_nobody_pays) {
    const std::string first = world.pending(machine);
    Machine second{2};
    const auto answer = world.register_with(second, world.code());
    // What the second would show is held already: the chance of 1 in 729 million, made to happen.
    const link::PairingTuple tuple{world.options.identity, second.key, second.commitment(),
                                   answer->founder_nonce, answer->id};
    const std::string code = link::pairing_code(tuple, second.nonce);
    CHECK_TRUE(world.store
                   ->write([&](Transaction& tx) -> Result<Ending> {
                       CHECK_TRUE(tx.take(Claim::kPairingCode, code, first).has_value());
                       return Ending::kCommit;
                   })
                   .has_value());
    STRCMP_EQUAL("PAIRING_FAILED", code_of(world.reveal(second, answer->id)).c_str());
    STRCMP_EQUAL("rejected", world.state(answer->id).c_str());
    STRCMP_EQUAL("pending", world.state(first).c_str());
    const auto codes = world.founder->join_codes();
    for (const JoinCodeRecord& each : *codes) LONGS_EQUAL(0, each.failed_reveals);
}

// ---- what failures cost

TEST_GROUP(FailedReveals) {
    World world;

    // Registers and fails one pairing of this code with a new key each time.
    void fail_one(const link::JoinCode& code, int number) {
        Machine machine{1};
        machine.key = fingerprint_of(static_cast<std::uint8_t>(number));
        const auto answer = world.register_with(machine, code);
        if (!answer) FAIL(answer.error().detail.c_str());
        (void)reveal_wrongly(world, machine, answer->id);
    }
};

TEST(FailedReveals, three_lock_the_code_and_the_admin_sees_why) {
    const link::JoinCode code = world.code(10);
    fail_one(code, 100);
    fail_one(code, 101);
    CHECK_TRUE(world.founder->join_codes()->at(0).locked_reason.empty());
    fail_one(code, 102);
    CHECK_FALSE(world.founder->join_codes()->at(0).locked_reason.empty());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(Machine(1), code)).c_str());
    CHECK_TRUE(world.audit_actions().find("cluster.join-code.locked/ok") != std::string::npos);
}

TEST(FailedReveals, those_that_never_come_count_as_well) {
    const link::JoinCode code = world.code(10);
    for (int i = 0; i < 3; ++i) CHECK_TRUE(world.register_with(Machine(i + 1), code).has_value());
    world.tick(61);
    CHECK_FALSE(world.founder->join_codes()->at(0).locked_reason.empty());
}

TEST(FailedReveals, a_client_that_changes_its_commitment_again_and_again_locks_the_code) {
    const link::JoinCode code = world.code(10);
    Machine machine{1};
    int made = 0;
    for (int i = 0; i < 10; ++i) {
        machine.nonce.fill(static_cast<std::uint8_t>(i));
        if (world.register_with(machine, code).has_value()) ++made;
    }
    LONGS_EQUAL(3, made);
    CHECK_FALSE(world.founder->join_codes()->at(0).locked_reason.empty());
    // No run of it is left that could still be revealed.
    LONGS_EQUAL(0, world.founder->joins({JoinState::kPending, 100, ""})->joins.size());
}

TEST(FailedReveals, a_join_that_is_revealed_survives_its_codes_lock) {
    const link::JoinCode code = world.code(10);
    Machine machine{1};
    const auto answer = world.register_with(machine, code);
    CHECK_TRUE(world.reveal(machine, answer->id).has_value());
    for (int i = 0; i < 3; ++i) fail_one(code, 100 + i);
    STRCMP_EQUAL("pending", world.state(answer->id).c_str());
    CHECK_TRUE(world.register_with(machine, code).has_value());
}

TEST(FailedReveals, twenty_in_an_hour_pause_new_keys_with_retry_after) {
    for (int i = 0; i < 20; ++i) fail_one(world.code(), 100 + i);
    const auto refused = world.register_with(Machine(1), world.code());
    STRCMP_EQUAL("TOO_MANY_REQUESTS", code_of(refused).c_str());
    STRCMP_EQUAL("Retry-After", refused.error().headers.at(0).first.c_str());
    STRCMP_EQUAL("3600", refused.error().headers.at(0).second.c_str());
    CHECK_TRUE(world.founder->cluster()->registration_paused_until != 0);
    world.clock.advance_seconds(3600);
    CHECK_TRUE(world.register_with(Machine(1), world.code()).has_value());
}

TEST(FailedReveals, nineteen_do_not_pause) {
    for (int i = 0; i < 19; ++i) fail_one(world.code(), 100 + i);
    CHECK_TRUE(world.register_with(Machine(1), world.code()).has_value());
}

TEST(FailedReveals, a_known_key_is_not_paused) {
    Machine machine{1};
    const std::string id = world.pending(machine);
    for (int i = 0; i < 20; ++i) fail_one(world.code(), 100 + i);
    CHECK_TRUE(world.register_with(machine, std::nullopt).has_value());
}

TEST(FailedReveals, the_counters_survive_a_restart_and_the_admin_can_lift_the_pause) {
    for (int i = 0; i < 20; ++i) fail_one(world.code(), 100 + i);
    world.restart();
    STRCMP_EQUAL("TOO_MANY_REQUESTS",
                 code_of(world.register_with(Machine(1), world.code())).c_str());
    CHECK_TRUE(world.founder->lift_pause(world.admin).has_value());
    CHECK_TRUE(world.register_with(Machine(1), world.code()).has_value());
}

// ---- inventories

TEST_GROUP(Inventories) {
    World world;
    Machine machine{1};

    Answer<link::JoinerView> put(const Machine& from, const std::string& id) {
        return world.founder->put_inventory(id, to_node(from.inventory), from.key,
                                            {"joiner", from.address, "r"});
    }
};

TEST(Inventories, a_changed_one_before_approval_changes_the_revision) {
    const std::string id = world.pending(machine);
    const std::int64_t before = world.record(id).revision;
    CHECK_TRUE(put(machine, id).has_value());
    LONGS_EQUAL(before, world.record(id).revision);
    machine.inventory.hostname = "renamed";
    CHECK_TRUE(put(machine, id).has_value());
    LONGS_EQUAL(before + 1, world.record(id).revision);
    STRCMP_EQUAL("renamed", world.record(id).hostname.c_str());
}

TEST(Inventories, one_before_the_reveal_is_a_conflict) {
    const std::string id = world.registered(machine);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(put(machine, id)).c_str());
}

TEST(Inventories, one_after_the_approval_is_a_conflict_and_the_plan_stands) {
    const std::string id = world.approved(machine, "beta");
    machine.inventory.hostname = "renamed";
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(put(machine, id)).c_str());
    STRCMP_EQUAL("machine-1", world.record(id).hostname.c_str());
}

TEST(Inventories, what_is_missing_is_named_at_its_field) {
    const std::string id = world.pending(machine);
    const auto refused = world.founder->put_inventory(
        id, *parse_json(R"({"hostname":"a","disks":[{"name":"sda"}],"nics":[{"name":"e"}]})").root,
        machine.key, world.admin);
    STRCMP_EQUAL("INVALID_INPUT", code_of(refused).c_str());
    std::string fields;
    for (const Finding& finding : refused.error().errors) fields += finding.field + " ";
    STRCMP_EQUAL("disks[0].path disks[0].sizeBytes nics[0].mac ", fields.c_str());
}

TEST(Inventories, a_cloned_image_is_told_that_its_key_is_in_use) {
    const std::string id = world.pending(machine);
    const Machine cloned = clone_of(machine);
    STRCMP_EQUAL("JOIN_KEY_IN_USE", code_of(world.reveal(cloned, id)).c_str());
    STRCMP_EQUAL("JOIN_KEY_IN_USE", code_of(put(cloned, id)).c_str());
    STRCMP_EQUAL("pending", world.state(id).c_str());
    STRCMP_EQUAL("machine-1", world.record(id).hostname.c_str());
}

TEST(Inventories, a_cloned_image_that_pairs_anew_is_found_out_at_its_reveal) {
    const link::JoinCode code = world.code(2);
    const auto first = world.register_with(machine, code);
    CHECK_TRUE(world.reveal(machine, first->id).has_value());
    Machine cloned = clone_of(machine);
    cloned.nonce.fill(0x99);
    const auto second = world.register_with(cloned, code);
    STRCMP_EQUAL("JOIN_KEY_IN_USE", code_of(world.reveal(cloned, second->id)).c_str());
    STRCMP_EQUAL("rejected", world.state(second->id).c_str());
}

TEST(Inventories, one_value_in_common_is_the_same_machine) {
    facts::Inventory other = clone_of(machine).inventory;
    CHECK_TRUE(is_other_machine(machine.inventory, other));
    other.machine.serial = machine.inventory.machine.serial;
    CHECK_FALSE(is_other_machine(machine.inventory, other));
}

TEST(Inventories, nothing_known_on_both_sides_proves_nothing) {
    facts::Inventory bare;
    CHECK_FALSE(is_other_machine(bare, machine.inventory));
    facts::Inventory placeholder = clone_of(machine).inventory;
    placeholder.machine.uuid = "00000000-0000-0000-0000-000000000000";
    placeholder.machine.serial = "";
    placeholder.nics.clear();
    CHECK_FALSE(is_other_machine(machine.inventory, placeholder));
}

} // namespace stratum::founder
