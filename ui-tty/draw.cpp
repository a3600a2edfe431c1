#include "ui-tty/draw.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "ui-tty/blocks.hpp"
#include "ui-tty/letters.hpp"
#include "ui-tty/text_columns.hpp"

namespace stratum::ui {
namespace {

using installer::JoinerState;
using installer::JoinProgress;
using link::StepStatus;

constexpr int kFewestColumns = 40;
constexpr int kFewestRows = 10;
constexpr int kBarColumns = 20;
constexpr std::size_t kMostLinesOfText = 5;
constexpr std::string_view kMargin = " ";

class Screen {
public:
    explicit Screen(const ScreenSize& size)
        : columns_(std::max(size.columns, kFewestColumns)), rows_(std::max(size.rows, kFewestRows)),
          utf8_(size.utf8) {}

    void add(GiveWay give_way, std::vector<std::string> lines, bool from_top = false) {
        for (std::string& line : lines) {
            line = clip(line, columns_);
            line.erase(line.find_last_not_of(' ') + 1);
        }
        blocks_.push_back({std::move(lines), give_way, from_top});
    }
    void blank() { add(GiveWay::kBlank, {""}); }
    // "Label: text", wrapped; nothing where there is no text.
    void say(GiveWay give_way, std::string_view label, std::string_view text) {
        if (text.empty()) return;
        const std::string whole = std::string(label) + cleaned(text);
        std::vector<std::string> lines = wrap(whole, columns_ - 2, static_cast<int>(label.size()));
        // A report pages long would push away what a person needs; the founder has it whole.
        if (lines.size() > kMostLinesOfText) {
            lines.resize(kMostLinesOfText);
            lines.back() += " ...";
        }
        for (std::string& line : lines) line.insert(0, kMargin);
        add(give_way, std::move(lines));
    }
    // A line with something at either end.
    void ends(std::string_view left, std::string_view right) {
        std::string line = std::string(kMargin) + cleaned(left);
        const std::string other = cleaned(right);
        const int room = columns_ - 1 - columns_of(line) - columns_of(other);
        if (room > 0 && !other.empty())
            line += std::string(static_cast<std::size_t>(room), ' ') + other;
        add(GiveWay::kFixed, {line});
    }
    void rule() {
        std::string line;
        for (int at = 0; at < columns_ - 2; ++at) line += utf8_ ? "─" : "-";
        add(GiveWay::kBlank, {std::string(kMargin) + line});
    }

    [[nodiscard]] std::string cleaned(std::string_view text) const { return clean(text, utf8_); }
    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] bool utf8() const { return utf8_; }
    std::vector<std::string> done() { return stack(std::move(blocks_), rows_); }

private:
    int columns_, rows_;
    bool utf8_;
    std::vector<Block> blocks_;
};

// Big while a person compares it, small as long as the join goes on.
void add_pairing_code(Screen& screen, const JoinProgress& progress) {
    if (progress.pairing_code.empty()) return;
    const bool compares =
        progress.state == JoinerState::kWaiting || progress.state == JoinerState::kNeedsUpgrade;
    const int needed = big_columns(progress.pairing_code.size()) + 4;
    if (compares && needed <= screen.columns() && screen.rows() >= 20) {
        std::vector<std::string> lines;
        for (const std::string& row :
             big_letters(progress.pairing_code, screen.utf8() ? "█" : "#")) {
            lines.push_back("    " + row);
        }
        screen.blank();
        screen.add(GiveWay::kLetters, std::move(lines));
        screen.blank();
    }
    screen.say(GiveWay::kFixed, "Pairing code ", progress.pairing_code);
}

std::string bar(const Screen& screen, const link::Step& step) {
    const int percent = step.percent.value_or(step.status == StepStatus::kDone ? 100 : 0);
    const int filled = percent * kBarColumns / 100;
    std::string out = "[";
    for (int at = 0; at < kBarColumns; ++at) {
        const bool is_full = at < filled;
        out += is_full ? (screen.utf8() ? "█" : "#") : (screen.utf8() ? "·" : ".");
    }
    return out + "]";
}

std::string word_of(const link::Step& step) {
    switch (step.status) {
    case StepStatus::kPending:
        return "";
    case StepStatus::kRunning:
        return step.percent ? std::to_string(*step.percent) + " %" : "...";
    case StepStatus::kDone:
        return "done";
    case StepStatus::kFailed:
        return "FAILED";
    }
    return "";
}

void add_steps(Screen& screen, const JoinProgress& progress) {
    if (progress.steps.empty()) return;
    screen.blank();
    for (const link::Step& step : progress.steps) {
        std::string word = word_of(step);
        word.resize(7, ' ');
        const std::string title = step.title.empty() ? step.name : step.title;
        const std::string line =
            std::string(kMargin) + bar(screen, step) + " " + word + screen.cleaned(title);
        GiveWay give_way = GiveWay::kFixed;
        if (step.status == StepStatus::kDone) give_way = GiveWay::kDoneSteps;
        if (step.status == StepStatus::kPending) give_way = GiveWay::kSteps;
        screen.add(give_way, {line});
    }
}

void add_log(Screen& screen, const JoinProgress& progress) {
    if (progress.log.empty()) return;
    std::vector<std::string> lines;
    const std::size_t shown =
        std::min(progress.log.size(), static_cast<std::size_t>(screen.rows()));
    for (std::size_t at = progress.log.size() - shown; at < progress.log.size(); ++at) {
        lines.push_back(std::string(kMargin) + "| " + screen.cleaned(progress.log[at]));
    }
    screen.blank();
    screen.add(GiveWay::kLog, std::move(lines), true);
}

void add_retry(Screen& screen, const JoinProgress& progress) {
    if (!progress.retry) return;
    const installer::RetryNotice& retry = *progress.retry;
    std::string text = "in " + std::to_string(retry.seconds_left) + " s";
    if (retry.count > 1) text += " (try " + std::to_string(retry.count + 1) + ")";
    screen.say(GiveWay::kFixed, "Reason: ", retry.reason);
    screen.say(GiveWay::kFixed, "Next try ", text);
}

std::string who(const JoinProgress& progress) {
    std::string text = progress.name;
    if (!progress.node_id.empty()) text += (text.empty() ? "" : ", ") + progress.node_id;
    if (progress.attempt > 1) text += ", attempt " + std::to_string(progress.attempt);
    return text;
}

} // namespace

