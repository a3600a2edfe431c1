// Registration, sentence by sentence: what is checked, in which order, and what is made.

#include "common/base/text.hpp"
#include "founder/documents.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

Node body(const std::string& json) {
    return *parse_json(json).root;
}

std::string detail_of_refusal(const Answer<link::RegistrationAnswer>& answer) {
    return answer ? "ok" : answer.error().detail;
}

} // namespace

TEST_GROUP(Registration) {
    World world;
    Machine machine{1};
};

TEST(Registration, a_valid_code_makes_a_pending_join) {
    const auto answer = world.register_with(machine, world.code());
    CHECK_TRUE(answer.has_value());
    CHECK_TRUE(world.made);
    STRCMP_EQUAL("pending", answer->state.c_str());
    LONGS_EQUAL(11, answer->id.size());
    STRCMP_EQUAL("nj-", answer->id.substr(0, 3).c_str());
    CHECK_EQUAL(std::string::npos,
                answer->id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", 3));
    LONGS_EQUAL(world.clock.unix_seconds(), answer->server_time);
    LONGS_EQUAL(world.clock.unix_seconds() + 3600 + 24 * 3600, answer->expires_at);
    CHECK_FALSE(answer->upgrade.has_value());
}

TEST(Registration, the_founder_proves_the_code_too) {
    const link::JoinCode code = world.code();
    const auto answer = world.register_with(machine, code);
    const link::PairingTuple tuple{world.options.identity, machine.key, machine.commitment(),
                                   answer->founder_nonce, answer->id};
    CHECK_TRUE(answer->founder_proof == link::founder_proof(code.key(), tuple));
}

TEST(Registration, unknown_expired_used_up_locked_revoked_and_wrong_get_one_answer) {
    const link::JoinCode used_up = world.code();
    CHECK_TRUE(world.register_with(Machine(2), used_up).has_value());
    const link::JoinCode revoked = world.code();
    (void)world.founder->revoke_join_code(revoked.id(), world.admin);
    const link::JoinCode expired = world.code(1, 60);
    const link::JoinCode good = world.code();
    Node wrong = world.registration(machine, good);
    wrong.set("codeProof", std::string(64, 'a'));
    world.clock.advance_seconds(60);
    const std::string said = detail_of_refusal(world.register_with(machine, used_up));
    for (const auto& answer :
         {world.register_with(machine, used_up), world.register_with(machine, revoked),
          world.register_with(machine, expired),
          world.register_with(machine, link::JoinCode::generate()),
          world.register_raw(machine, wrong)}) {
        STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(answer).c_str());
        STRCMP_EQUAL(said.c_str(), detail_of_refusal(answer).c_str());
    }
}

TEST(Registration, a_code_serves_until_the_second_of_its_expiry) {
    const link::JoinCode code = world.code(2, 60);
    world.clock.advance_seconds(59);
    CHECK_TRUE(world.register_with(Machine(1), code).has_value());
    world.clock.advance_seconds(1);
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(Machine(2), code)).c_str());
}

TEST(Registration, a_proof_of_another_key_or_commitment_does_not_hold) {
    const link::JoinCode code = world.code();
    const Node stolen = world.registration(machine, code);
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_raw(Machine(2), stolen)).c_str());
    Node moved = stolen;
    moved.set("commitment", to_hex(Machine(2).commitment()));
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_raw(machine, moved)).c_str());
    CHECK_TRUE(world.register_raw(machine, stolen).has_value());
}

TEST(Registration, a_use_is_spent_at_201_and_never_given_back) {
    const link::JoinCode code = world.code(2);
    const auto first = world.register_with(Machine(1), code);
    CHECK_TRUE(world.reject(first->id).has_value());
    CHECK_TRUE(world.register_with(Machine(2), code).has_value());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(Machine(3), code)).c_str());
    LONGS_EQUAL(2, world.founder->join_codes()->at(0).uses);
}

