#include "common/base/edge/child_process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <linux/close_range.h>
#include <mutex>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "common/base/edge/confine.hpp"
#include "common/base/edge/os_error.hpp"
#include "common/base/text.hpp"

namespace stratum::edge {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
                                          "/sbin:/bin";

struct Pipe {
    Fd read_end, write_end;
};

// Above the standard three: where this process runs without one, dup2 would tread on a pipe.
Fd above_standard(int fd) {
    if (fd < 0 || fd > 2) return Fd(fd);
    const Fd low(fd);
    return Fd(fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

Result<Pipe> make_pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return fail_errno("making a pipe", errno);
    Pipe pipe{above_standard(ends[0]), above_standard(ends[1])};
    if (!pipe.read_end.is_open() || !pipe.write_end.is_open() ||
        fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK) != 0) {
        return fail_errno("making a pipe", errno);
    }
    return pipe;
}

// This process's PATH, with the system's folders at its end: an ordinary user's has no sbin.
std::string program_path(const Command& command) {
    const auto asked = command.environment.find("PATH");
    if (asked != command.environment.end()) return asked->second;
    const char* own = std::getenv("PATH");
    std::vector<std::string> folders;
    for (const std::string_view list :
         {std::string_view(own == nullptr ? "" : own), kDefaultPath}) {
        for (std::string& folder : split(list, ':')) {
            const bool is_new = std::find(folders.begin(), folders.end(), folder) == folders.end();
            if (folder.starts_with('/') && is_new) folders.push_back(std::move(folder));
        }
    }
    return join(folders, ":");
}

bool is_program(const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           access(path.c_str(), X_OK) == 0;
}

Result<std::string> find_program(const std::string& name, const std::string& path) {
    if (name.find('/') != std::string::npos) return name;
    for (const std::string& folder : split(path, ':')) {
        std::string candidate = folder + "/";
        candidate += name;
        if (folder.starts_with('/') && is_program(candidate)) return candidate;
    }
    return fail(ErrorCode::kNotFound,
                "there is no program \"" + to_valid_utf8(name) + "\" in " + path);
}

// Everything the child needs, made before the fork: behind it nothing may allocate.
struct Plan {
    std::string program, folder;
    std::vector<std::string> arguments, environment;
    std::vector<char*> argv, envp;
    int in = -1, out = -1, err = -1, failure = -1;
    bool is_confined = false;
    pid_t parent = getpid();
};

void point_at(std::vector<std::string>& texts, std::vector<char*>& pointers) {
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
}

bool is_c_string(const std::string& text) {
    return text.find('\0') == std::string::npos;
}

Status fill(Plan& plan, const Command& command) {
    if (command.argv.empty() || command.argv[0].empty()) {
        return fail(ErrorCode::kInvalid, "no program is named");
    }
    const std::string path = program_path(command);
    auto program = find_program(command.argv[0], path);
    if (!program) return tl::make_unexpected(program.error());
    plan.program = std::move(*program);
    plan.folder = command.working_folder;
    plan.is_confined = command.grace_ms == 0;
    plan.arguments = command.argv;
    std::map<std::string, std::string> environment = command.environment;
    environment.emplace("PATH", path);
    environment.emplace("LC_ALL", "C");
    for (const auto& [name, value] : environment) {
        if (name.empty() || name.find('=') != std::string::npos) {
            return fail(ErrorCode::kInvalid, "an environment variable has no name or a = in it");
        }
        plan.environment.push_back(name + "=");
        plan.environment.back() += value;
    }
    const bool is_clean =
        std::all_of(plan.arguments.begin(), plan.arguments.end(), is_c_string) &&
        std::all_of(plan.environment.begin(), plan.environment.end(), is_c_string);
    if (!is_clean) return fail(ErrorCode::kInvalid, "an argument or variable holds a NUL byte");
    point_at(plan.arguments, plan.argv);
    point_at(plan.environment, plan.envp);
    return {};
}

[[noreturn]] void give_up(const Plan& plan, StartFailure::Step step) {
    const StartFailure failure{step, errno};
    // (Nobody is left to hear of a write that fails.)
    if (write(plan.failure, &failure, sizeof failure) < 0) _exit(126);
    _exit(127);
}

// In the child of a process with threads: only calls that are safe in a signal handler.
[[noreturn]] void become(const Plan& plan) {
    setpgid(0, 0);
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal <= SIGRTMAX; ++signal) sigaction(signal, &standard, nullptr);
    // If this process is killed, no half-done mkfs may go on beside its next start.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != plan.parent) _exit(127);
    dup2(plan.in, 0);
    dup2(plan.out, 1);
    dup2(plan.err, 2);
    // Descriptors that somebody opened without O_CLOEXEC.
    syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!plan.folder.empty() && chdir(plan.folder.c_str()) != 0) {
        give_up(plan, StartFailure::Step::kFolder);
    }
    if (plan.is_confined) confine_to_group();
    execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
    give_up(plan, StartFailure::Step::kExec);
}

