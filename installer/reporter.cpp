#include "installer/reporter.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

constexpr std::size_t kMostLinesKept = 5000;
constexpr std::size_t kMostLinesInReport = 500;
// A founder may refuse a body past 1 MiB; steps and JSON's quoting need room beside the lines.
constexpr std::size_t kMostLogBytesInReport = 200'000;
constexpr std::size_t kMostLineBytes = 4096;
constexpr std::int64_t kBetweenReportsMs = 1000;
// A founder takes a join that is silent for ten minutes for stalled; a step may say nothing longer.
constexpr std::int64_t kSignOfLifeMs = 60'000;

std::string cut(const std::string& line) {
    std::string text = to_valid_utf8(line);
    if (text.size() <= kMostLineBytes) return text;
    std::size_t end = kMostLineBytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text.resize(end);
    return text;
}

} // namespace

void Reporter::set_steps(std::vector<link::Step> steps) {
    const std::lock_guard lock(state_);
    steps_ = std::move(steps);
    ++version_;
}

void Reporter::set_step(const link::Step& step) {
    const std::lock_guard lock(state_);
    const auto at = std::ranges::find(steps_, step.name, &link::Step::name);
    if (at != steps_.end() && *at == step) return;
    if (at == steps_.end()) {
        steps_.push_back(step);
    } else {
        *at = step;
    }
    ++version_;
}

void Reporter::log(const std::string& line) {
    const std::lock_guard lock(state_);
    if (lines_.size() >= kMostLinesKept) {
        ++left_out_;
        return;
    }
    if (left_out_ > 0) {
        const std::string note = std::to_string(left_out_) + " lines were left out here";
        lines_.push_back({0, clock_.unix_seconds(), note});
        left_out_ = 0;
    }
    lines_.push_back({0, clock_.unix_seconds(), cut(line)});
}

void Reporter::set_result(const std::string& result) {
    const std::lock_guard lock(state_);
    if (result == result_) return;
    result_ = result;
    ++version_;
}

// The first report carries no lines: its answer tells where the founder's count stands, which a
// restart of this program does not know. The result goes only with the last lines.
Reporter::Snapshot Reporter::next_report() {
    const std::lock_guard lock(state_);
    Snapshot snapshot;
    snapshot.version = version_;
    snapshot.report.attempt = attempt_;
    snapshot.report.steps = steps_;
    std::size_t bytes = 0;
    for (link::LogLine& line : lines_) {
        const bool full = snapshot.report.log.size() >= kMostLinesInReport ||
                          bytes + line.line.size() > kMostLogBytesInReport;
        if (!next_seq_ || full) break;
        if (line.seq == 0) line.seq = (*next_seq_)++;
        bytes += line.line.size();
        snapshot.report.log.push_back(line);
    }
    const bool is_last = next_seq_ && snapshot.report.log.size() == lines_.size();
    if (is_last) snapshot.report.result = result_;
    if (!is_last && !result_.empty()) snapshot.version = 0; // the result is still to come
    return snapshot;
}

void Reporter::acknowledge(const Snapshot& sent, std::int64_t last_seq) {
    const std::lock_guard lock(state_);
    acknowledged_ = std::max(acknowledged_, sent.version);
    if (!next_seq_) next_seq_ = last_seq + 1;
    const std::int64_t sent_to = sent.report.log.empty() ? 0 : sent.report.log.back().seq;
    while (!lines_.empty() && lines_.front().seq != 0 &&
           lines_.front().seq <= std::max(last_seq, sent_to)) {
        lines_.pop_front();
    }
}

Answer<void> Reporter::flush(bool all) {
    const std::lock_guard sending(sending_);
    const bool is_silent = sent_at_ms_ && clock_.steady_ms() - *sent_at_ms_ >= kSignOfLifeMs;
    for (bool due = is_silent; due || !is_acknowledged(); due = false) {
        const std::int64_t now = clock_.steady_ms();
        if (!all && sent_at_ms_ && now - *sent_at_ms_ < kBetweenReportsMs) return {};
        sent_at_ms_ = now;
        const Snapshot snapshot = next_report();
        const auto last_seq = send_(snapshot.report);
        if (!last_seq) {
            const std::string& code = last_seq.error().code;
            if (code == "JOIN_STATE_CONFLICT" || code == "NOT_FOUND" || code == "FORBIDDEN" ||
                code == "JOIN_KEY_MISMATCH") {
                const std::lock_guard lock(state_);
                refused_ = true;
            }
            return tl::make_unexpected(last_seq.error());
        }
        acknowledge(snapshot, *last_seq);
    }
    return {};
}

bool Reporter::is_acknowledged() const {
    const std::lock_guard lock(state_);
    return acknowledged_ == version_ && lines_.empty();
}

bool Reporter::is_refused() const {
    const std::lock_guard lock(state_);
    return refused_;
}

std::vector<link::Step> Reporter::steps() const {
    const std::lock_guard lock(state_);
    return steps_;
}

} // namespace stratum::installer
