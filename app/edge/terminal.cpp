#include "app/terminal.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdlib>

#include "common/base/text.hpp"

namespace stratum::app {
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
Terminal standard_error() {
    return look_at(STDERR_FILENO);
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

} // namespace stratum::app
