// All consoles of this machine as one: what is shown goes to each, a line may be typed at any. One
// thread at a time. A console that cannot be opened, blocks or hangs up costs itself alone, and is
// tried again later.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "installer/progress.hpp"
#include "member/status.hpp"

namespace stratum::ui {

enum class ConsoleMode {
    kAuto,   // a screen where it is a terminal with a size or TERM says so, else lines
    kScreen, // redrawn whole with ANSI sequences
    kLines,  // only what changed, line by line: a dumb terminal, a log, a pipe
};

struct ConsoleChoice {
    std::string path; // /dev/tty1, /dev/ttyS0; "-": this program's standard input and output
    ConsoleMode mode = ConsoleMode::kAuto;
    bool utf8 = false; // taken from the locale by app for "-"; false elsewhere is safe
};

struct ConsoleEvent {
    bool stop = false;               // `stop_fd` became readable
    std::optional<std::string> line; // typed, without its end; valid UTF-8, at most 512 bytes
};

class Console {
public:
    virtual ~Console() = default;
    virtual void show(const installer::JoinProgress& progress) = 0;
    virtual void show(const member::MemberStatus& status) = 0;
    // Waits up to `wait_ms` for a typed line.
    virtual ConsoleEvent wait(std::int64_t wait_ms) = 0;
    // Why consoles are not in use now, one line each.
    [[nodiscard]] virtual std::vector<std::string> complaints() const = 0;
};

// Never fails: with no usable console it only waits. Terminals get their settings back when it is
// destroyed. `stop_fd` (may be −1) is watched by wait().
std::unique_ptr<Console> open_consoles(const std::vector<ConsoleChoice>& choices, int stop_fd);

} // namespace stratum::ui
