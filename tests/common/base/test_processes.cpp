#include "common/base/clock.hpp"
#include "common/base/files.hpp"
#include "common/base/line_splitter.hpp"
#include "common/base/processes.hpp"
#include "common/base/text.hpp"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

Command shell(const std::string& script, std::int64_t timeout_ms = 20'000) {
    Command command;
    command.argv = {"sh", "-c", script};
    command.timeout_ms = timeout_ms;
    return command;
}

Finished finish(const Command& command) {
    const auto finished = system_processes().run(command);
    CHECK_TEXT(finished.has_value(), finished ? "" : finished.error().message.c_str());
    return finished.value_or(Finished());
}

std::size_t open_descriptors() {
    return system_files().list("/proc/self/fd")->size();
}

bool has_children() {
    const auto tasks = system_files().list("/proc/self/task");
    for (const std::string& task : *tasks) {
        const auto children = system_files().read("/proc/self/task/" + task + "/children");
        if (children && !trim(*children).empty()) return true;
    }
    return false;
}

bool is_alive(const std::string& pid) {
    const auto status = system_files().read("/proc/" + std::string(trim(pid)) + "/stat");
    return status && status->find(") Z ") == std::string::npos;
}

// What was killed still needs the processor once to end.
bool has_ended(const std::string& pid) {
    const auto until = system_clock().steady_ms() + 10'000;
    while (is_alive(pid))
        if (system_clock().steady_ms() >= until) return false;
    return true;
}

} // namespace

TEST_GROUP(SystemProcesses){};

TEST(SystemProcesses, GivesOutputsAndExitCode) {
    const Finished finished = finish(shell("echo out; echo err >&2; exit 3"));
    STRCMP_EQUAL("out\n", finished.out.c_str());
    STRCMP_EQUAL("err\n", finished.err.c_str());
    CHECK_EQUAL(3, finished.exit_code);
    CHECK_FALSE(finished.ok() || finished.timed_out || finished.truncated);
    CHECK(finish(shell("true")).ok());
}

TEST(SystemProcesses, PassesArgumentsAsGiven) {
    Command command;
    command.argv = {"printf", "%s|", "a b", "$HOME", "*", "", "'\"\n"};
    STRCMP_EQUAL("a b|$HOME|*||'\"\n|", finish(command).out.c_str());
}

TEST(SystemProcesses, TheEnvironmentIsExact) {
    setenv("STRATUM_TEST_LEAK", "x", 1);
    Command command;
    command.argv = {"/usr/bin/env"};
    command.environment = {{"A", "1"}, {"B", "x=y"}};
    std::vector<std::string> lines = words(finish(command).out);
    unsetenv("STRATUM_TEST_LEAK");
    CHECK_EQUAL(4u, lines.size());
    STRCMP_EQUAL("A=1", lines[0].c_str());
    STRCMP_EQUAL("B=x=y", lines[1].c_str());
    STRCMP_EQUAL("LC_ALL=C", lines[2].c_str());
    CHECK(lines[3].starts_with("PATH=/") && lines[3].find("/usr/sbin") != std::string::npos);
    command.environment = {{"PATH", "/usr/bin"}, {"LC_ALL", "C.UTF-8"}};
    STRCMP_EQUAL("LC_ALL=C.UTF-8\nPATH=/usr/bin\n", finish(command).out.c_str());
}

TEST(SystemProcesses, StandardInputIsEmpty) {
    STRCMP_EQUAL("0\n", finish(shell("wc -c")).out.c_str());
}

TEST(SystemProcesses, RunsInTheFolderAsked) {
    Command command = shell("pwd");
    command.working_folder = "/usr";
    STRCMP_EQUAL("/usr\n", finish(command).out.c_str());
    command.working_folder = "/nowhere";
    const auto refused = system_processes().run(command);
    CHECK(refused.error().code == ErrorCode::kNotFound);
    STRCMP_CONTAINS("entering the folder /nowhere", refused.error().message.c_str());
}

TEST(SystemProcesses, WhatIsNotThereIsNotFound) {
    for (const char* name : {"no-such-program", "/no/such/program", "./no-such-program"}) {
        Command command;
        command.argv = {name};
        const auto refused = system_processes().run(command);
        CHECK_FALSE_TEXT(refused.has_value(), name);
        CHECK(refused.error().code == ErrorCode::kNotFound);
    }
    Command denied;
    denied.argv = {"/etc/passwd"};
    CHECK(system_processes().run(denied).error().code == ErrorCode::kDenied);
    CHECK_FALSE(has_children());
}