TEST(Registration, a_refused_registration_costs_no_use) {
    const link::JoinCode code = world.code();
    Machine newer = machine;
    newer.release = "0.7.0";
    STRCMP_EQUAL("RELEASE_MISMATCH", code_of(world.register_with(newer, code)).c_str());
    LONGS_EQUAL(0, world.founder->join_codes()->at(0).uses);
    CHECK_TRUE(world.register_with(machine, code).has_value());
}

TEST(Registration, no_code_and_an_unknown_key_is_invalid) {
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, std::nullopt)).c_str());
}

TEST(Registration, the_code_is_judged_before_the_release) {
    Machine newer = machine;
    newer.release = "0.7.0";
    STRCMP_EQUAL("JOIN_CODE_INVALID",
                 code_of(world.register_with(newer, link::JoinCode::generate())).c_str());
}

TEST(Registration, a_newer_release_is_refused_naming_both) {
    Machine newer = machine;
    newer.release = "0.7.0";
    newer.self_upgrade = true;
    const auto answer = world.register_with(newer, world.code());
    STRCMP_EQUAL("RELEASE_MISMATCH", code_of(answer).c_str());
    STRCMP_EQUAL("0.7.0", answer.error().details.find("release")->as_string().c_str());
    STRCMP_EQUAL("0.6.0", answer.error().details.find("clusterRelease")->as_string().c_str());
}

TEST(Registration, an_older_release_without_upgrade_rule_is_refused) {
    Machine older = machine;
    older.release = "0.5.0";
    older.self_upgrade = true;
    STRCMP_EQUAL("RELEASE_MISMATCH", code_of(world.register_with(older, world.code())).c_str());
}

TEST(Registration, an_older_release_within_the_rule_needs_an_upgrade) {
    World upgrading(">=0.5.0");
    Machine older = machine;
    older.release = "0.5.0";
    STRCMP_EQUAL("RELEASE_MISMATCH",
                 code_of(upgrading.register_with(older, upgrading.code())).c_str());
    older.self_upgrade = true;
    const auto answer = upgrading.register_with(older, upgrading.code());
    CHECK_TRUE(answer.has_value());
    STRCMP_EQUAL("needs-upgrade", answer->state.c_str());
    STRCMP_EQUAL("0.5.0", answer->upgrade->from.c_str());
    STRCMP_EQUAL("0.6.0", answer->upgrade->to.c_str());
    CHECK_TRUE(answer->upgrade->served_by_founder);
    Machine too_old{2};
    too_old.release = "0.4.9";
    too_old.self_upgrade = true;
    STRCMP_EQUAL("RELEASE_MISMATCH",
                 code_of(upgrading.register_with(too_old, upgrading.code())).c_str());
}

TEST(Registration, a_body_of_another_release_that_is_not_understood_is_a_release_mismatch) {
    const auto newer = world.register_raw(
        machine, body(R"({"release":"0.7.0","commitment":{"kind":"v2"},"codeId":7})"));
    STRCMP_EQUAL("RELEASE_MISMATCH", code_of(newer).c_str());
    // Strangers are not told which release the cluster runs.
    CHECK_TRUE(detail_of_refusal(newer).find("0.6.0") == std::string::npos);
}

TEST(Registration, a_body_of_our_release_that_is_not_understood_is_400_with_every_field) {
    const auto answer = world.register_raw(
        machine, body(R"({"release":"0.6.0","commitment":"zz","codeProof":7,"selfUpgrade":"no"})"));
    STRCMP_EQUAL("INVALID_INPUT", code_of(answer).c_str());
    std::string fields;
    for (const Finding& finding : answer.error().errors) fields += finding.field + " ";
    STRCMP_EQUAL("codeProof selfUpgrade commitment codeId ", fields.c_str());
}

TEST(Registration, unknown_members_are_ignored) {
    Node message = world.registration(machine, world.code());
    message.set("inventedLater", Node::boolean(true));
    CHECK_TRUE(world.register_raw(machine, message).has_value());
}

