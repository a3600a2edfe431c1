#include <string>

#include "common/base/document.hpp"
#include "installer/record.hpp"
#include "tests/fakes/fake_files.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;

namespace {

constexpr const char* kPath = "/state/session.json";

JoinerRecord full_record() {
    JoinerRecord record;
    record.state = JoinerState::kInstalling;
    record.message = "m";
    record.error = "e";
    record.next_step = "n";
    record.release = "1.0.0";
    record.founders = {*HostPort::parse("10.0.0.1:8444"), *HostPort::parse("[fd00::1]:8444")};
    record.founder_key = *link::Fingerprint::parse(std::string(64, 'a'));
    record.code = KeptCode{"6e66640c", sha256(bytes_of("k")), true, "the console"};
    record.nonce = link::random_nonce();
    record.pairing = KeptPairing{*record.founder_key, link::random_nonce(), "nj-8w2k4m1p",
                                 sha256(bytes_of("p"))};
    record.fresh_pairings = 3;
    record.used_codes = {"00000000", "11111111"};
    record.new_key_wanted = true;
    record.inventory_sha256 = "ab";
    record.attempt = 2;
    record.node_yaml_sha256 = "cd";
    record.bundle_sha256 = "ef";
    record.node_id = "n-2";
    record.name = "node-2";
    record.result = "failed";
    return record;
}

} // namespace

TEST_GROUP(JoinerRecord) {
    fakes::FakeFiles files;
    void setup() override {
        (void)files.make_folder("/state");
    }
};

TEST(JoinerRecord, ReadsBackWhatWasWrittenAndNobodyElseMayReadIt) {
    const auto record = full_record();
    CHECK(write_record(files, kPath, record).has_value());
    LONGS_EQUAL(0600, *files.mode(kPath));
    const auto again = read_record(files, kPath);
    CHECK(again.has_value());
    CHECK(*again == record);
}

TEST(JoinerRecord, AMissingFileIsAFreshRecord) {
    CHECK(*read_record(files, kPath) == installer::JoinerRecord{});
}

TEST(JoinerRecord, ADamagedOneIsRefusedWhole) {
    CHECK(write_record(files, kPath, full_record()).has_value());
    const std::string text = *files.content(kPath);
    for (const std::string& bad :
         {std::string(), std::string("{"), std::string("[]"), text.substr(0, text.size() / 2),
          std::string(R"({"version":1,"state":"dancing"})"), std::string(R"({"version":1})"),
          std::string(R"({"version":1,"state":"installing"})")}) {
        files.put(kPath, bad);
        const auto read = read_record(files, kPath);
        CHECK(!read);
        CHECK(read.error().code == ErrorCode::kInvalid);
    }
}

TEST(JoinerRecord, OneOfAnotherVersionIsRefusedByItsVersion) {
    files.put(kPath, R"({"version":2,"state":"waiting","later":true})");
    const auto read = read_record(files, kPath);
    CHECK(!read);
    CHECK(read.error().message.find("version 2") != std::string::npos);
}

TEST(JoinerRecord, OneThatLacksWhatItsStateNeedsIsRefused) {
    for (const StateRow& row : join_states()) {
        const bool needs_nothing = row.state == JoinerState::kNeedsCode ||
                                   row.state == JoinerState::kEnded ||
                                   row.state == JoinerState::kStopped;
        installer::JoinerRecord bare;
        bare.state = row.state;
        CHECK(write_record(files, kPath, bare).has_value());
        CHECK(read_record(files, kPath).has_value() == needs_nothing);
        installer::JoinerRecord full = full_record();
        full.state = row.state;
        CHECK(write_record(files, kPath, full).has_value());
        CHECK(read_record(files, kPath).has_value());
    }
}

TEST(JoinerRecord, AnUnreadableFileIsNoDamagedOne) {
    CHECK(write_record(files, kPath, full_record()).has_value());
    files.fail_read(kPath, ErrorCode::kDenied);
    CHECK(read_record(files, kPath).error().code == ErrorCode::kDenied);
}

TEST(JoinerRecord, AFreshStartKeepsOnlyWhatWasUsedUp) {
    const auto code = link::JoinCode::generate();
    const GivenCode given{{*HostPort::parse("10.0.0.9:1")}, code, std::nullopt, "the console"};
    installer::JoinerRecord next = begin_with(full_record(), given);
    CHECK(next.used_codes == full_record().used_codes);
    CHECK(!next.pairing && !next.nonce && !next.founder_key && next.result.empty());
    CHECK(is_untried(next, code));
    mark_used(next);
    mark_used(next);
    CHECK(!is_untried(next, code));
    LONGS_EQUAL(3, next.used_codes.size());
}