TEST(SystemProcesses, WhatIsThereButHasNothingThatRunsItIsNotNotFound) {
    char folder[] = "/tmp/processes-XXXXXX";
    const std::string path = std::string(mkdtemp(folder)) + "/script";
    CHECK(system_files().write(path, "#!/no/such/shell\n", 0700).has_value());
    Command command;
    command.argv = {path};
    const auto by_path = system_processes().run(command);
    command.argv = {"script"};
    command.environment["PATH"] = folder;
    const auto by_name = system_processes().run(command);
    (void)system_files().remove(path);
    (void)std::remove(folder);
    CHECK(by_path.error().code == ErrorCode::kUnavailable);
    CHECK(by_name.error().code == ErrorCode::kUnavailable);
    STRCMP_CONTAINS("what runs it", by_name.error().message.c_str());
}

TEST(SystemProcesses, BadCommandsAreInvalid) {
    Command command;
    CHECK(system_processes().run(command).error().code == ErrorCode::kInvalid);
    command = shell("true", 0);
    CHECK(system_processes().run(command).error().code == ErrorCode::kInvalid);
    command = shell("true");
    command.environment = {{"A=B", "1"}};
    CHECK(system_processes().run(command).error().code == ErrorCode::kInvalid);
    command = shell(std::string("a\0b", 3));
    CHECK(system_processes().run(command).error().code == ErrorCode::kInvalid);
}

TEST(SystemProcesses, ASignalIsTold) {
    CHECK_EQUAL(128 + SIGKILL, finish(shell("kill -9 $$")).exit_code);
}

TEST(SystemProcesses, TheChildHasNoSignalsBlockedOrIgnored) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto old = signal(SIGPIPE, SIG_IGN);
    const Finished finished = finish(shell("grep -E 'Sig(Blk|Ign)' /proc/self/status"));
    signal(SIGPIPE, old);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    const std::vector<std::string> masks = words(finished.out); // SigBlk: MASK SigIgn: MASK
    CHECK_EQUAL(4u, masks.size());
    // 32 and 33 are the C library's own: it lets nobody change them.
    const std::uint64_t own = 3ull << 31;
    CHECK_EQUAL(0u, std::stoull(masks[1], nullptr, 16) & ~own);
    CHECK_EQUAL(0u, std::stoull(masks[3], nullptr, 16) & ~own);
}

