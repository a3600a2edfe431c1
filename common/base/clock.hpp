// The seam to time. Rooms ask a Clock; tests move a fake one by hand and nothing sleeps.
#pragma once

#include <cstdint>

namespace stratum {

class Clock {
public:
    virtual ~Clock() = default;
    // Seconds since 1970 UTC; may jump. For what people read and for what must survive a restart.
    [[nodiscard]] virtual std::int64_t unix_seconds() const = 0;
    // Milliseconds that only go forward; for limits and waits within one process.
    [[nodiscard]] virtual std::int64_t steady_ms() const = 0;
};

// The machine's clocks; lives as long as the program. Safe from any thread.
Clock& system_clock();

} // namespace stratum
