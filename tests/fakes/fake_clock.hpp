// A clock that a test moves by hand.
#pragma once

#include <atomic>

#include "common/base/clock.hpp"

namespace stratum::fakes {

// Both times move together; only `jump` moves the wall clock alone. Safe from any thread.
class FakeClock final : public Clock {
public:
    explicit FakeClock(std::int64_t unix_seconds = 1'796'040'000) // 2026-11-30T12:00:00Z
        : unix_ms_(unix_seconds * 1000) {}

    [[nodiscard]] std::int64_t unix_seconds() const override { return unix_ms_ / 1000; }
    [[nodiscard]] std::int64_t steady_ms() const override { return steady_ms_; }

    void advance_ms(std::int64_t ms) {
        unix_ms_ += ms;
        steady_ms_ += ms;
    }
    void advance_seconds(std::int64_t seconds) { advance_ms(seconds * 1000); }
    // Somebody sets the machine's time.
    void jump_to(std::int64_t unix_seconds) { unix_ms_ = unix_seconds * 1000; }

private:
    std::atomic<std::int64_t> unix_ms_;
    std::atomic<std::int64_t> steady_ms_ = 1'000;
};

} // namespace stratum::fakes
