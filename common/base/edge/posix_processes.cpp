#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <poll.h>

#include "common/base/clock.hpp"
#include "common/base/edge/child_process.hpp"
#include "common/base/edge/os_error.hpp"
#include "common/base/line_splitter.hpp"
#include "common/base/processes.hpp"

namespace stratum {
namespace {

using edge::ChildProcess;
using edge::Fd;

// Between SIGKILL and leaving it behind.
constexpr std::int64_t kKillGraceMs = 2'000;
// How long a stream is read on when the program has ended and something it started holds it open.
constexpr std::int64_t kDrainMs = 300;
// How often to look where the kernel cannot say when a child has ended.
constexpr std::int64_t kLookEveryMs = 20;

// A name without a slash was found in PATH before it was started.
bool is_there(const std::string& program) {
    return program.find('/') == std::string::npos || access(program.c_str(), F_OK) == 0;
}

struct Stream {
    Fd& fd;
    std::string& kept;
    std::size_t max_bytes;
    LineSplitter lines{};
};

class Run {
public:
    Run(const Command& command, ChildProcess child)
        : command_(command), child_(std::move(child)),
          deadline_ms_(clock_.steady_ms() + command.timeout_ms) {}

    Result<Finished> finish();

private:
    enum class Phase { kRunning, kTerminated, kKilled, kDraining };

    void wait();
    void read(Stream& stream);
    void read_failure();
    void look_at_child();
    void at_limit();
    void enter(Phase phase, std::int64_t limit_ms);
    [[nodiscard]] bool is_reading() const;
    Result<Finished> result();

    const Command& command_;
    ChildProcess child_;
    Clock& clock_ = system_clock();
    Phase phase_ = Phase::kRunning;
    std::int64_t deadline_ms_;
    bool has_ended_ = false;
    bool is_over_ = false;
    Finished finished_;
    std::string failure_;
    Stream out_{child_.out, finished_.out, command_.max_output_bytes};
    Stream err_{child_.err, finished_.err, command_.max_output_bytes};
};

Result<Finished> Run::finish() {
    while (!is_over_) {
        wait();
        look_at_child();
        if (has_ended_ && !is_reading()) break;
        if (clock_.steady_ms() >= deadline_ms_) at_limit();
    }
    return result();
}

void Run::wait() {
    std::array<pollfd, 4> polled = {{{child_.out.get(), POLLIN, 0},
                                     {child_.err.get(), POLLIN, 0},
                                     {child_.failure.get(), POLLIN, 0},
                                     {has_ended_ ? -1 : child_.ended.get(), POLLIN, 0}}};
    std::int64_t wait_ms = std::max<std::int64_t>(deadline_ms_ - clock_.steady_ms(), 0);
    if (!child_.ended.is_open()) wait_ms = std::min(wait_ms, kLookEveryMs);
    wait_ms = std::min<std::int64_t>(wait_ms, 60'000); // (poll takes an int)
    if (poll(polled.data(), polled.size(), static_cast<int>(wait_ms)) <= 0) return;
    if (polled[0].revents != 0) read(out_);
    if (polled[1].revents != 0) read(err_);
    if (polled[2].revents != 0) read_failure();
}

void Run::read(Stream& stream) {
    std::array<char, 64 * 1024> block;
    const ssize_t got = ::read(stream.fd.get(), block.data(), block.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        stream.fd.close();
        if (command_.on_line) stream.lines.finish(command_.on_line);
        return;
    }
    const std::string_view piece(block.data(), static_cast<std::size_t>(got));
    const std::size_t room = stream.max_bytes - std::min(stream.max_bytes, stream.kept.size());
    stream.kept += piece.substr(0, room);
    if (piece.size() > room) finished_.truncated = true;
    if (command_.on_line) stream.lines.feed(piece, command_.on_line);
}

void Run::read_failure() {
    std::array<char, sizeof(edge::StartFailure)> block;
    const ssize_t got = ::read(child_.failure.get(), block.data(), block.size());
    if (got > 0) failure_.append(block.data(), static_cast<std::size_t>(got));
    if (got == 0) child_.failure.close();
}

void Run::look_at_child() {
    if (has_ended_ || !child_.has_ended()) return;
    has_ended_ = true;
    // What its children did not do at SIGTERM they need not do now: none may go on. Without a grace
    // none may outlive the program either (and none can have left the group: confine).
    if (phase_ != Phase::kRunning || command_.grace_ms == 0) child_.signal_group(SIGKILL);
    enter(Phase::kDraining, kDrainMs);
}

void Run::at_limit() {
    switch (phase_) {
    case Phase::kRunning:
        finished_.timed_out = true;
        child_.signal_group(SIGTERM);
        child_.signal_group(SIGCONT); // a stopped one would not hear it
        return enter(Phase::kTerminated, command_.grace_ms);
    case Phase::kTerminated:
        child_.signal_group(SIGKILL);
        return enter(Phase::kKilled, kKillGraceMs);
    case Phase::kKilled:
    case Phase::kDraining:
        is_over_ = true;
    }
}

void Run::enter(Phase phase, std::int64_t limit_ms) {
    phase_ = phase;
    deadline_ms_ = clock_.steady_ms() + limit_ms;
}

bool Run::is_reading() const {
    return child_.out.is_open() || child_.err.is_open() || child_.failure.is_open();
}

Result<Finished> Run::result() {
    for (Stream* stream : {&out_, &err_}) {
        if (stream->fd.is_open() && command_.on_line) stream->lines.finish(command_.on_line);
    }
    if (has_ended_) {
        finished_.exit_code = child_.reap();
    } else {
        child_.leave_behind();
    }
    edge::StartFailure failure{};
    if (failure_.size() != sizeof failure) return std::move(finished_);
    std::memcpy(&failure, failure_.data(), sizeof failure);
    const bool is_folder = failure.step == edge::StartFailure::Step::kFolder;
    if (!is_folder && failure.error_number == ENOENT && is_there(command_.argv[0]))
        return fail(ErrorCode::kUnavailable, "starting " + command_.argv[0] +
                                                 ": what runs it (its first line, or its loader) "
                                                 "is not there");
    return edge::fail_errno(is_folder ? "entering the folder " + command_.working_folder
                                      : "starting " + command_.argv[0],
                            failure.error_number);
}

class PosixProcesses final : public Processes {
public:
    Result<Finished> run(const Command& command) override {
        if (command.timeout_ms <= 0 || command.grace_ms < 0) {
            return fail(ErrorCode::kInvalid,
                        "a program needs a time limit above 0 ms, and a grace of 0 ms or more");
        }
        auto child = ChildProcess::start(command);
        if (!child) return tl::make_unexpected(child.error());
        return Run(command, std::move(*child)).finish();
    }
};

} // namespace

Processes& system_processes() {
    static PosixProcesses processes;
    return processes;
}

} // namespace stratum
