// Setting the machine's clock from the founder's time, over the pinned channel.
#pragma once

#include <cstdint>

#include "common/base/result.hpp"

namespace stratum::app {

// kDenied without the right to.
Status set_machine_clock(std::int64_t unix_seconds);

} // namespace stratum::app
