#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_files.hpp"
#include "tests/fakes/fake_processes.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::fakes;

namespace {

Command command(std::vector<std::string> argv) {
    Command made;
    made.argv = std::move(argv);
    return made;
}

} // namespace

TEST_GROUP(Fakes) {
    FakeFiles files;
    FakeProcesses processes;
};

TEST(Fakes, TheClockMovesByHand) {
    FakeClock clock(1000);
    const auto start = clock.steady_ms();
    clock.advance_ms(999);
    CHECK_EQUAL(1000, clock.unix_seconds());
    clock.advance_seconds(1);
    CHECK_EQUAL(1001, clock.unix_seconds());
    clock.jump_to(5);
    CHECK_EQUAL(5, clock.unix_seconds());
    CHECK_EQUAL(start + 1999, clock.steady_ms());
}

TEST(Fakes, FilesAreKeptWithTheirModes) {
    CHECK(files.make_folder("/etc/x/", 0700).has_value());
    CHECK(files.write("/etc/x/f", "1", 0600).has_value());
    CHECK(files.read("/etc/x/f") == "1");
    CHECK(files.mode("/etc/x/f") == 0600u && files.mode("/etc/x") == 0700u);
    CHECK(files.exists("/etc") && files.exists("/etc/x/f") && !files.exists("/etc/x/g"));
    files.put("/var/lib/y", "2");
    CHECK(files.list("/var") == std::vector<std::string>{"lib"});
    CHECK(files.list("/") == (std::vector<std::string>{"etc", "var"}));
    CHECK(files.paths() == (std::vector<std::string>{"/etc/x/f", "/var/lib/y"}));
    CHECK(files.remove("/etc/x/f").has_value() && files.remove("/etc/x/f").has_value());
    CHECK_FALSE(files.content("/etc/x/f").has_value());
}

TEST(Fakes, FilesRefuseWhatADiskRefuses) {
    CHECK(files.read("/f").error().code == ErrorCode::kNotFound);
    CHECK(files.write("/gone/f", "x").error().code == ErrorCode::kNotFound);
    CHECK(files.list("/gone").error().code == ErrorCode::kNotFound);
    files.put("/a/f", "12345");
    CHECK(files.read("/a/f", 4).error().code == ErrorCode::kTooLarge);
    CHECK(files.read("/a").error().code == ErrorCode::kInvalid);
    CHECK(files.write("/a", "x").error().code == ErrorCode::kInvalid);
    CHECK(files.remove("/a").error().code == ErrorCode::kConflict);
    CHECK(files.make_folder("/a/f/g").error().code == ErrorCode::kConflict);
}

TEST(Fakes, TheNthChangeFailsAndChangesNothing) {
    CHECK(files.write("/f", "1").has_value());
    files.fail_change(2, ErrorCode::kDenied);
    CHECK(files.write("/f", "2").has_value());
    CHECK(files.write("/f", "3").error().code == ErrorCode::kDenied);
    CHECK(files.content("/f") == "2");
    CHECK(files.write("/f", "4").has_value());
    CHECK_EQUAL(4, files.changes());
}

TEST(Fakes, ACrashStandsBeforeOrAfterTheChange) {
    files.put("/f", "old");
    files.crash_before_change(1);
    CHECK_THROWS(Crash, (void)files.write("/f", "new"));
    CHECK(files.content("/f") == "old");
    files.crash_after_change(1);
    CHECK_THROWS(Crash, (void)files.write("/f", "new"));
    CHECK(files.content("/f") == "new");
    CHECK(files.write("/f", "more").has_value());
}

TEST(Fakes, ReadsFailWhereAskedTo) {
    files.put("/f", "x");
    files.fail_read("/f");
    CHECK(files.read("/f").error().code == ErrorCode::kIo);
    CHECK(files.write("/f", "y").has_value());
    CHECK(files.read("/f") == "y");
}

TEST(Fakes, TheLongestPrefixAnswers) {
    processes.on({"lvs"}, "all");
    processes.on({"lvs", "vg"}, "of vg");
    processes.on({"lvs", "bad"}, "", 5, "no such group\n");
    CHECK(processes.run(command({"lvs"}))->out == "all");
    CHECK(processes.run(command({"/usr/sbin/lvs", "vg", "-o"}))->out == "of vg");
    CHECK_EQUAL(5, processes.run(command({"lvs", "bad"}))->exit_code);
    processes.on({"lvs", "vg"}, "given last");
    CHECK(processes.run(command({"lvs", "vg"}))->out == "given last");
    CHECK_EQUAL(2, processes.count({"lvs", "vg"}));
    STRCMP_EQUAL("/usr/sbin/lvs vg -o", processes.lines()[1].c_str());
}

TEST(Fakes, WhatHasNoAnswerIsNotInstalled) {
    CHECK(processes.run(command({"etcdctl", "x"})).error().code == ErrorCode::kNotFound);
    CHECK(processes.unexpected() == std::vector<std::string>{"etcdctl x"});
    processes.forget_calls();
    CHECK(processes.unexpected().empty() && processes.calls().empty());
}

TEST(Fakes, AnswersHaveState) {
    int size = 0;
    processes.on({"grow"}, [&](const Command&) -> Result<Finished> {
        ++size;
        return Finished{0, false, false, std::to_string(size), ""};
    });
    processes.once({"grow"},
                   [](const Command&) -> Result<Finished> { return fail(ErrorCode::kIo, "once"); });
    CHECK_FALSE(processes.run(command({"grow"})).has_value());
    CHECK(processes.run(command({"grow"}))->out == "1");
    CHECK(processes.run(command({"grow"}))->out == "2");
}

TEST(Fakes, LinesAndLimitsAreAsOfRealPrograms) {
    processes.on({"p"}, "a\nb", 0, "c\n");
    processes.times_out({"slow"});
    std::vector<std::string> lines;
    Command one = command({"p"});
    one.max_output_bytes = 2;
    one.on_line = [&](const std::string& line) { lines.push_back(line); };
    const auto finished = processes.run(one);
    CHECK(finished->out == "a\n" && finished->truncated);
    CHECK(lines == (std::vector<std::string>{"a", "b", "c"}));
    CHECK(processes.run(command({"slow"}))->timed_out);
}
