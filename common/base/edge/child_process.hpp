// One child in a process group of its own, from its start to the moment it is reaped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/edge/fd.hpp"
#include "common/base/processes.hpp"
#include "common/base/result.hpp"

namespace stratum::edge {

// What the child writes into `failure` where it never became the program.
struct StartFailure {
    enum class Step : int { kFolder, kExec };
    Step step;
    int error_number;
};

class ChildProcess {
public:
    static Result<ChildProcess> start(const Command& command);
    ChildProcess(ChildProcess&&) noexcept = default;
    ChildProcess& operator=(ChildProcess&&) = delete;
    // One that still runs is killed with its group and reaped.
    ~ChildProcess();

    // Read ends that do not block; `failure` is at its end as soon as the program runs.
    Fd out, err, failure;
    // Readable when the child has ended; not open on kernels without it.
    Fd ended;

    // Has the child ended? It is not reaped by this, so its group's number stays its own.
    [[nodiscard]] bool has_ended() const;
    void signal_group(int signal) const;
    // 128 + signal for one that a signal ended. Only after has_ended().
    int reap();
    // A child that even SIGKILL does not end (it hangs in the kernel) is reaped by a later start.
    void leave_behind();

private:
    ChildProcess() = default;

    struct Pid {
        int value = -1;
        Pid() = default;
        Pid(Pid&& other) noexcept : value(std::exchange(other.value, -1)) {}
    };
    Pid pid_;
};

} // namespace stratum::edge
