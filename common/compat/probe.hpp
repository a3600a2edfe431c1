// Asking the programs of this machine for their versions, all side by side. Whatever a program
// does (it is absent, hangs, crashes, floods, says something else), the answer is a Detection and
// comes within the limit; nothing it started stays behind.
#pragma once

#include "common/base/processes.hpp"
#include "common/compat/pins.hpp"
#include "common/compat/report.hpp"

namespace stratum::compat {

constexpr std::int64_t kProbeLimitMs = 2'000;

// One host component. `processes` may be used from any thread.
Detection detect(const Component& component, Processes& processes);

// Every host component of the pins; one thread each for as long as it takes.
Detections detect_all(const Pins& pins, Processes& processes);

} // namespace stratum::compat
