#include "ui-tty/edge/one_console.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ui-tty/text_columns.hpp"

namespace stratum::ui {
namespace {

// A serial line at 9600 baud drains this in a minute; more would be news of yesterday.
constexpr std::size_t kMostUnwritten = 64 * 1024;
// A terminal that says it can take something takes at least this much without blocking.
constexpr std::size_t kPiece = 256;

std::string reason() {
    return std::strerror(errno); // NOLINT(concurrency-mt-unsafe): one thread uses consoles
}

bool term_can_paint() {
    const char* term = std::getenv("TERM"); // NOLINT(concurrency-mt-unsafe)
    return term != nullptr && *term != 0 && std::strcmp(term, "dumb") != 0;
}

winsize size_of(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) size = {};
    return size;
}

bool is_ready(int descriptor, short what) {
    pollfd one{descriptor, what, 0};
    return ::poll(&one, 1, 0) == 1 && (one.revents & what) != 0;
}

} // namespace

OneConsole::OneConsole(ConsoleChoice choice) : choice_(std::move(choice)) {
    open();
}

OneConsole::~OneConsole() {
    if (is_open() && is_screen_) {
        unwritten_ += "\x1b[?25h\r\n";
        write_on();
    }
    close("");
}

void OneConsole::open_path() {
    // NOCTTY: the console must not become this program's, or a hang-up there would end it.
    // NONBLOCK: a serial line without carrier must not hold the open up.
    in_ = ::open(choice_.path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    reads_ = in_ >= 0;
    if (in_ < 0) {
        in_ = ::open(choice_.path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC | O_APPEND);
    }
    out_ = in_;
    owns_ = true;
    if (out_ < 0) complaint_ = choice_.path + " cannot be opened: " + reason();
}

void OneConsole::open() {
    if (is_open()) return;
    complaint_.clear();
    unwritten_.clear();
    painted_.clear();
    if (choice_.path == "-") {
        in_ = STDIN_FILENO;
        out_ = STDOUT_FILENO;
        reads_ = ::fcntl(in_, F_GETFD) >= 0;
        owns_ = false;
    } else {
        open_path();
    }
    if (!is_open()) return;
    const bool is_terminal = ::isatty(out_) == 1;
    const bool can_paint = is_terminal && (size_of(out_).ws_col > 0 || term_can_paint());
    is_screen_ =
        choice_.mode == ConsoleMode::kScreen || (choice_.mode == ConsoleMode::kAuto && can_paint);
    // A file is no place to read from: it would answer with what was written into it.
    const bool can_read = ::isatty(in_) == 1 || choice_.path == "-";
    reads_ = reads_ && can_read;
    if (is_screen_ && reads_) make_raw();
}

// Our own line editing: the kernel's echo would be painted over.
void OneConsole::make_raw() {
    termios now{};
    if (::tcgetattr(in_, &now) != 0) return;
    before_ = std::make_unique<termios>(now);
    now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    if (::tcsetattr(in_, TCSANOW, &now) != 0) before_.reset();
}

void OneConsole::close(const std::string& why) {
    if (!is_open()) return;
    if (before_) ::tcsetattr(in_, TCSANOW, before_.get());
    before_.reset();
    if (owns_) ::close(out_);
    in_ = out_ = -1;
    reads_ = false;
    complaint_ = why;
}

ScreenSize OneConsole::size() const {
    ScreenSize screen;
    const winsize found = size_of(out_);
    if (found.ws_col > 0 && found.ws_row > 0) {
        screen.columns = found.ws_col;
        screen.rows = found.ws_row;
    }
    screen.utf8 = choice_.utf8;
    return screen;
}

void OneConsole::paint(const std::vector<std::string>& lines, bool has_prompt, bool anew) {
    if (!is_open() || (!anew && lines == painted_)) return;
    // What is left of an older picture is of no use: the next one begins at the top anyway, and an
    // escape sequence that was cut ends where another begins.
    std::string picture = painted_.empty() ? "\x1b[2J" : "";
    picture += "\x1b[?25l\x1b[H";
    for (std::size_t at = 0; at < lines.size(); ++at) {
        picture += lines[at] + "\x1b[K";
        if (at + 1 < lines.size()) picture += "\r\n";
    }
    const std::size_t last = lines.empty() ? 0 : lines.size() - 1;
    const int column = lines.empty() ? 1 : columns_of(lines[last]) + 1;
    if (has_prompt) {
        picture +=
            "\x1b[J\x1b[" + std::to_string(last + 1) + ";" + std::to_string(column) + "H\x1b[?25h";
    } else {
        picture += "\x1b[J";
    }
    unwritten_ = std::move(picture);
    painted_ = lines;
    write_on();
}

void OneConsole::print(const std::vector<std::string>& lines) {
    if (!is_open()) return;
    for (const std::string& line : lines) {
        if (unwritten_.size() < kMostUnwritten) {
            unwritten_ += clean(line, choice_.utf8) + "\n";
        }
    }
    write_on();
}

void OneConsole::write_on() {
    while (is_open() && !unwritten_.empty() && is_ready(out_, POLLOUT)) {
        const ssize_t written =
            ::write(out_, unwritten_.data(), std::min(unwritten_.size(), kPiece));
        if (written > 0) {
            unwritten_.erase(0, static_cast<std::size_t>(written));
        } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
            close(choice_.path + " does not take what is written: " + reason());
        } else if (written < 0 && errno == EAGAIN) {
            return;
        }
    }
}

std::optional<std::string> OneConsole::read() {
    if (input() >= 0 && is_ready(in_, POLLIN | POLLHUP)) {
        char bytes[512];
        const ssize_t count = ::read(in_, bytes, sizeof bytes);
        if (count > 0) unread_.append(bytes, static_cast<std::size_t>(count));
        // The end of standard input closes that alone: what is shown still goes out.
        if (count == 0 && choice_.path == "-") reads_ = false;
        if (count == 0 && choice_.path != "-") close(choice_.path + " hung up");
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            const std::string why = choice_.path + " cannot be read: " + reason();
            if (choice_.path == "-") reads_ = false;
            if (choice_.path != "-") close(why);
        }
    }
    while (!unread_.empty()) {
        const char byte = unread_.front();
        unread_.erase(0, 1);
        if (auto line = typed_.take(byte)) return line;
    }
    return std::nullopt;
}

} // namespace stratum::ui
