#include "app/set_clock.hpp"

#include <time.h>

#include <cerrno>
#include <cstring>

namespace stratum::app {

Status set_machine_clock(std::int64_t unix_seconds) {
    const timespec now{static_cast<time_t>(unix_seconds), 0};
    if (::clock_settime(CLOCK_REALTIME, &now) == 0) return {};
    return fail(ErrorCode::kDenied, std::string("setting the clock: ") + std::strerror(errno));
}

} // namespace stratum::app
