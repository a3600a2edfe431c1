#include "common/base/terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "common/base/text.hpp"

namespace stratum {
namespace {

bool locale_is_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const std::string value = lower(environment(name));
        if (value.empty()) continue;
        return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
    return false;
}

Terminal look_at(int descriptor) {
    Terminal terminal;
    terminal.is_terminal = ::isatty(descriptor) == 1;
    terminal.utf8 = locale_is_utf8();
    if (!terminal.is_terminal) return terminal;
    terminal.colour = environment("NO_COLOR").empty() && environment("TERM") != "dumb";
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
        terminal.columns = size.ws_col;
    }
    return terminal;
}

} // namespace

Terminal standard_output() {
    return look_at(STDOUT_FILENO);
}

int stop_descriptor() {
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int one : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals, one);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    return ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool wait_for_stop(int descriptor, long wait_ms) {
    pollfd one{descriptor, POLLIN, 0};
    return ::poll(&one, 1, static_cast<int>(wait_ms)) > 0;
}

std::string environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::string() : std::string(value);
}

namespace {

constexpr std::size_t kLongestLine = 4096;

class ControllingTerminal {
public:
    explicit ControllingTerminal(bool hidden)
        : fd_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
        if (fd_ < 0 || !hidden || ::tcgetattr(fd_, &before_) != 0) return;
        termios quiet = before_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        changed_ = ::tcsetattr(fd_, TCSAFLUSH, &quiet) == 0;
    }
    ~ControllingTerminal() {
        if (changed_) ::tcsetattr(fd_, TCSAFLUSH, &before_);
        if (fd_ >= 0) ::close(fd_);
    }
    ControllingTerminal(const ControllingTerminal&) = delete;
    ControllingTerminal& operator=(const ControllingTerminal&) = delete;

    [[nodiscard]] bool is_there() const { return fd_ >= 0; }
    [[nodiscard]] bool is_hidden() const { return changed_; }
    void say(std::string_view text) const { (void)!::write(fd_, text.data(), text.size()); }
    [[nodiscard]] std::optional<std::string> line() const {
        std::string line;
        char c = 0;
        while (::read(fd_, &c, 1) == 1) {
            if (c == '\n') return line;
            if (line.size() < kLongestLine) line += c;
        }
        return std::nullopt;
    }

private:
    int fd_;
    bool changed_ = false;
    termios before_{};
};

} // namespace

Result<std::string> ask_at_terminal(const std::string& question, bool hidden) {
    const ControllingTerminal terminal(hidden);
    if (!terminal.is_there()) {
        return fail(ErrorCode::kUnavailable, "there is no terminal to ask at");
    }
    terminal.say(question);
    auto line = terminal.line();
    if (terminal.is_hidden()) terminal.say("\n");
    if (!line) return fail(ErrorCode::kUnavailable, "the terminal was closed");
    return std::move(*line);
}

} // namespace stratum
