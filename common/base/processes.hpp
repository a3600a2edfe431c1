// The seam to other programs. No shell: argv as given. Standard input is empty, the environment is
// exactly what is asked for plus PATH and LC_ALL=C, and at the limit the whole process group ends.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace stratum {

struct Command {
    std::vector<std::string> argv; // argv[0] is looked up in PATH unless it has a slash
    std::map<std::string, std::string> environment;
    std::int64_t timeout_ms = 60'000; // then SIGTERM to its group, and after
    std::int64_t grace_ms = 2'000;    // this SIGKILL; 0: at once, and what it started dies with it
    std::size_t max_output_bytes = 1u << 20; // of each stream; more is dropped, `truncated` is set
    std::string working_folder;              // empty: this process's
    // Called with each whole line of either stream as it comes (without its end), from this thread.
    std::function<void(const std::string& line)> on_line;
};

struct Finished {
    int exit_code = -1; // 128 + signal for one that a signal ended
    bool timed_out = false;
    bool truncated = false;
    std::string out;
    std::string err;

    [[nodiscard]] bool ok() const { return exit_code == 0 && !timed_out; }
};

class Processes {
public:
    virtual ~Processes() = default;
    // kNotFound where there is no such program; a program that ran answers with its Finished.
    virtual Result<Finished> run(const Command& command) = 0;
};

// Real processes. Safe from any thread.
Processes& system_processes();

// A failed run as an Error: the program, its exit code or the limit, the last line it said.
Status require_ok(const Command& command, const Result<Finished>& finished);

} // namespace stratum