pid_t fork_into(const Plan& plan) {
    // No handler of this process may run in the child before they are all reset.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) become(plan);
    const int number = errno;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = number;
    return pid;
}

// Children that hang in the kernel. No destructor: threads may run past the end of main.
constinit std::mutex left_behind_mutex;
constinit std::array<pid_t, 64> left_behind{};

void reap_left_behind() {
    const std::lock_guard lock(left_behind_mutex);
    for (pid_t& pid : left_behind) {
        if (pid != 0 && waitpid(pid, nullptr, WNOHANG) != 0) pid = 0;
    }
}

} // namespace

Result<ChildProcess> ChildProcess::start(const Command& command) {
    reap_left_behind();
    Plan plan;
    if (const Status filled = fill(plan, command); !filled) {
        return tl::make_unexpected(filled.error());
    }
    const Fd null = above_standard(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!null.is_open()) return fail_errno("opening /dev/null", errno);
    auto out = make_pipe();
    auto err = make_pipe();
    auto failure = make_pipe();
    for (const auto* pipe : {&out, &err, &failure}) {
        if (!*pipe) return tl::make_unexpected(pipe->error());
    }
    plan.in = null.get();
    plan.out = out->write_end.get();
    plan.err = err->write_end.get();
    plan.failure = failure->write_end.get();
    const pid_t pid = fork_into(plan);
    if (pid < 0) return fail_errno("starting " + plan.program, errno);
    setpgid(pid, pid); // here too: whoever comes first; the group must be there to be signalled
    ChildProcess child;
    child.pid_.value = pid;
    child.out = std::move(out->read_end);
    child.err = std::move(err->read_end);
    child.failure = std::move(failure->read_end);
    child.ended = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    return child;
}

ChildProcess::~ChildProcess() {
    if (pid_.value < 0) return;
    signal_group(SIGKILL);
    waitpid(pid_.value, nullptr, 0);
}

bool ChildProcess::has_ended() const {
    siginfo_t info{};
    const int failed =
        waitid(P_PID, static_cast<id_t>(pid_.value), &info, WEXITED | WNOHANG | WNOWAIT);
    // ECHILD: somebody else reaped it (or SIGCHLD is ignored); it has ended all the same.
    return failed != 0 ? errno == ECHILD : info.si_pid == pid_.value;
}

void ChildProcess::signal_group(int signal) const {
    kill(-pid_.value, signal);
}

int ChildProcess::reap() {
    int status = 0;
    const pid_t reaped = waitpid(std::exchange(pid_.value, -1), &status, 0);
    if (reaped < 0) return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void ChildProcess::leave_behind() {
    const std::lock_guard lock(left_behind_mutex);
    auto* place = std::find(left_behind.begin(), left_behind.end(), 0);
    if (place == left_behind.end()) place = left_behind.begin(); // so many: one stays a zombie
    *place = std::exchange(pid_.value, -1);
}

} // namespace stratum::edge
