#include "hwdiscovery/edge/child_prober.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/clock.hpp"
#include "common/base/document.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/edge/blkid_probe.hpp"

namespace stratum::hw {
namespace {

constexpr int kPipeFd = 3; // the child's end, the one descriptor it keeps
constexpr std::uint32_t kMostFrameBytes = 4u << 20;
constexpr useconds_t kFirstPause = 200; // doubled each time: a fifth of a second in all
constexpr int kReapTries = 10;

using ReadTarget = std::function<ContentRecord(const ProbeTarget&)>;

bool write_all(int fd, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t count = ::write(fd, data, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        data += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

// A frame: its length in four bytes, then a document.
bool write_frame(int fd, const std::string& text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    return write_all(fd, reinterpret_cast<const char*>(&size), sizeof size) &&
           write_all(fd, text.data(), text.size());
}

// A child that hangs may outlive its parent: it must not keep the parent's sockets and terminals.
void let_go_of_parent(int pipe_fd) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setsid();
    if (pipe_fd != kPipeFd) ::dup2(pipe_fd, kPipeFd);
    ::close_range(kPipeFd + 1, ~0u, 0);
    const int null = ::open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2}) ::dup2(null, fd);
    if (null > kPipeFd) ::close(null);
}

using Lane = std::vector<const ProbeTarget*>;

[[noreturn]] void run_child(int pipe_fd, const Lane& lane, std::size_t from,
                            const ReadTarget& read) {
    let_go_of_parent(pipe_fd);
    for (std::size_t i = from; i < lane.size(); ++i)
        if (!write_frame(kPipeFd, write_json(to_node(read(*lane[i]))))) break;
    ::_exit(0); // not exit(): the parent's buffers and handlers are not this process's
}

enum class Got { kFrame, kMore, kEnd };

// One that hangs in the kernel cannot end, and is left behind. Gone or not, nothing of it is left
// in this process but a name in the kernel's list.
class Child {
public:
    Child(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    ~Child() {
        ::close(fd_);
        ::kill(pid_, SIGKILL);
        useconds_t pause = kFirstPause;
        for (int tries = 0; tries < kReapTries; ++tries) {
            const pid_t ended = ::waitpid(pid_, nullptr, WNOHANG);
            if (ended != 0 && !(ended < 0 && errno == EINTR)) return;
            ::usleep(pause);
            pause *= 2;
        }
    }

    [[nodiscard]] int fd() const { return fd_; }

    // Takes in what has arrived; to be called where something has.
    bool receive() {
        std::array<char, 16384> piece{};
        const ssize_t count = ::read(fd_, piece.data(), piece.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return true;
        if (count <= 0) return false;
        received_.append(piece.data(), static_cast<std::size_t>(count));
        return true;
    }

    Got next(std::string& text) {
        std::uint32_t size = 0;
        if (received_.size() < sizeof size) return Got::kMore;
        std::memcpy(&size, received_.data(), sizeof size);
        if (size > kMostFrameBytes) return Got::kEnd;
        if (received_.size() - sizeof size < size) return Got::kMore;
        text = received_.substr(sizeof size, size);
        received_.erase(0, sizeof size + size);
        return Got::kFrame;
    }

private:
    pid_t pid_;
    int fd_;
    std::string received_;
};

ContentRecord unanswered(std::string problem) {
    ContentRecord content;
    content.problem = std::move(problem);
    return content;
}

std::unique_ptr<Child> start_child(const Lane& lane, std::size_t from, const ReadTarget& read) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
    const pid_t pid = ::fork();
    if (pid == 0) run_child(ends[1], lane, from, read);
    ::close(ends[1]);
    if (pid > 0) return std::make_unique<Child>(pid, ends[0]);
    ::close(ends[0]);
    return nullptr;
}

// Targets that one child reads one after the other. The first that it does not answer for has its
// record made here, and another child goes on behind it.
class Worker {
public:
    Worker(Lane lane, const ChildProberOptions& options, std::map<std::string, ContentRecord>& to)
        : lane_(std::move(lane)), options_(options), contents_(to) {
        go_on();
    }

