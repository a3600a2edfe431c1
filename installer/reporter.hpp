// What the founder hears of an attempt: steps, log lines, the result. Everything is sent again
// until it is acknowledged, and nothing is kept twice, because lines carry numbers that go on where
// the founder's count stands. Safe from several threads; one report is under way at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "common/base/clock.hpp"
#include "common/link/messages.hpp"
#include "installer/founder_wire.hpp"

namespace stratum::installer {

class Reporter {
public:
    using Send = std::function<Answer<std::int64_t>(const link::Progress&)>;
    Reporter(int attempt, Clock& clock, Send send)
        : attempt_(attempt), clock_(clock), send_(std::move(send)) {}

    void set_steps(std::vector<link::Step> steps); // in order
    void set_step(const link::Step& step);         // replaces the one of that name, or appends
    void log(const std::string& line);             // made valid UTF-8, cut at 4,096 bytes
    void set_result(const std::string& result);    // joined, failed

    // Sends what is not acknowledged yet, report after report, until nothing is left. At most one
    // report a second goes out unless `all` is asked for; one a minute does although nothing is
    // new, as a sign of life.
    Answer<void> flush(bool all);
    [[nodiscard]] bool is_acknowledged() const;
    // The founder does not take reports of this join any more: its state has changed.
    [[nodiscard]] bool is_refused() const;
    [[nodiscard]] std::vector<link::Step> steps() const;

private:
    struct Snapshot {
        link::Progress report;
        std::uint64_t version = 0;
    };
    Snapshot next_report();
    void acknowledge(const Snapshot& sent, std::int64_t last_seq);

    const int attempt_;
    Clock& clock_;
    Send send_;
    std::mutex sending_; // held while a report is under way
    mutable std::mutex state_;
    std::vector<link::Step> steps_;
    std::string result_;
    std::deque<link::LogLine> lines_;      // not acknowledged; seq 0: not numbered yet
    std::size_t left_out_ = 0;             // lines that found no place
    std::optional<std::int64_t> next_seq_; // absent: the founder's count is not known yet
    std::uint64_t version_ = 1;            // of steps and result
    std::uint64_t acknowledged_ = 0;
    std::optional<std::int64_t> sent_at_ms_; // steady
    bool refused_ = false;
};

} // namespace stratum::installer
