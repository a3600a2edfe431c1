// Records survive being kept: every field of every record comes back as it went.

#include "founder/store/tables.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

template<class R>
R through(const R& record) {
    R back;
    const Status read = decode(encode(record), back);
    if (!read) FAIL(read.error().message.c_str());
    return back;
}

JoinRecord full_join() {
    JoinRecord join;
    join.id = "nj-8w2k4m1p";
    join.state = JoinState::kFailed;
    join.sequence = 7;
    join.revision = 12;
    join.attempt = 2;
    join.code_id = "6e66640c";
    join.key_fingerprint = "22";
    join.commitment = "a1";
    join.founder_nonce = "44";
    join.founder_proof = "3e";
    join.reveal_by = 1060;
    join.joiner_nonce = "33";
    join.pairing_code = "56K-AD2";
    join.release = "0.6.0";
    join.self_upgrade = true;
    join.upgrade = link::Upgrade{"0.5.0", "0.6.0", "https://mirror.example/r", true};
    join.address = "10.20.0.11";
    join.hostname = "quux";
    join.replaces = "nj-00000000";
    join.registered_at = 1000;
    join.approved_at = 1100;
    join.expires_at = 2000;
    join.changed_at = 1500;
    join.heard_at = 1490;
    join.stalled = true;
    join.assignment = Node::object();
    join.assignment->set("name", "beta");
    join.node_id = "n-abcdefgh";
    join.name = "beta";
    join.addresses = {"10.20.0.11", "fd00::1"};
    join.disk_keys = {"0x5000c500a1b2c301"};
    join.queue_order = 3;
    join.wait_reason = "waiting for “node” alpha";
    join.node_yaml_sha256 = "aa";
    join.bundle_sha256 = "bb";
    join.steps = {
        {"storage", "Preparing the disks", link::StepStatus::kFailed, 40, 1200, 1300, "no disk"}};
    join.last_seq = 9;
    join.log_lines = 20;
    join.failed_step = "storage";
    join.failed_step_title = "Preparing the disks";
    join.failed_error = "no disk";
    join.ended_reason = "because";
    return join;
}

} // namespace

TEST_GROUP(Records){};

TEST(Records, a_join_comes_back_whole) {
    CHECK_TRUE(through(full_join()) == full_join());
}

TEST(Records, an_empty_join_comes_back_empty) {
    CHECK_TRUE(through(JoinRecord{}) == JoinRecord{});
}

TEST(Records, the_others_come_back_whole) {
    const ClusterRecord cluster{"yaml: \"\n\"", "n-1", 4, {"10.0.0.1:8444"}, 99};
    CHECK_TRUE(through(cluster) == cluster);
    const GuardRecord guard{{1, 2, 3}};
    CHECK_TRUE(through(guard) == guard);
    const JoinCodeRecord code{"6e66640c", "37", "rack 4", "tk-1", 1, 2, 3, 1, 2, "locked", 5};
    CHECK_TRUE(through(code) == code);
    const MemberRecord member{
        "n-1",   "alpha",    "hybrid", "joined", "nj-1",        "22", "10.0.0.1", {"10.1.0.1/24"},
        {"0x5"}, 7,          8,        false,    {"disk full"}, 9,    3,          4,
        "tk-1",  "10.9.0.1", true,     5,        "its turn"};
    CHECK_TRUE(through(member) == member);
    // A row that a build wrote which knew of no reports.
    MemberRecord older;
    CHECK_TRUE(decode(R"({"nodeId":"n-1","name":"alpha","heardAt":8})", older).has_value());
    LONGS_EQUAL(8, older.heard_at);
    LONGS_EQUAL(0, older.sampled_at);
    const RemovedRecord removed{"n-1", "alpha", "nj-1", 9, true};
    CHECK_TRUE(through(removed) == removed);
    TokenRecord token{"tk-1", "ff", "note", Node::object(), "init", 1, 2};
    token.policy.set("version", Node::integer(1));
    CHECK_TRUE(through(token) == token);
    const AuditRecord entry{1, 2, "a", "b", "c", "d", "e", "f", "g", "h"};
    CHECK_TRUE(through(entry) == entry);
    const link::LogLine line{3, 4, "text"};
    CHECK_TRUE(through(line) == line);
}

TEST(Records, a_member_of_a_newer_build_is_ignored) {
    GuardRecord guard;
    CHECK_TRUE(decode(R"({"failedAt":[1],"inventedLater":{"x":1}})", guard).has_value());
    CHECK_EQUAL(1, guard.failed_at.size());
}

TEST(Records, a_damaged_record_is_an_error) {
    JoinRecord join;
    CHECK_FALSE(decode("{", join).has_value());
    CHECK_FALSE(decode("[]", join).has_value());
    CHECK_FALSE(decode(R"({"state":"asleep"})", join).has_value());
    CHECK_FALSE(decode(R"({"state":"pending","revision":"seven"})", join).has_value());
}

TEST(Records, sequence_ids_sort_as_numbers) {
    CHECK_TRUE(sequence_id(9) < sequence_id(10));
    CHECK_TRUE(sequence_id(999'999) < sequence_id(1'000'000));
}

} // namespace stratum::founder
