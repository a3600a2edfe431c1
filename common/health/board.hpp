// The last result of each configured check, with its age. Safe from any thread.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "common/health/run.hpp"

namespace stratum::health {

struct CheckState {
    Check check;
    bool has_run = false;
    Outcome outcome;
    std::int64_t at = 0; // unix seconds: when it last ended; 0: never
    // Not now (there is a newer result to come that is too late), or never.
    [[nodiscard]] bool is_overdue(std::int64_t now) const;
    [[nodiscard]] bool passes(std::int64_t now) const {
        return has_run && outcome.passed && !is_overdue(now);
    }
    // "health check etcd ended with exit code 1: …"; empty where it passes. No spans of time: the
    // words change only when the state does.
    [[nodiscard]] std::string sentence(std::int64_t now) const;
};

class Board {
public:
    // A check that stays as it was keeps its result; a new one has not run yet, and so fails.
    void set_checks(const std::vector<Check>& checks);
    // Why the checks' file cannot be used; empty: it can. The checks stay as they were.
    void set_fault(std::string fault);
    // True where the outcome is another than the last one's. A check that is not here any more: no.
    bool put(const Check& check, Outcome outcome, std::int64_t at);

    [[nodiscard]] std::vector<CheckState> states() const; // in the file's order
    [[nodiscard]] std::string fault() const;
    // A sentence for each check that fails, and one for the file.
    [[nodiscard]] std::vector<std::string> failing(std::int64_t now) const;

private:
    mutable std::mutex mutex_;
    std::vector<CheckState> states_;
    std::string fault_;
};

} // namespace stratum::health
