// One console: a terminal, a serial line, a pipe. Nothing here waits: what cannot be written now is
// kept, up to a limit, and a console that is gone says so.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui-tty/console.hpp"
#include "ui-tty/draw.hpp"
#include "ui-tty/typed_line.hpp"

struct termios;

namespace stratum::ui {

class OneConsole {
public:
    explicit OneConsole(ConsoleChoice choice);
    ~OneConsole();
    OneConsole(const OneConsole&) = delete;
    OneConsole& operator=(const OneConsole&) = delete;

    // Opens what is closed. The reason where it cannot be opened.
    void open();
    [[nodiscard]] bool is_open() const { return out_ >= 0; }
    [[nodiscard]] bool is_screen() const { return is_screen_; }
    [[nodiscard]] const std::string& complaint() const { return complaint_; }
    [[nodiscard]] int input() const { return reads_ ? in_ : -1; }
    [[nodiscard]] int output() const { return out_; }
    [[nodiscard]] bool has_unwritten() const { return !unwritten_.empty(); }
    [[nodiscard]] ScreenSize size() const;
    [[nodiscard]] const std::string& typed() const { return typed_.text(); }

    // A screen: the whole picture. Nothing is sent where it is the same as before, unless `anew`.
    void paint(const std::vector<std::string>& lines, bool has_prompt, bool anew);
    // A log: these lines more.
    void print(const std::vector<std::string>& lines);
    void write_on();
    // What was typed since, line by line; a console that hung up is closed.
    std::optional<std::string> read();

private:
    void open_path();
    void make_raw();
    void close(const std::string& why);

    ConsoleChoice choice_;
    int in_ = -1, out_ = -1;
    bool owns_ = false;
    bool reads_ = false;
    bool is_screen_ = false;
    std::string complaint_;
    std::unique_ptr<termios> before_; // settings to give back
    std::string unwritten_;
    std::string unread_; // typed, not yet taken
    std::vector<std::string> painted_;
    TypedLine typed_;
};

} // namespace stratum::ui
