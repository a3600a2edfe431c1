// The board and who keeps it: what is due, how old it may be, and the file that changes meanwhile.

#include "common/health/monitor.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/fake_processes.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::health {

TEST_GROUP(HealthMonitor) {
    fakes::FakeFiles files;
    fakes::FakeProcesses processes;
    fakes::FakeClock clock;
    Board board;
    int news = 0;
    std::vector<std::string> log;
    bool must_exist = false;
    std::unique_ptr<Monitor> monitor;

    void setup() override {
        processes.on({"a"}, "", 0);
        processes.on({"b"}, "", 1, "no quorum\n");
        // The library's own beginnings are not this test's.
        (void)board.failing(0);
    }
    void teardown() override {
        monitor.reset();
    }
    void put(const std::string& checks) {
        files.put("/health.yaml", "version: 1\nchecks:" + checks);
    }
    void open() {
        monitor = std::make_unique<Monitor>(
            MonitorOptions{"/health.yaml", must_exist},
            MonitorSeams{clock,
                         {files, processes, [](const UrlQuestion&) -> Result<int> { return 200; }},
                         [this] { ++news; },
                         [this](const std::string& line) { log.push_back(line); }},
            board);
    }
    void look(std::int64_t seconds = 0) {
        clock.advance_seconds(seconds);
        monitor->look();
    }
    std::string failing() {
        std::string all;
        for (const std::string& one : board.failing(clock.unix_seconds())) all += one + "\n";
        return all;
    }
};

TEST(HealthMonitor, a_check_that_has_not_run_fails_and_then_its_result_counts) {
    put("\n  - {name: one, command: [a]}\n  - {name: two, command: [b]}\n");
    open();
    STRCMP_EQUAL("health check one has not run yet\nhealth check two has not run yet\n",
                 failing().c_str());
    look();
    STRCMP_EQUAL("health check two ended with exit code 1: no quorum\n", failing().c_str());
    processes.on({"b"}, "", 0);
    look(29);
    STRCMP_EQUAL("health check two ended with exit code 1: no quorum\n", failing().c_str());
    look(1);
    STRCMP_EQUAL("", failing().c_str());
}

TEST(HealthMonitor, each_runs_as_often_as_it_says) {
    put("\n  - {name: one, command: [a], everySeconds: 5}\n"
        "  - {name: two, command: [b], everySeconds: 60}\n");
    open();
    look();
    for (int i = 0; i < 59; ++i) look(1);
    LONGS_EQUAL(12, processes.count({"a"}));
    LONGS_EQUAL(1, processes.count({"b"}));
    look(1);
    LONGS_EQUAL(2, processes.count({"b"}));
}

TEST(HealthMonitor, an_old_result_is_no_result) {
    put("\n  - {name: one, command: [a]}\n");
    open();
    look();
    clock.advance_seconds(30 + 10 + 90);
    STRCMP_EQUAL("", failing().c_str());
    clock.advance_seconds(1);
    STRCMP_EQUAL("health check one has not run since 2026-11-30T12:00:00Z\n", failing().c_str());
}

TEST(HealthMonitor, news_are_told_when_an_outcome_changes_and_not_else) {
    put("\n  - {name: one, command: [b]}\n");
    open();
    look();
    const int first = news;
    CHECK_TRUE(first > 0);
    for (int i = 0; i < 3; ++i) look(30);
    LONGS_EQUAL(first, news);
    processes.on({"b"}, "", 0);
    look(30);
    LONGS_EQUAL(first + 1, news);
    STRCMP_EQUAL("health check one passes", log.back().c_str());
}

TEST(HealthMonitor, a_changed_file_counts_at_once_and_what_stayed_keeps_its_result) {
    put("\n  - {name: one, command: [a]}\n  - {name: two, command: [b]}\n");
    open();
    look();
    put("\n  - {name: one, command: [a]}\n  - {name: three, command: [a, x]}\n");
    look(1);
    STRCMP_EQUAL("", failing().c_str());
    LONGS_EQUAL(2, processes.count({"a"})); // one, then three; one was not due
    LONGS_EQUAL(2, board.states().size());
}

TEST(HealthMonitor, a_file_that_becomes_wrong_is_told_and_the_checks_stay) {
    put("\n  - {name: one, command: [b]}\n");
    open();
    look();
    put("\n  - {name: One, command: [b]}\n");
    look(1);
    STRCMP_EQUAL("the health checks' file cannot be used: /health.yaml:3:12: checks[0].name: must "
                 "be a label: lower-case letters, digits and hyphens\n"
                 "health check one ended with exit code 1: no quorum\n",
                 failing().c_str());
    const std::size_t told = log.size();
    look(1);
    LONGS_EQUAL(told, log.size());
    put("\n  - {name: one, command: [b]}\n");
    look(1);
    STRCMP_EQUAL("health check one ended with exit code 1: no quorum\n", failing().c_str());
}

TEST(HealthMonitor, without_a_file_there_are_no_checks_unless_it_was_asked_for) {
    open();
    look();
    STRCMP_EQUAL("", failing().c_str());
    put("\n  - {name: one, command: [b]}\n");
    look(1);
    CHECK_FALSE(failing().empty());
    CHECK_TRUE(files.remove("/health.yaml").has_value());
    look(1);
    STRCMP_EQUAL("", failing().c_str());
    monitor.reset();
    must_exist = true;
    open();
    CHECK_TRUE(failing().find("the health checks' file cannot be used: ") == 0);
}

TEST(HealthMonitor, a_file_that_cannot_be_read_is_told) {
    put("\n  - {name: one, command: [a]}\n");
    files.fail_read("/health.yaml", ErrorCode::kDenied);
    open();
    CHECK_TRUE(failing().find("the health checks' file cannot be used: ") == 0);
    put("\n  - {name: one, command: [a]}\n");
    look();
    STRCMP_EQUAL("", failing().c_str());
}

TEST(HealthMonitor, its_thread_runs_them_and_stops) {
    put("\n  - {name: one, command: [a]}\n");
    open();
    monitor->start();
    for (int i = 0; i < 1000 && !failing().empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    monitor->stop();
    STRCMP_EQUAL("", failing().c_str());
}

} // namespace stratum::health