TEST(Registration, is_audited_and_refusals_are_too_but_not_without_end) {
    CHECK_TRUE(world.register_with(machine, world.code()).has_value());
    for (int i = 0; i < 40; ++i) (void)world.register_with(Machine(2), link::JoinCode::generate());
    const std::string audit = world.audit_actions();
    CHECK_TRUE(audit.find("cluster.join.registered/ok ") != std::string::npos);
    int refused = 0;
    for (std::size_t at = 0; (at = audit.find("registered/refused", at)) != std::string::npos; ++at)
        ++refused;
    LONGS_EQUAL(20, refused);
}

TEST(Registration, an_approval_before_the_reveal_is_a_conflict) {
    const std::string id = world.registered(machine);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT",
                 code_of(world.approve(id, approval_body(machine, "beta"))).c_str());
    STRCMP_EQUAL("", world.record(id).pairing_code.c_str());
}

// ---- coming back

TEST_GROUP(ComingBack) {
    World world;
    Machine machine{1};
    link::JoinCode code = world.code();
    std::string id = world.register_with(machine, code)->id;
};

TEST(ComingBack, the_same_key_and_commitment_get_the_same_answer) {
    const auto first = world.register_with(machine, code);
    CHECK_TRUE(first.has_value());
    CHECK_FALSE(world.made);
    STRCMP_EQUAL(id.c_str(), first->id.c_str());
    const auto again = world.register_with(machine, code);
    CHECK_TRUE(again->founder_nonce == first->founder_nonce);
    CHECK_TRUE(again->founder_proof == first->founder_proof);
    LONGS_EQUAL(1, world.founder->join_codes()->at(0).uses);
}

TEST(ComingBack, the_answer_survives_a_restart_of_the_founder) {
    const auto before = world.register_with(machine, code);
    world.restart();
    const auto after = world.register_with(machine, code);
    CHECK_TRUE(after->founder_nonce == before->founder_nonce);
    CHECK_TRUE(after->founder_proof == before->founder_proof);
}

TEST(ComingBack, a_known_key_needs_no_code) {
    const auto with_commitment = world.register_with(machine, std::nullopt);
    CHECK_TRUE(with_commitment.has_value());
    STRCMP_EQUAL(id.c_str(), with_commitment->id.c_str());
    Node bare = Node::object();
    bare.set("release", kRelease);
    CHECK_TRUE(world.register_raw(machine, bare).has_value());
}

TEST(ComingBack, from_another_address_the_join_has_that_address) {
    const std::int64_t before = world.record(id).revision;
    machine.address = "10.20.0.99";
    CHECK_TRUE(world.register_with(machine, std::nullopt).has_value());
    STRCMP_EQUAL("10.20.0.99", world.record(id).address.c_str());
    LONGS_EQUAL(before + 1, world.record(id).revision);
}

TEST(ComingBack, without_code_another_commitment_is_refused) {
    Machine other = machine;
    other.nonce.fill(0x99);
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(other, std::nullopt)).c_str());
    STRCMP_EQUAL("pending", world.state(id).c_str());
}

TEST(ComingBack, with_a_code_that_does_not_hold_it_is_refused) {
    STRCMP_EQUAL("JOIN_CODE_INVALID",
                 code_of(world.register_with(machine, link::JoinCode::generate())).c_str());
    // A code that holds, but is not the one this join came with.
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, world.code())).c_str());
}

TEST(ComingBack, another_commitment_ends_the_old_join_and_costs_a_use) {
    const link::JoinCode two = world.code(2);
    Machine other{2};
    const auto first = world.register_with(other, two);
    other.nonce.fill(0x99);
    const auto second = world.register_with(other, two);
    CHECK_TRUE(second.has_value());
    CHECK_TRUE(world.made);
    CHECK_FALSE(first->id == second->id);
    STRCMP_EQUAL("rejected", world.state(first->id).c_str());
    CHECK_FALSE(world.record(first->id).ended_reason.empty());
    other.nonce.fill(0x9a);
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(other, two)).c_str());
    STRCMP_EQUAL("pending", world.state(second->id).c_str());
}