    [[nodiscard]] bool is_done() const { return next_ >= lane_.size(); }
    [[nodiscard]] int fd() const { return child_ ? child_->fd() : -1; }
    [[nodiscard]] std::int64_t until_ms() const { return until_ms_; }

    void receive() {
        const bool is_open = child_->receive();
        std::string text;
        Got got = Got::kMore;
        while (!is_done() && (got = child_->next(text)) == Got::kFrame) take(text);
        if (!is_done() && (got == Got::kEnd || !is_open))
            give_up("the process that read it ended in the middle");
    }

    void look_at_clock(std::int64_t now_ms) {
        if (!is_done() && now_ms >= until_ms_)
            give_up("it did not answer within " + std::to_string(options_.device_limit_ms / 1000) +
                    " s");
    }

private:
    void take(const std::string& text) {
        const auto parsed = parse_json(text);
        answer(parsed.root ? read_content(*parsed.root) : unanswered("its answer made no sense"));
    }

    void answer(ContentRecord content) {
        contents_[lane_[next_]->name] = std::move(content);
        ++next_;
        until_ms_ = system_clock().steady_ms() + options_.device_limit_ms;
        if (is_done()) child_.reset();
    }

    void give_up(std::string problem) {
        child_.reset();
        answer(unanswered(std::move(problem)));
        go_on();
    }

    void go_on() {
        while (!is_done() && !child_) {
            until_ms_ = system_clock().steady_ms() + options_.device_limit_ms;
            child_ = start_child(lane_, next_, options_.read);
            if (!child_) answer(unanswered("no process could be started to read it"));
        }
    }

    Lane lane_;
    const ChildProberOptions& options_;
    std::map<std::string, ContentRecord>& contents_;
    std::unique_ptr<Child> child_;
    std::size_t next_ = 0;
    std::int64_t until_ms_ = 0;
};

using Workers = std::vector<std::unique_ptr<Worker>>;

void wait_for(const Workers& workers) {
    std::vector<pollfd> waits;
    std::vector<Worker*> waiting;
    std::int64_t until = std::numeric_limits<std::int64_t>::max();
    for (const auto& worker : workers) {
        if (worker->is_done()) continue;
        waits.push_back({worker->fd(), POLLIN, 0});
        waiting.push_back(worker.get());
        until = std::min(until, worker->until_ms());
    }
    const std::int64_t left = std::max<std::int64_t>(0, until - system_clock().steady_ms());
    const int ready = ::poll(waits.data(), waits.size(), static_cast<int>(left));
    for (std::size_t i = 0; ready > 0 && i < waits.size(); ++i)
        if (waits[i].revents != 0) waiting[i]->receive();
    const std::int64_t now = system_clock().steady_ms();
    for (Worker* worker : waiting) worker->look_at_clock(now);
}

class ChildProber final : public Prober {
public:
    explicit ChildProber(ChildProberOptions options) : options_(std::move(options)) {
        if (!options_.read) options_.read = probe_device;
        if (options_.children == 0)
            options_.children =
                std::clamp<std::size_t>(4 * std::thread::hardware_concurrency(), 2, 8);
    }

    std::map<std::string, ContentRecord> probe(const std::vector<ProbeTarget>& targets) override {
        std::map<std::string, ContentRecord> contents;
        std::vector<Lane> lanes(std::min(options_.children, targets.size()));
        for (std::size_t i = 0; i < targets.size(); ++i)
            lanes[i % lanes.size()].push_back(&targets[i]);
        Workers workers;
        for (auto& lane : lanes)
            workers.push_back(std::make_unique<Worker>(std::move(lane), options_, contents));
        const auto is_done = [](const auto& worker) { return worker->is_done(); };
        while (!std::all_of(workers.begin(), workers.end(), is_done)) wait_for(workers);
        return contents;
    }

private:
    ChildProberOptions options_;
};

} // namespace

std::unique_ptr<Prober> make_child_prober(ChildProberOptions options) {
    return std::make_unique<ChildProber>(std::move(options));
}

} // namespace stratum::hw
