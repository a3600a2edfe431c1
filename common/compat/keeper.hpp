// This machine's report, kept fresh in the background: whoever asks is answered from memory, with
// the time it was taken.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "common/base/clock.hpp"
#include "common/base/processes.hpp"
#include "common/compat/report.hpp"

namespace stratum::compat {

// How often a machine looks at itself, and a member sends what it saw; a sample that is three of
// these old is stale.
constexpr std::int64_t kSamplePeriodMs = 180'000;
constexpr std::int64_t kStaleSeconds = 3 * kSamplePeriodMs / 1000;

struct Held {
    Report report;
    std::int64_t probed_at = 0; // seconds since 1970
};

class Keeper {
public:
    struct World {
        Processes& processes; // both outlive the keeper
        Clock& clock;
        std::string stratum_version;
        std::int64_t period_ms = kSamplePeriodMs;
    };
    // Begins to probe at once, on a thread of its own, which ends with the keeper.
    Keeper(Pins pins, World world);
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    // What was seen last; waits for the first look to end. From any thread.
    Held latest();
    // The same without waiting: nothing before the first look has ended.
    std::optional<Held> seen();
    // A look that began after this call. Callers at the same time share one. From any thread.
    Held refresh();
    [[nodiscard]] const Pins& pins() const { return pins_; }

private:
    void run();
    Held wait_for(std::uint64_t look);

    const Pins pins_;
    const World world_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t asked_ = 1;   // looks that somebody waits for, counted from 1
    std::uint64_t started_ = 0; // looks that began
    std::uint64_t done_ = 0;    // looks that ended
    bool is_stopping_ = false;
    Held held_;
    std::thread thread_; // last: it uses the rest
};

} // namespace stratum::compat
