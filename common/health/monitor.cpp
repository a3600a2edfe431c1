#include "common/health/monitor.hpp"

#include <chrono>
#include <future>

#include "common/base/text.hpp"

namespace stratum::health {
namespace {

constexpr std::size_t kLongestFile = 1u << 20;
constexpr std::chrono::seconds kLookEvery{1};

} // namespace

Monitor::Monitor(MonitorOptions options, MonitorSeams seams, Board& board)
    : options_(std::move(options)), seams_(std::move(seams)), board_(board) {
    read_file();
}

Monitor::~Monitor() {
    stop();
}

void Monitor::look() {
    read_file();
    run_due();
}

void Monitor::start() {
    thread_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        while (!stopping_) {
            lock.unlock();
            look();
            lock.lock();
            stopped_.wait_for(lock, kLookEvery, [this] { return stopping_; });
        }
    });
}

void Monitor::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stopped_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Monitor::read_file() {
    auto text = seams_.run.files.read(options_.path, kLongestFile);
    const bool is_absent = !text && text.error().code == ErrorCode::kNotFound;
    std::string fault;
    if (!text && (!is_absent || options_.must_exist)) fault = text.error().message;
    const std::optional<std::string> now = text ? std::optional(*text) : std::nullopt;
    if (was_read_ && now == text_ && fault == board_.fault()) return;
    // What is wrong with the file as it stands was told when it was first read.
    if (was_read_ && now && now == text_) return;
    was_read_ = true;
    text_ = now;
    if (now) {
        const ReadChecks read = read_checks(*now);
        if (!read.findings.empty()) fault = join(fault_lines(options_.path, read), "; ");
        if (fault.empty()) board_.set_checks(read.checks);
    } else if (fault.empty()) {
        board_.set_checks({});
    }
    if (fault != board_.fault() && !fault.empty() && seams_.log)
        seams_.log("the health checks' file cannot be used: " + fault);
    board_.set_fault(fault);
    tell_news();
}

// Each in a thread of its own, so that one that hangs to its limit holds up no other for longer.
void Monitor::run_due() {
    struct Running {
        Check check;
        std::future<Outcome> outcome;
    };
    std::vector<Running> running;
    for (const CheckState& state : board_.states()) {
        const Check& check = state.check;
        const std::int64_t now_ms = seams_.clock.steady_ms();
        const auto due = due_ms_.find(check.name);
        if (state.has_run && due != due_ms_.end() && now_ms < due->second) continue;
        due_ms_[check.name] = now_ms + check.every_s * 1000;
        running.push_back({check, std::async(std::launch::async, [this, check] {
                               return run_check(check, seams_.run);
                           })});
    }
    bool is_news = false;
    for (Running& one : running) {
        Outcome outcome = one.outcome.get();
        const std::string line = one.check.name + (outcome.passed ? " passes" : " " + outcome.said);
        const bool changed = board_.put(one.check, std::move(outcome), seams_.clock.unix_seconds());
        if (changed && seams_.log) seams_.log("health check " + line);
        is_news |= changed;
    }
    if (is_news) tell_news();
}

void Monitor::tell_news() {
    if (seams_.on_news) seams_.on_news();
}

} // namespace stratum::health
