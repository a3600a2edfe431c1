#include "common/health/board.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::health {
namespace {

// What a run may be late before its last result counts no more: the machine was busy.
constexpr std::int64_t kLateSeconds = 90;

} // namespace

bool CheckState::is_overdue(std::int64_t now) const {
    return has_run && now - at > check.every_s + check.timeout_s + kLateSeconds;
}

std::string CheckState::sentence(std::int64_t now) const {
    const std::string name = "health check " + check.name + " ";
    if (!has_run) return name + "has not run yet";
    if (is_overdue(now)) return name + "has not run since " + format_time(at);
    return outcome.passed ? "" : name + outcome.said;
}

void Board::set_checks(const std::vector<Check>& checks) {
    const std::lock_guard lock(mutex_);
    std::vector<CheckState> next;
    for (const Check& check : checks) {
        const auto known = std::find_if(states_.begin(), states_.end(),
                                        [&](const CheckState& one) { return one.check == check; });
        next.push_back(known != states_.end() ? *known : CheckState{check, false, {}, 0});
    }
    states_ = std::move(next);
}

void Board::set_fault(std::string fault) {
    const std::lock_guard lock(mutex_);
    fault_ = std::move(fault);
}

bool Board::put(const Check& check, Outcome outcome, std::int64_t at) {
    const std::lock_guard lock(mutex_);
    for (CheckState& state : states_) {
        if (state.check != check) continue;
        const bool is_news = !state.has_run || state.outcome != outcome;
        state.has_run = true;
        state.outcome = std::move(outcome);
        state.at = at;
        return is_news;
    }
    return false;
}

std::vector<CheckState> Board::states() const {
    const std::lock_guard lock(mutex_);
    return states_;
}

std::string Board::fault() const {
    const std::lock_guard lock(mutex_);
    return fault_;
}

std::vector<std::string> Board::failing(std::int64_t now) const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> sentences;
    if (!fault_.empty()) sentences.push_back("the health checks' file cannot be used: " + fault_);
    for (const CheckState& state : states_)
        if (std::string sentence = state.sentence(now); !sentence.empty())
            sentences.push_back(std::move(sentence));
    return sentences;
}

} // namespace stratum::health