TEST(SystemProcesses, AtTheLimitTheWholeGroupEnds) {
    const auto start = system_clock().steady_ms();
    const Finished finished = finish(shell("sleep 600 & echo $!; sleep 600", 300));
    CHECK(finished.timed_out && !finished.ok());
    CHECK_EQUAL(128 + SIGTERM, finished.exit_code);
    CHECK(system_clock().steady_ms() - start < 3'000);
    CHECK(has_ended(finished.out));
    CHECK_FALSE(has_children());
}

TEST(SystemProcesses, WhatIgnoresSigtermIsKilled) {
    const Finished finished = finish(shell(
        "trap '' TERM; (trap '' TERM; sleep 600) & echo $!; while :; do sleep 600; done", 200));
    CHECK(finished.timed_out);
    CHECK_EQUAL(128 + SIGKILL, finished.exit_code);
    CHECK(has_ended(finished.out));
}

TEST(SystemProcesses, AtTheLimitItMayTidyUp) {
    const Finished finished =
        finish(shell("trap 'echo bye; exit 7' TERM; echo up; sleep 600 & wait", 300));
    CHECK(finished.timed_out);
    CHECK_EQUAL(7, finished.exit_code);
    STRCMP_EQUAL("up\nbye\n", finished.out.c_str());
}

TEST(SystemProcesses, ItMayTidyUpOnlyAsLongAsTheGraceIs) {
    Command command = shell("trap 'sleep 0.5; echo bye; exit 7' TERM; sleep 600 & wait", 300);
    STRCMP_EQUAL("bye\n", finish(command).out.c_str());
    command.grace_ms = 0;
    const Finished finished = finish(command);
    CHECK_EQUAL(128 + SIGKILL, finished.exit_code);
    STRCMP_EQUAL("", finished.out.c_str());
    command.grace_ms = -1;
    CHECK_FALSE(system_processes().run(command).has_value());
}

TEST(SystemProcesses, WithoutAGraceNothingItStartedOutlivesIt) {
    for (const char* script :
         {"sleep 600 & echo $!; exit 3", "(sleep 600 & echo $!) ; exit 3",
          "setsid sleep 600 >/dev/null 2>&1 & echo $!; sleep 0.2; exit 3",
          "setsid sh -c 'sleep 600 & echo $!'; sh -c 'sh -c \"sleep 600 &\" &'; exit 3"}) {
        Command command = shell(script);
        command.grace_ms = 0;
        const Finished finished = finish(command);
        CHECK_EQUAL_TEXT(3, finished.exit_code, script);
        CHECK_FALSE_TEXT(finished.timed_out, script);
        CHECK_TEXT(trim(finished.out).empty() || has_ended(finished.out), script);
    }
}

TEST(SystemProcesses, WithoutAGraceItCannotLeaveItsGroupAndWithOneItCan) {
    Command command = shell("setsid sh -c 'echo out' || echo in");
    command.grace_ms = 0;
    STRCMP_EQUAL("in\n", finish(command).out.c_str());
    command.grace_ms = 1;
    STRCMP_EQUAL("out\n", finish(command).out.c_str());
}

TEST(SystemProcesses, AStoppedProgramEndsAtTheLimitToo) {
    CHECK(finish(shell("kill -STOP $$", 200)).timed_out);
    CHECK_FALSE(has_children());
}

TEST(SystemProcesses, WhatStaysInTheBackgroundIsNotWaitedFor) {
    const auto start = system_clock().steady_ms();
    const Finished finished = finish(shell("sleep 5 & echo $!"));
    CHECK(finished.ok());
    CHECK(system_clock().steady_ms() - start < 3'000);
    CHECK(is_alive(finished.out));
    kill(std::atoi(finished.out.c_str()), SIGKILL);
}

TEST(SystemProcesses, AProgramThatClosesItsOutputsIsWaitedFor) {
    CHECK_EQUAL(5, finish(shell("exec >&- 2>&-; sleep 0.3; exit 5")).exit_code);
}

TEST(SystemProcesses, OutputHasALimitForEachStream) {
    Command command = shell("yes | head -c 3000000; echo short >&2");
    command.max_output_bytes = 1000;
    const Finished finished = finish(command);
    CHECK_EQUAL(1000u, finished.out.size());
    STRCMP_EQUAL("short\n", finished.err.c_str());
    CHECK(finished.truncated && finished.ok());
}

TEST(SystemProcesses, LargeOutputsComeWhole) {
    const Finished finished = finish(
        shell("head -c 500000 /dev/zero | tr '\\0' a; head -c 500000 /dev/zero | tr '\\0' b >&2"));
    CHECK(finished.out == std::string(500'000, 'a'));
    CHECK(finished.err == std::string(500'000, 'b'));
    CHECK_FALSE(finished.truncated);
}

TEST(SystemProcesses, LinesComeWhileItRuns) {
    std::vector<std::string> lines;
    std::vector<std::int64_t> times;
    Command command = shell("echo one; sleep 0.4; echo two >&2; printf three");
    command.max_output_bytes = 4; // the lines come all the same
    command.on_line = [&](const std::string& line) {
        lines.push_back(line);
        times.push_back(system_clock().steady_ms());
    };
    finish(command);
    CHECK_EQUAL(3u, lines.size());
    STRCMP_EQUAL("one", lines[0].c_str());
    CHECK(times[1] - times[0] >= 200);
}

TEST(SystemProcesses, ACallbackThatThrowsLeavesNoChild) {
    const std::size_t before = open_descriptors();
    Command command = shell("echo one; sleep 600");
    command.on_line = [](const std::string&) { throw 1; };
    CHECK_THROWS(int, (void)system_processes().run(command));
    CHECK_FALSE(has_children());
    CHECK_EQUAL(before, open_descriptors());
}

TEST(SystemProcesses, DescriptorsDoNotLeakEitherWay) {
    const int open_one = open("/dev/null", O_RDONLY); // without O_CLOEXEC
    const std::size_t before = open_descriptors();
    STRCMP_EQUAL("0\n1\n2\n3\n", finish(shell("ls /proc/self/fd")).out.c_str()); // 3: of ls itself
    finish(shell("exit 1"));
    finish(shell("sleep 600", 50));
    CHECK_EQUAL(before, open_descriptors());
    close(open_one);
}

TEST(SystemProcesses, ManyThreadsRunAtOnce) {
    const std::size_t before = open_descriptors();
    std::atomic<int> good = 0;
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&good, t] {
            for (int i = 0; i < 10; ++i) {
                const std::string word = std::to_string(t * 100 + i);
                const auto finished = system_processes().run(shell("echo " + word + "; exit 4"));
                if (finished && finished->out == word + "\n" && finished->exit_code == 4) ++good;
            }
        });
    }
    for (auto& thread : threads) thread.join();
    CHECK_EQUAL(80, good.load());
    CHECK_EQUAL(before, open_descriptors());
    CHECK_FALSE(has_children());
}

TEST(SystemProcesses, WithoutFreeDescriptorsItIsAnError) {
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    rlimit few = before;
    few.rlim_cur = open_descriptors() + 3;
    setrlimit(RLIMIT_NOFILE, &few);
    const auto refused = system_processes().run(shell("true"));
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::kIo);
}

TEST_GROUP(RequireOk){};

TEST(RequireOk, ARunThatWentWellIsFine) {
    CHECK(require_ok(shell("true"), Finished{0, false, false, "", "a warning"}).has_value());
}

TEST(RequireOk, AFailedRunSaysProgramCodeAndLastLine) {
    Command command;
    command.argv = {"/usr/sbin/mdadm", "--secret", "hunter2"};
    STRCMP_EQUAL("mdadm failed with exit code 2: no such array",
                 require_ok(command, Finished{2, false, false, "x\n", "first\nno such array\n\n"})
                     .error()
                     .message.c_str());
    STRCMP_EQUAL("mdadm failed with exit code 1: from out",
                 require_ok(command, Finished{1, false, false, "from out\n", " \n"})
                     .error()
                     .message.c_str());
    STRCMP_EQUAL("mdadm failed with exit code 1",
                 require_ok(command, Finished{1, false, false, "", ""}).error().message.c_str());
    STRCMP_EQUAL("mdadm was ended by signal 9",
                 require_ok(command, Finished{137, false, false, "", ""}).error().message.c_str());
}

TEST(RequireOk, ALimitIsATimeoutAndNoProgramIsNotFound) {
    Command command = shell("sleep 9", 1500);
    const Status late = require_ok(command, Finished{143, true, false, "", ""});
    CHECK(late.error().code == ErrorCode::kTimeout);
    STRCMP_EQUAL("sh was ended at its limit of 1500 ms", late.error().message.c_str());
    CHECK(require_ok(command, fail(ErrorCode::kNotFound, "x")).error().code ==
          ErrorCode::kNotFound);
}

TEST(RequireOk, WhatAProgramSaysIsShownShortAndClean) {
    Finished finished;
    finished.exit_code = 1;
    finished.err = "\x1b[31m" + std::string(5000, 'x');
    const std::string message = require_ok(shell("x"), finished).error().message;
    CHECK(message.size() < 400 && is_utf8(message) && message.find('\x1b') == std::string::npos);
}

TEST_GROUP(Lines){};

TEST(Lines, AreWholeWhateverThePieces) {
    const std::string text = "one\r\n\ntwo\nlast";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        std::vector<std::string> lines;
        LineSplitter splitter;
        const auto visit = [&](const std::string& line) { lines.push_back(line); };
        for (std::size_t i = 0; i < text.size(); i += size) {
            splitter.feed(std::string_view(text).substr(i, size), visit);
        }
        splitter.finish(visit);
        CHECK(lines == (std::vector<std::string>{"one", "", "two", "last"}));
    }
}

TEST(Lines, AreCutAtTheirLimit) {
    std::vector<std::string> lines;
    LineSplitter splitter;
    const auto visit = [&](const std::string& line) { lines.push_back(line); };
    for (int i = 0; i < 3; ++i) splitter.feed(std::string(50'000, 'a'), visit);
    splitter.feed("\nb\n", visit);
    CHECK_EQUAL(2u, lines.size());
    CHECK_EQUAL(LineSplitter::kMaxLineBytes, lines[0].size());
    STRCMP_EQUAL("b", lines[1].c_str());
}
