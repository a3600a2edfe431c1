// The file of health checks: what it may say, and every fault with its line and column.

#include <cstdint>
#include <string>

#include "common/health/check.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::health {
namespace {

std::string faults(const std::string& yaml) {
    std::string all;
    for (const std::string& line : fault_lines("f", read_checks(yaml))) all += line + "\n";
    return all;
}

// One check's members, below a whole file's head: they begin at line 3.
std::string with(const std::string& members) {
    return "version: 1\nchecks:\n  - name: etcd\n" + members;
}

void accepts(const std::string& members) {
    STRCMP_EQUAL("", faults(with(members)).c_str());
}

void refuses(const std::string& members, const std::string& line) {
    const std::string found = faults(with(members));
    if (found.find(line) == std::string::npos) FAIL((line + " is not in:\n" + found).c_str());
    CHECK_TRUE(read_checks(with(members)).checks.empty());
}

} // namespace

TEST_GROUP(HealthFile){};

TEST(HealthFile, a_whole_file_is_read_as_it_stands) {
    const std::string key(64, 'A');
    const ReadChecks read = read_checks(R"(version: 1
checks:
  - name: etcd
    command: [etcdctl, endpoint, health]
    everySeconds: 5
    timeoutSeconds: 60
  - name: web
    url: https://10.77.0.5:8443/health?full=1
    caFile: /etc/ca.pem
    pin: )" + key + R"(
    expectStatus: 204
  - name: plain
    url: http://[fd00::1]/x
)");
    LONGS_EQUAL(0, read.findings.size());
    LONGS_EQUAL(3, read.checks.size());
    CHECK_TRUE(read.checks[0].command ==
               (std::vector<std::string>{"etcdctl", "endpoint", "health"}));
    LONGS_EQUAL(5, read.checks[0].every_s);
    LONGS_EQUAL(60, read.checks[0].timeout_s);
    STRCMP_EQUAL("https://10.77.0.5:8443/health?full=1", read.checks[1].url.c_str());
    STRCMP_EQUAL("/etc/ca.pem", read.checks[1].ca_file.c_str());
    STRCMP_EQUAL(std::string(64, 'a').c_str(), read.checks[1].pin.c_str());
    LONGS_EQUAL(204, read.checks[1].expect_status);
    LONGS_EQUAL(30, read.checks[2].every_s);
    LONGS_EQUAL(10, read.checks[2].timeout_s);
}

TEST(HealthFile, no_checks_are_a_whole_file_too) {
    STRCMP_EQUAL("", faults("version: 1\nchecks: []\n").c_str());
}

TEST(HealthFile, what_is_no_such_file_is_told) {
    CHECK_TRUE(faults("").find("f:") == 0);
    CHECK_TRUE(faults("- a\n").find("object") != std::string::npos);
    CHECK_TRUE(faults("version: 2\nchecks: []\n").find("f:1:10: version: ") == 0);
    CHECK_TRUE(faults("version: 1\n").find("checks: missing") != std::string::npos);
    CHECK_TRUE(faults("version: 1\nchecks: {}\n").find("f:2:9: checks: ") == 0);
    CHECK_TRUE(faults("version: 1\nchecks: []\nextra: 1\n").find("f:3:1: extra: ") == 0);
    CHECK_FALSE(faults("a: [").empty());
}

TEST(HealthFile, a_name_is_a_label_and_stands_once) {
    accepts("    command: [a]\n");
    CHECK_TRUE(faults("version: 1\nchecks:\n  - name: Etcd\n    command: [a]\n")
                   .find("f:3:11: checks[0].name: must be a label") == 0);
    CHECK_TRUE(faults("version: 1\nchecks:\n  - command: [a]\n").find("checks[0].name: missing") !=
               std::string::npos);
    refuses("    command: [a]\n  - name: etcd\n    command: [b]\n",
            "f:5:11: checks[1].name: an earlier check has this name");
}

TEST(HealthFile, a_check_is_a_command_or_a_url_and_not_both) {
    accepts("    command: [/bin/true, -x]\n");
    accepts("    url: http://h/\n");
    refuses("", "f:3:5: checks[0].command: a check is either a command or a url");
    refuses("    command: [a]\n    url: http://h/\n", "checks[0].url: a check is either");
    refuses("    command: []\n", "f:4:14: checks[0].command: must name a program");
    refuses("    command: ['', a]\n", "checks[0].command: must name a program");
    refuses("    command: etcdctl endpoint health\n", "checks[0].command: ");
    refuses("    shell: x\n    command: [a]\n", "f:4:5: checks[0].shell: unknown");
}