TEST(ComingBack, another_commitment_once_approved_is_a_conflict) {
    CHECK_TRUE(world.reveal(machine, id).has_value());
    CHECK_TRUE(world.approve(id, approval_body(machine, "beta")).has_value());
    Machine other = machine;
    other.nonce.fill(0x99);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.register_with(other, world.code())).c_str());
    STRCMP_EQUAL("approved", world.state(id).c_str());
}

TEST(ComingBack, every_state_but_the_ended_ones_answers_200) {
    Machine second{2};
    const std::string failed = world.failed(second, "gamma");
    STRCMP_EQUAL(failed.c_str(), world.register_with(second, std::nullopt)->id.c_str());
    STRCMP_EQUAL("failed", world.register_with(second, std::nullopt)->state.c_str());
    CHECK_TRUE(world.reject(failed).has_value());
    Machine third{3};
    const std::string joined = world.joined(third, "delta");
    STRCMP_EQUAL("joined", world.register_with(third, std::nullopt)->state.c_str());
    STRCMP_EQUAL(joined.c_str(), world.register_with(third, std::nullopt)->id.c_str());
}

TEST(ComingBack, after_a_rejection_it_takes_a_valid_code_and_a_new_join) {
    CHECK_TRUE(world.reject(id).has_value());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, std::nullopt)).c_str());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, code)).c_str());
    const auto anew = world.register_with(machine, world.code());
    CHECK_TRUE(anew.has_value());
    CHECK_TRUE(world.made);
    CHECK_FALSE(anew->id == id);
}

TEST(ComingBack, after_expiry_it_takes_a_valid_code_and_a_new_join) {
    CHECK_TRUE(world.reveal(machine, id).has_value());
    world.tick(3600 + 24 * 3600);
    STRCMP_EQUAL("expired", world.state(id).c_str());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(machine, std::nullopt)).c_str());
    CHECK_TRUE(world.register_with(machine, world.code()).has_value());
}

TEST(ComingBack, on_the_clusters_release_an_upgraded_join_is_pending) {
    World upgrading(">=0.5.0");
    Machine older{1};
    older.release = "0.5.0";
    older.self_upgrade = true;
    const auto first = upgrading.register_with(older, upgrading.code());
    CHECK_TRUE(upgrading.reveal(older, first->id).has_value());
    STRCMP_EQUAL("JOIN_STATE_CONFLICT",
                 code_of(upgrading.approve(first->id, approval_body(older, "beta"))).c_str());
    older.release = kRelease;
    const auto back = upgrading.register_with(older, std::nullopt);
    STRCMP_EQUAL("pending", back->state.c_str());
    STRCMP_EQUAL(first->id.c_str(), back->id.c_str());
    CHECK_TRUE(upgrading.approve(first->id, approval_body(older, "beta")).has_value());
}

TEST(ComingBack, on_a_release_that_may_not_join_it_is_refused_and_the_join_stands) {
    CHECK_TRUE(world.reveal(machine, id).has_value());
    machine.release = "0.7.0";
    STRCMP_EQUAL("RELEASE_MISMATCH", code_of(world.register_with(machine, std::nullopt)).c_str());
    STRCMP_EQUAL("pending", world.state(id).c_str());
}

TEST(ComingBack, a_needs_upgrade_join_can_be_rejected_and_expires) {
    World upgrading(">=0.5.0");
    Machine older{1};
    older.release = "0.5.0";
    older.self_upgrade = true;
    const auto first = upgrading.register_with(older, upgrading.code());
    CHECK_TRUE(upgrading.reject(first->id).has_value());
    Machine second{2};
    second.release = "0.5.0";
    second.self_upgrade = true;
    const auto other = upgrading.register_with(second, upgrading.code());
    CHECK_TRUE(upgrading.reveal(second, other->id).has_value());
    upgrading.tick(3600 + 24 * 3600);
    STRCMP_EQUAL("expired", upgrading.state(other->id).c_str());
}

} // namespace stratum::founder
