// One join, and one refusal, for a person at a terminal.

#include "common/base/document.hpp"
#include "ctl/admin_client.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {
namespace {

Node read(const char* text) {
    const Parsed parsed = parse_json(text);
    if (!parsed.root) FAIL("the test's own JSON does not parse");
    return *parsed.root;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_GROUP(DescribeJoin){};

TEST(DescribeJoin, says_what_is_known_and_no_line_for_what_is_not) {
    const std::string text = describe_join(
        read(R"({"id": "nj-8w2k4m1p", "state": "pending", "pairingCode": "56K-AD2", "name": ""})"));
    STRCMP_EQUAL("join           nj-8w2k4m1p\n"
                 "state          pending\n"
                 "pairing code   56K-AD2\n",
                 text.c_str());
}

TEST(DescribeJoin, a_disk_is_blank_only_where_that_is_proved) {
    const std::string text = describe_join(read(R"({"id": "nj-a", "inventory": {"disks": [
        {"name": "sda", "sizeBytes": 4000787030016, "wwn": "0x5000c500a1b2c301", "holds": []},
        {"name": "sdb", "sizeBytes": 500, "byId": ["/dev/disk/by-id/x"]},
        {"name": "sdc", "sizeBytes": 500, "holds": [{"type": "ext4"}, {"type": "gpt"}]},
        {"name": "sdd", "sizeBytes": 500, "system": true, "holds": []},
        {"name": "sde", "unusable": "is an optical drive", "holds": []}], "nics": []}})"));
    CHECK_TRUE(has(text, "sda   4.00 TB  -      blank"));
    CHECK_TRUE(has(text, "0x5000c500a1b2c301\n"));
    CHECK_TRUE(has(text, "not known"));
    CHECK_TRUE(has(text, "/dev/disk/by-id/x\n"));
    CHECK_TRUE(has(text, "ext4, gpt"));
    CHECK_TRUE(has(text, "the system's"));
    CHECK_TRUE(has(text, "not usable: is an optical drive"));
}

TEST(DescribeJoin, nics_have_their_addresses_in_either_form) {
    const std::string text = describe_join(read(R"({"inventory": {"disks": [], "nics": [
        {"name": "enp1s0", "mac": "52:54:00:00:00:01", "speedMbps": 10000,
         "addresses": [{"cidr": "10.77.0.50/24", "how": "dhcp"}, "10.77.0.51/24"]}]}})"));
    CHECK_TRUE(has(text, "10000  52:54:00:00:00:01  10.77.0.50/24, 10.77.0.51/24\n"));
}

TEST(DescribeJoin, steps_and_the_end_of_the_log_are_shown) {
    Node join = read(R"({"steps": [{"name": "storage", "title": "Preparing the disks",
                        "status": "failed", "error": "no space"}], "log": []})");
    Node log = Node::array();
    for (int i = 1; i <= 20; ++i) {
        Node line = Node::object();
        line.set("at", "2026-11-30T12:00:00Z").set("line", "line " + std::to_string(i));
        log.push(std::move(line));
    }
    join.set("log", std::move(log));
    const std::string text = describe_join(join);
    CHECK_TRUE(has(text, "failed  Preparing the disks  no space\n"));
    CHECK_TRUE(has(text, "11-30 12:00  line 20\n"));
    CHECK_TRUE(has(text, "line 6\n"));
    CHECK_FALSE(has(text, "line 5\n"));
}

TEST(DescribeJoin, a_machine_cannot_write_to_the_terminal) {
    const std::string text = for_terminal(describe_join(read(
        R"({"id": "nj-a", "failedError": "x\u001b[2J", "log": [{"at": "x", "line": "\r\u009bm"}]})")));
    for (const char* control : {"\x1b", "\r", "\xc2\x9b"}) CHECK_FALSE(has(text, control));
}

TEST(DescribeJoin, a_refusal_names_each_fault_at_its_field_and_each_issue_at_its_statement) {
    const std::string text = problem_text(link::read_problem(409, R"({"title": "Refused",
        "status": 409, "code": "JOIN_APPROVAL_REFUSED", "detail": "2 problems", "requestId": "ab",
        "errors": [{"field": "name", "message": "taken"}, {"field": "", "message": "whole"}],
        "issues": [{"code": "INVALID_DOCUMENT", "statement": -1, "detail": "version must be 1"},
                   {"code": "UNKNOWN_ACTION", "statement": 2, "detail": "no\u001b such"}],
        "details": {"copyNotes": ["enp3s0: check it"]}})"));
    STRCMP_EQUAL("Refused (JOIN_APPROVAL_REFUSED)\n"
                 "  2 problems\n"
                 "  name: taken\n"
                 "  whole\n"
                 "  version must be 1\n"
                 "  statements[2]: no\xef\xbf\xbd such\n"
                 "  note: enp3s0: check it\n"
                 "  request ab\n",
                 text.c_str());
}

TEST(DescribeJoin, an_answer_that_is_no_problem_document_is_told_as_it_is) {
    const std::string text = problem_text(link::read_problem(502, "<html>bad gateway"));
    CHECK_TRUE(has(text, "the founder answered 502\n"));
    CHECK_TRUE(has(text, "<html>bad gateway"));
}

} // namespace stratum::ctl