TEST(HealthFile, a_url_is_http_with_a_host_and_without_a_password) {
    accepts("    url: http://host.example:80/a?b=c\n");
    for (const char* url :
         {"ftp://h/", "h/", "HTTP://h", "http://", "http://:80/", "http://h:x/", "http://h:99999/",
          "http://user:pw@h/", "http://h/#a", "http://h/ä", "'http://h/a b'", "file:///etc/passwd"})
        refuses(std::string("    url: ") + url + "\n", "f:4:10: checks[0].url: ");
    CHECK_TRUE(faults(with("    url: http://user:pw@h/\n")).find("pw@") == std::string::npos);
}

TEST(HealthFile, https_says_whose_key_counts_and_http_has_none) {
    accepts("    url: https://h/\n    caFile: /ca.pem\n");
    accepts("    url: https://h/\n    pin: " + std::string(64, 'c') + "\n");
    refuses("    url: https://h/\n", "f:4:10: checks[0].url: https needs caFile or pin");
    refuses("    url: https://h/\n    pin: abc\n", "f:5:10: checks[0].pin: needs 64 hex digits");
    refuses("    url: https://h/\n    caFile: ca.pem\n", "checks[0].caFile: must be an absolute");
    refuses("    url: http://h/\n    caFile: /ca.pem\n", "checks[0].caFile: is for an https://");
    refuses("    command: [a]\n    pin: " + std::string(64, 'c') + "\n", "checks[0].pin: is for");
}

TEST(HealthFile, numbers_stay_in_their_ranges) {
    accepts("    url: http://h/\n    expectStatus: 599\n    everySeconds: 3600\n");
    refuses("    url: http://h/\n    expectStatus: 600\n", "f:5:19: checks[0].expectStatus: ");
    refuses("    command: [a]\n    expectStatus: 200\n", "checks[0].expectStatus: is for a url");
    refuses("    command: [a]\n    everySeconds: 4\n", "f:5:19: checks[0].everySeconds: ");
    refuses("    command: [a]\n    timeoutSeconds: 61\n", "checks[0].timeoutSeconds: ");
    refuses("    command: [a]\n    timeoutSeconds: soon\n", "checks[0].timeoutSeconds: ");
}

TEST(HealthFile, every_fault_is_told_not_only_the_first) {
    const std::string found =
        faults("version: 3\nchecks:\n  - name: A\n  - name: b\n    url: ftp://h\n");
    for (const char* part :
         {"version: ", "checks[0].name: ", "checks[0].command: ", "checks[1].url: "})
        CHECK_TRUE(found.find(part) != std::string::npos);
}

TEST(HealthFile, there_are_at_most_fifty_checks) {
    std::string yaml = "version: 1\nchecks:\n";
    for (int i = 0; i < 50; ++i) yaml += "  - {name: c" + std::to_string(i) + ", command: [a]}\n";
    STRCMP_EQUAL("", faults(yaml).c_str());
    CHECK_TRUE(faults(yaml + "  - {name: more, command: [a]}\n").find("more than 50") !=
               std::string::npos);
}

// A whole file, spoiled in thousands of ways: whole checks or a reason, never both, never neither.
TEST(HealthFile, a_spoiled_file_is_refused_with_a_reason_or_still_whole) {
    const std::string whole =
        with("    url: https://h:1/x\n    caFile: /ca.pem\n    pin: " + std::string(64, 'c') +
             "\n  - name: b\n    command: [a, '-b']\n    everySeconds: 9\n");
    STRCMP_EQUAL("", faults(whole).c_str());
    constexpr std::string_view kOdd = "\n :-[]{}'\"#&*!|>%@`,?0aZ\x7f\xc3\xff";
    std::uint32_t dice = 20261130;
    const auto roll = [&](std::size_t below) {
        dice = dice * 1664525u + 1013904223u;
        return static_cast<std::size_t>(dice >> 8) % below;
    };
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
        std::string text = whole;
        for (std::size_t changes = 1 + roll(3); changes > 0; --changes) {
            const std::size_t at = roll(text.size());
            if (roll(3) == 0)
                text.erase(at, 1 + roll(8));
            else
                text.insert(at, 1, kOdd[roll(kOdd.size())]);
        }
        const ReadChecks read = read_checks(text);
        refused += read.findings.empty() ? 0 : 1;
        CHECK_TRUE(read.findings.empty() || read.checks.empty());
        for (const Check& check : read.checks)
            CHECK_TRUE(check.command.empty() != check.url.empty());
    }
    CHECK_TRUE(refused > 1000);
}

} // namespace stratum::health
