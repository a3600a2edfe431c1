// Tells those who wait that something changed: a number that only goes up.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace stratum::founder {

class Changes {
public:
    [[nodiscard]] std::uint64_t number() const;
    void announce();
    // True when there was a change since `seen`; false after `wait_ms` of real time or at a stop.
    bool wait(std::uint64_t seen, std::int64_t wait_ms);
    void stop(); // for good
    [[nodiscard]] bool is_stopping() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable condition_;
    std::uint64_t number_ = 0;
    bool stopping_ = false;
};

} // namespace stratum::founder
