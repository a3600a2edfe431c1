// One check run once: what passes, what fails, and what is said of it.

#include "common/health/run.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/fake_processes.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::health {

TEST_GROUP(HealthRun) {
    fakes::FakeFiles files;
    fakes::FakeProcesses processes;
    UrlQuestion asked;
    Result<int> answer = 200;
    RunSeams seams{files, processes, [this](const UrlQuestion& question) {
                       asked = question;
                       return answer;
                   }};

    static Check command() {
        Check check;
        check.name = "etcd";
        check.command = {"etcdctl", "endpoint", "--password=s3cret"};
        check.timeout_s = 7;
        return check;
    }
    static Check url() {
        Check check;
        check.name = "web";
        check.url = "https://h/health?token=s3cret";
        check.pin = std::string(64, 'a');
        return check;
    }
    std::string said(const Check& check) {
        const Outcome outcome = run_check(check, seams);
        CHECK_EQUAL(outcome.passed, outcome.said.empty());
        CHECK_TRUE(outcome.said.find("s3cret") == std::string::npos);
        return outcome.said;
    }
};

TEST(HealthRun, a_command_that_ends_with_0_passes_within_its_limits) {
    processes.on({"etcdctl"}, "healthy\n");
    STRCMP_EQUAL("", said(command()).c_str());
    const Command ran = processes.calls().front();
    LONGS_EQUAL(7000, ran.timeout_ms);
    LONGS_EQUAL(0, ran.environment.size());
    STRCMP_EQUAL("/", ran.working_folder.c_str());
    CHECK_TRUE(ran.max_output_bytes <= 64u << 10);
}

TEST(HealthRun, another_exit_code_fails_with_the_last_line_of_what_it_said) {
    processes.on({"etcdctl"}, "one\ntwo\n\n", 3);
    STRCMP_EQUAL("ended with exit code 3: two", said(command()).c_str());
    processes.on({"etcdctl"}, "out\n", 1, "first\nwhy\x1b[2J\n  \n");
    STRCMP_EQUAL("ended with exit code 1: why\xef\xbf\xbd[2J", said(command()).c_str());
    processes.on({"etcdctl"}, "", 1);
    STRCMP_EQUAL("ended with exit code 1", said(command()).c_str());
    processes.on({"etcdctl"}, std::string(5000, 'x'), 1);
    CHECK_TRUE(said(command()).size() < 300);
}

TEST(HealthRun, one_that_does_not_end_in_time_fails) {
    processes.times_out({"etcdctl"});
    STRCMP_EQUAL("did not end within 7 seconds", said(command()).c_str());
}

TEST(HealthRun, one_that_cannot_be_run_fails) {
    CHECK_TRUE(said(command()).find("could not be run: ") == 0);
}

TEST(HealthRun, a_url_passes_with_the_status_that_is_expected_and_no_other) {
    STRCMP_EQUAL("", said(url()).c_str());
    STRCMP_EQUAL("https://h/health?token=s3cret", asked.url.c_str());
    STRCMP_EQUAL(std::string(64, 'a').c_str(), asked.pin.c_str());
    LONGS_EQUAL(10'000, asked.timeout_ms);
    answer = 503;
    STRCMP_EQUAL("answered 503, not 200", said(url()).c_str());
    Check other = url();
    other.expect_status = 503;
    STRCMP_EQUAL("", said(other).c_str());
    answer = 200;
    STRCMP_EQUAL("answered 200, not 503", said(other).c_str());
}

TEST(HealthRun, a_url_that_is_not_answered_fails) {
    answer = fail(ErrorCode::kUnavailable, "connection refused");
    STRCMP_EQUAL("was not answered: connection refused", said(url()).c_str());
}

TEST(HealthRun, the_ca_file_is_read_each_time_and_its_absence_fails) {
    Check check = url();
    check.ca_file = "/ca.pem";
    CHECK_TRUE(said(check).find("could not be run: its caFile: ") == 0);
    files.put("/ca.pem", "");
    STRCMP_EQUAL("could not be run: its caFile is empty", said(check).c_str());
    files.put("/ca.pem", "PEM");
    STRCMP_EQUAL("", said(check).c_str());
    STRCMP_EQUAL("PEM", asked.ca_pem.c_str());
}

TEST(HealthRun, an_https_question_without_a_known_key_asks_nobody) {
    CHECK_TRUE(probe_url({"https://127.0.0.1:1/", "", "", 1000}).error().code ==
               ErrorCode::kInvalid);
}

} // namespace stratum::health
