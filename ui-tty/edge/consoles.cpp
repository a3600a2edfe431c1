// All consoles as one.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "ui-tty/edge/one_console.hpp"

namespace stratum::ui {
namespace {

using Clock = std::chrono::steady_clock;
// The kernel writes on consoles, too: a screen is painted anew now and then.
constexpr auto kPaintAnewEvery = std::chrono::seconds(15);
constexpr auto kOpenAgainEvery = std::chrono::seconds(10);

// What is shown now: one of the two kinds, and how each is drawn or told.
struct Picture {
    std::function<std::vector<std::string>(const ScreenSize&, std::string_view typed)> draw;
    std::vector<std::string> news; // against what was shown before
    std::vector<std::string> all;  // for a console that saw nothing yet
    bool has_prompt = false;
};

class Consoles final : public Console {
public:
    Consoles(const std::vector<ConsoleChoice>& choices, int stop_fd) : stop_(stop_fd) {
        for (const ConsoleChoice& choice : choices) {
            each_.push_back({std::make_unique<OneConsole>(choice), false});
        }
    }

    void show(const installer::JoinProgress& progress) override {
        Picture next;
        next.draw = [progress](const ScreenSize& size, std::string_view typed) {
            return ui::draw(progress, size, typed);
        };
        next.news = changes(join_, progress);
        next.all = changes({}, progress);
        next.has_prompt = !progress.prompt.empty();
        join_ = progress;
        show_picture(std::move(next));
    }

    void show(const member::MemberStatus& status) override {
        Picture next;
        next.draw = [status](const ScreenSize& size, std::string_view) {
            return ui::draw(status, size);
        };
        next.news = changes(member_, status);
        next.all = changes({}, status);
        member_ = status;
        show_picture(std::move(next));
    }

    ConsoleEvent wait(std::int64_t wait_ms) override {
        const auto until = Clock::now() + std::chrono::milliseconds(wait_ms);
        while (true) {
            if (auto line = typed_line()) return {false, std::move(line)};
            refresh();
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
            if (poll_once(std::max<std::int64_t>(0, left))) return {true, {}};
            if (left <= 0) {
                auto line = typed_line();
                return {false, std::move(line)};
            }
        }
    }

    [[nodiscard]] std::vector<std::string> complaints() const override {
        std::vector<std::string> all;
        for (const Each& one : each_) {
            if (!one.console->complaint().empty()) all.push_back(one.console->complaint());
        }
        return all;
    }

private:
    struct Each {
        std::unique_ptr<OneConsole> console;
        bool has_seen = false; // something was shown on it since it was opened
    };

    void show_picture(Picture picture) {
        picture_ = std::move(picture);
        for (Each& one : each_) show_on(one, false);
        picture_.news.clear();
    }

    void show_on(Each& one, bool anew) {
        OneConsole& console = *one.console;
        if (!console.is_open() || !picture_.draw) return;
        if (console.is_screen()) {
            console.paint(picture_.draw(console.size(), console.typed()), picture_.has_prompt,
                          anew);
        } else {
            console.print(one.has_seen ? picture_.news : picture_.all);
        }
        one.has_seen = console.is_open();
    }

    std::optional<std::string> typed_line() {
        for (Each& one : each_) {
            const std::string before = one.console->typed();
            auto line = one.console->read();
            if (one.console->typed() != before || line) show_on(one, false);
            if (line) return line;
        }
        return std::nullopt;
    }

    void refresh() {
        const auto now = Clock::now();
        const bool anew = now - painted_ >= kPaintAnewEvery;
        const bool again = now - opened_ >= kOpenAgainEvery;
        if (anew) painted_ = now;
        if (again) opened_ = now;
        for (Each& one : each_) {
            one.console->write_on();
            if (again && !one.console->is_open()) {
                one.console->open();
                one.has_seen = false;
                show_on(one, true);
            } else if (anew && one.console->is_screen()) {
                show_on(one, true);
            }
        }
    }

    // True when the program should end. Wakes at least each second for what refresh() does.
    bool poll_once(std::int64_t wait_ms) {
        std::vector<pollfd> watched;
        if (stop_ >= 0) watched.push_back({stop_, POLLIN, 0});
        for (const Each& one : each_) {
            const OneConsole& console = *one.console;
            if (!console.is_open()) continue;
            if (console.input() >= 0) watched.push_back({console.input(), POLLIN, 0});
            if (console.has_unwritten()) watched.push_back({console.output(), POLLOUT, 0});
        }
        ::poll(watched.data(), watched.size(),
               static_cast<int>(std::min<std::int64_t>(wait_ms, 1000)));
        return stop_ >= 0 && (watched.front().revents & POLLIN) != 0;
    }

    int stop_;
    std::vector<Each> each_;
    Picture picture_;
    installer::JoinProgress join_;
    member::MemberStatus member_;
    Clock::time_point painted_ = Clock::now();
    Clock::time_point opened_ = Clock::now();
};

} // namespace

std::unique_ptr<Console> open_consoles(const std::vector<ConsoleChoice>& choices, int stop_fd) {
    return std::make_unique<Consoles>(choices, stop_fd);
}

} // namespace stratum::ui