std::vector<std::string> draw(const JoinProgress& progress, const ScreenSize& size,
                              std::string_view typed) {
    Screen screen(size);
    screen.ends("Stratum firstboot " + progress.release, who(progress));
    screen.rule();
    std::vector<std::string> machine;
    for (const std::string& line : progress.machine) {
        machine.push_back(std::string(kMargin) + screen.cleaned(line));
    }
    screen.add(GiveWay::kMachine, std::move(machine));
    for (const std::string& line : progress.notes) screen.say(GiveWay::kMessage, "Note: ", line);
    if (!progress.founder.empty() || !progress.founder_key.empty()) {
        screen.say(GiveWay::kMachine, "Founder: ", progress.founder);
        screen.say(GiveWay::kMachine, "Its key: ", progress.founder_key);
    }
    screen.blank();
    screen.say(GiveWay::kFixed, "", upper(row_of(progress.state).headline));
    add_pairing_code(screen, progress);
    screen.say(GiveWay::kMessage, "", progress.message);
    screen.say(GiveWay::kFixed, "Error: ", progress.error);
    add_retry(screen, progress);
    screen.say(GiveWay::kFixed, "What to do: ", progress.next_step);
    add_steps(screen, progress);
    add_log(screen, progress);
    if (!progress.prompt.empty()) {
        screen.blank();
        screen.say(GiveWay::kFixed, "", progress.prompt);
        screen.add(GiveWay::kFixed, {" > " + screen.cleaned(typed)});
    }
    return screen.done();
}

std::vector<std::string> draw(const member::MemberStatus& status, const ScreenSize& size) {
    Screen screen(size);
    screen.ends("Stratum firstboot", status.name + ", " + status.node_id);
    screen.rule();
    screen.blank();
    screen.say(GiveWay::kFixed, "", "THIS MACHINE IS A MEMBER");
    screen.blank();
    screen.say(GiveWay::kFixed, "Founder: ", status.founder);
    const std::string applied = std::to_string(status.generation_applied);
    screen.say(GiveWay::kFixed, "Membership: ",
               "generation " + applied + ", " + std::to_string(status.members) + " members");
    if (status.generation_current > status.generation_applied) {
        screen.say(GiveWay::kFixed, "",
                   "The cluster is at generation " + std::to_string(status.generation_current) +
                       ".");
    }
    if (status.last_heard_at > 0) {
        screen.say(GiveWay::kFixed, "Last answer: ", format_time(status.last_heard_at));
    }
    screen.say(GiveWay::kFixed, "Error: ", status.trouble);
    return screen.done();
}

} // namespace stratum::ui
