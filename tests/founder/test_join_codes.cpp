// Join codes: made, listed, revoked, and never kept as what they are.

#include <fstream>
#include <sstream>

#include "common/base/text.hpp"
#include "founder/documents.hpp"
#include "founder/join_codes.hpp"
#include "founder/store/tables.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

std::string first_error(const Answer<JoinCodeRequest>& answer) {
    return answer ? "ok" : answer.error().errors.at(0).field;
}

Node request(const std::string& json) {
    return *parse_json(json).root;
}

} // namespace

TEST_GROUP(JoinCodes) {
    World world;
};

TEST(JoinCodes, a_code_has_two_spellings_of_the_same) {
    const auto made = world.founder->create_join_code({3600, 1, "rack 4"}, world.admin);
    CHECK_TRUE(made.has_value());
    const auto uri = link::JoinUri::parse(made->uri);
    CHECK_TRUE(uri.has_value());
    STRCMP_EQUAL(made->code.c_str(), uri->code.grouped().c_str());
    CHECK_TRUE(uri->founder_key == world.options.identity);
    STRCMP_EQUAL("10.20.0.1:8444", uri->founders.at(0).str().c_str());
    STRCMP_EQUAL(uri->code.id().c_str(), made->record.id.c_str());
    LONGS_EQUAL(world.clock.unix_seconds() + 3600, made->record.expires_at);
}

TEST(JoinCodes, defaults_are_an_hour_and_one_machine) {
    const auto read = read_join_code_request(Node::object());
    CHECK_TRUE(read.has_value());
    LONGS_EQUAL(3600, read->expires_in_seconds);
    LONGS_EQUAL(1, read->max_uses);
}

TEST(JoinCodes, a_request_out_of_range_or_unknown_is_refused_at_its_field) {
    STRCMP_EQUAL("maxUses",
                 first_error(read_join_code_request(request(R"({"maxUses":101})"))).c_str());
    STRCMP_EQUAL("maxUses",
                 first_error(read_join_code_request(request(R"({"maxUses":0})"))).c_str());
    STRCMP_EQUAL(
        "expiresInSeconds",
        first_error(read_join_code_request(request(R"({"expiresInSeconds":"1h"})"))).c_str());
    STRCMP_EQUAL("uses", first_error(read_join_code_request(request(R"({"uses":2})"))).c_str());
}

TEST(JoinCodes, a_code_for_many_machines_comes_with_a_warning) {
    CHECK_TRUE(world.founder->create_join_code({3600, 1, ""}, world.admin)->warning.empty());
    CHECK_FALSE(world.founder->create_join_code({3600, 5, ""}, world.admin)->warning.empty());
}

TEST(JoinCodes, the_list_never_shows_a_code_or_its_key) {
    const link::JoinCode code = world.code();
    const auto codes = world.founder->join_codes();
    LONGS_EQUAL(1, codes->size());
    const std::string shown = write_json(join_code_document(codes->at(0)));
    CHECK_TRUE(shown.find(code.grouped()) == std::string::npos);
    CHECK_TRUE(shown.find(codes->at(0).key) == std::string::npos);
}

TEST(JoinCodes, the_store_never_holds_the_code) {
    const link::JoinCode code = world.code();
    std::string plain = code.grouped();
    std::erase(plain, '-');
    for (const char* name : {"founder.db", "founder.db-wal"}) {
        std::ostringstream text;
        text << std::ifstream(world.folder.path(name), std::ios::binary).rdbuf();
        CHECK_TRUE(text.str().find(plain) == std::string::npos);
        CHECK_TRUE(text.str().find(code.grouped()) == std::string::npos);
    }
}

TEST(JoinCodes, a_revoked_code_registers_nobody) {
    const link::JoinCode code = world.code(5);
    CHECK_TRUE(world.founder->revoke_join_code(code.id(), world.admin).has_value());
    STRCMP_EQUAL("JOIN_CODE_INVALID", code_of(world.register_with(Machine(1), code)).c_str());
    CHECK_TRUE(world.founder->revoke_join_code(code.id(), world.admin).has_value());
    STRCMP_EQUAL("NOT_FOUND",
                 code_of(world.founder->revoke_join_code("ffffffff", world.admin)).c_str());
}

TEST(JoinCodes, making_and_revoking_are_audited) {
    const link::JoinCode code = world.code();
    (void)world.founder->revoke_join_code(code.id(), world.admin);
    STRCMP_EQUAL("cluster.join-code.revoked/ok cluster.join-code.created/ok iam.token.created/ok ",
                 world.audit_actions().c_str());
}

TEST(JoinCodes, no_secret_is_ever_in_the_audit) {
    const link::JoinCode code = world.code();
    Machine machine{1};
    const auto answer = world.register_with(machine, code);
    CHECK_TRUE(world.reveal(machine, answer->id).has_value());
    (void)world.register_with(Machine(2), code);
    const auto made = world.founder->create_token("ci", Node::object(), world.admin);
    std::string audit;
    const auto page = world.founder->audit({1000, ""});
    for (const AuditRecord& entry : page->entries) audit += encode(entry);
    CHECK_TRUE(audit.find(answer->id) != std::string::npos);
    for (const std::string& secret :
         {code.grouped(), to_hex(code.key()), made->token, made->record.hash, world.token,
          to_hex(machine.nonce), world.record(answer->id).pairing_code})
        CHECK_TRUE(audit.find(secret) == std::string::npos);
}

TEST(JoinCodes, the_pause_is_the_window_of_the_twentieth_last_failure) {
    GuardRecord guard;
    for (int i = 0; i < 19; ++i) guard.failed_at.push_back(1000 + i);
    LONGS_EQUAL(0, paused_until(guard, 1100));
    guard.failed_at.push_back(1100);
    LONGS_EQUAL(1000 + 3600, paused_until(guard, 1100));
    LONGS_EQUAL(0, paused_until(guard, 1000 + 3600));
}

} // namespace stratum::founder
