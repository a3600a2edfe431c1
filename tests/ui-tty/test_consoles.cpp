// The consoles themselves, on pseudo terminals.
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <string>

#include "tests/ui-tty/screens.hpp"
#include "ui-tty/console.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::ui;

namespace {

// The far end of a pseudo terminal: what a person sees and types.
class Terminal {
public:
    Terminal() : fd_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
        (void)::grantpt(fd_);
        (void)::unlockpt(fd_);
        path = ::ptsname(fd_); // NOLINT(concurrency-mt-unsafe)
    }
    ~Terminal() { hang_up(); }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    void hang_up() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }
    void type(const std::string& text) const { (void)!::write(fd_, text.data(), text.size()); }
    // What came so far; waits a moment for the first of it.
    std::string seen() const {
        std::string text;
        char bytes[4096];
        pollfd one{fd_, POLLIN, 0};
        int wait_ms = 500;
        while (::poll(&one, 1, wait_ms) == 1) {
            const ssize_t count = ::read(fd_, bytes, sizeof bytes);
            if (count <= 0) break;
            text.append(bytes, static_cast<std::size_t>(count));
            wait_ms = 20;
        }
        return text;
    }
    bool echoes() const {
        termios now{};
        return ::tcgetattr(fd_, &now) == 0 && (now.c_lflag & ECHO) != 0;
    }

    std::string path;

private:
    int fd_;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_GROUP(Consoles){};

TEST(Consoles, ShowTheSameOnEachAndTakeALineFromAny) {
    Terminal one;
    Terminal two;
    const auto console =
        open_consoles({{one.path, ConsoleMode::kScreen}, {two.path, ConsoleMode::kLines}}, -1);
    console->show(examples::needs_code());
    CHECK(has(one.seen(), "A JOIN CODE IS NEEDED"));
    CHECK(has(two.seen(), "== A join code is needed\r\n"));
    one.type("2345 one\r");
    STRCMP_EQUAL("2345 one", console->wait(1000).line->c_str());
    two.type("2345 two\n");
    STRCMP_EQUAL("2345 two", console->wait(1000).line->c_str());
    CHECK(!console->wait(0).line);
}

TEST(Consoles, WhatIsTypedStaysVisibleWhenTheScreenIsPaintedAgain) {
    Terminal one;
    const auto console = open_consoles({{one.path, ConsoleMode::kScreen}}, -1);
    console->show(examples::needs_code());
    (void)one.seen();
    one.type("2345-6");
    CHECK(!console->wait(50).line);
    CHECK(has(one.seen(), "> 2345-6"));
    auto progress = examples::needs_code();
    progress.error = "something else";
    console->show(progress);
    CHECK(has(one.seen(), "> 2345-6"));
}

TEST(Consoles, ALogGetsOnlyWhatIsNew) {
    Terminal one;
    const auto console = open_consoles({{one.path, ConsoleMode::kLines}}, -1);
    console->show(examples::waiting());
    CHECK(has(one.seen(), "PAIRING CODE: 4F7-K2Q"));
    auto progress = examples::waiting();
    progress.log.push_back("told the founder about changed hardware");
    console->show(progress);
    STRCMP_EQUAL("| told the founder about changed hardware\r\n", one.seen().c_str());
}

TEST(Consoles, SettingsAreGivenBack) {
    Terminal one;
    {
        const auto console = open_consoles({{one.path, ConsoleMode::kScreen}}, -1);
        CHECK(!one.echoes());
    }
    CHECK(one.echoes());
}

TEST(Consoles, OneThatCannotBeOpenedOrHangsUpCostsItselfAlone) {
    Terminal one;
    Terminal two;
    const auto console = open_consoles({{"/no/such/tty", ConsoleMode::kAuto},
                                        {one.path, ConsoleMode::kLines},
                                        {two.path, ConsoleMode::kLines}},
                                       -1);
    LONGS_EQUAL(1, console->complaints().size());
    one.hang_up();
    console->show(examples::waiting());
    (void)console->wait(10);
    CHECK(has(two.seen(), "4F7-K2Q"));
    LONGS_EQUAL(2, console->complaints().size());
    two.type("hello\n");
    STRCMP_EQUAL("hello", console->wait(1000).line->c_str());
}

TEST(Consoles, OneThatDoesNotReadDoesNotHoldTheOthersUp) {
    Terminal stuck; // nobody reads its far end
    Terminal two;
    const auto console =
        open_consoles({{stuck.path, ConsoleMode::kScreen}, {two.path, ConsoleMode::kScreen}}, -1);
    auto progress = examples::installing();
    for (int at = 0; at < 200; ++at) {
        progress.log.push_back("line " + std::to_string(at));
        console->show(progress);
    }
    CHECK(!console->wait(0).stop);
    progress.message = "the very last";
    console->show(progress);
    std::string seen;
    for (int at = 0; at < 50 && !has(seen, "the very last"); ++at) {
        seen += two.seen();
        (void)console->wait(1);
    }
    CHECK(has(seen, "the very last"));
}

TEST(Consoles, StopIsSeenWhileItWaits) {
    int ends[2];
    CHECK(::pipe(ends) == 0);
    const auto console = open_consoles({}, ends[0]);
    CHECK(!console->wait(0).stop);
    CHECK(::write(ends[1], "x", 1) == 1);
    CHECK(console->wait(60'000).stop);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Consoles, WithNoConsoleAtAllItOnlyWaits) {
    const auto console = open_consoles({}, -1);
    console->show(examples::waiting());
    const auto event = console->wait(5);
    CHECK(!event.stop);
    CHECK(!event.line);
}
