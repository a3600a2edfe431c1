#include "hwdiscovery/edge/child_prober.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
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
constexpr int kReapTries = 20;

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

[[noreturn]] void run_child(int pipe_fd, const std::vector<ProbeTarget>& targets, std::size_t from,
                            const ReadTarget& read) {
    let_go_of_parent(pipe_fd);
    for (std::size_t i = from; i < targets.size(); ++i)
        if (!write_frame(kPipeFd, write_json(to_node(read(targets[i]))))) break;
    ::_exit(0); // not exit(): the parent's buffers and handlers are not this process's
}

enum class Got { kFrame, kEnd, kTimeout };

class Child {
public:
    Child(pid_t pid, int fd, std::int64_t limit_ms) : pid_(pid), fd_(fd), limit_ms_(limit_ms) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    ~Child() {
        ::close(fd_);
        ::kill(pid_, SIGKILL);
        // One that hangs in the kernel cannot end; it is left behind.
        for (int tries = 0; tries < kReapTries; ++tries) {
            const pid_t ended = ::waitpid(pid_, nullptr, WNOHANG);
            if (ended != 0 && !(ended < 0 && errno == EINTR)) return;
            ::usleep(5000);
        }
    }

    Got next(std::string& text) {
        const std::int64_t until = system_clock().steady_ms() + limit_ms_;
        std::uint32_t size = 0;
        const Got head = fill(reinterpret_cast<char*>(&size), sizeof size, until);
        if (head != Got::kFrame) return head;
        if (size > kMostFrameBytes) return Got::kEnd;
        text.resize(size);
        return fill(text.data(), size, until);
    }

private:
    Got fill(char* data, std::size_t size, std::int64_t until) const {
        while (size > 0) {
            const std::int64_t left = until - system_clock().steady_ms();
            pollfd wait{fd_, POLLIN, 0};
            const int ready = left > 0 ? ::poll(&wait, 1, static_cast<int>(left)) : 0;
            if (ready < 0 && errno == EINTR) continue;
            if (ready <= 0) return Got::kTimeout;
            const ssize_t count = ::read(fd_, data, size);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return Got::kEnd;
            data += count;
            size -= static_cast<std::size_t>(count);
        }
        return Got::kFrame;
    }

    pid_t pid_;
    int fd_;
    std::int64_t limit_ms_;
};

ContentRecord unanswered(std::string problem) {
    ContentRecord content;
    content.problem = std::move(problem);
    return content;
}

class ChildProber final : public Prober {
public:
    explicit ChildProber(ChildProberOptions options) : options_(std::move(options)) {
        if (!options_.read) options_.read = probe_device;
    }

    std::map<std::string, ContentRecord> probe(const std::vector<ProbeTarget>& targets) override {
        std::map<std::string, ContentRecord> contents;
        std::size_t next = 0;
        while (next < targets.size()) next = probe_from(targets, next, contents);
        return contents;
    }

private:
    // One child for as many targets as answer; the first that does not has its record made here.
    std::size_t probe_from(const std::vector<ProbeTarget>& targets, std::size_t next,
                           std::map<std::string, ContentRecord>& contents) const {
        const auto child = start(targets, next);
        if (!child) {
            contents[targets[next].name] = unanswered("no process could be started to read it");
            return next + 1;
        }
        for (; next < targets.size(); ++next) {
            std::string text;
            const Got got = child->next(text);
            if (got != Got::kFrame) {
                contents[targets[next].name] =
                    unanswered(got == Got::kTimeout
                                   ? "it did not answer within " +
                                         std::to_string(options_.device_limit_ms / 1000) + " s"
                                   : "the process that read it ended in the middle");
                return next + 1;
            }
            const auto parsed = parse_json(text);
            contents[targets[next].name] =
                parsed.root ? read_content(*parsed.root) : unanswered("its answer made no sense");
        }
        return next;
    }

    std::unique_ptr<Child> start(const std::vector<ProbeTarget>& targets, std::size_t from) const {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
        const pid_t pid = ::fork();
        if (pid == 0) run_child(ends[1], targets, from, options_.read);
        ::close(ends[1]);
        if (pid > 0) return std::make_unique<Child>(pid, ends[0], options_.device_limit_ms);
        ::close(ends[0]);
        return nullptr;
    }

    ChildProberOptions options_;
};

} // namespace

std::unique_ptr<Prober> make_child_prober(ChildProberOptions options) {
    return std::make_unique<ChildProber>(std::move(options));
}

} // namespace stratum::hw
