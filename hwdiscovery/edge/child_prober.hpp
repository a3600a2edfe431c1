// Reads devices in a child process, so that one that hangs in the kernel costs its own answer and
// five seconds, not the program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "hwdiscovery/prober.hpp"

namespace stratum::hw {

struct ChildProberOptions {
    std::int64_t device_limit_ms = 5000;
    // What the child does with one target; empty: probe_device. For tests.
    std::function<ContentRecord(const ProbeTarget&)> read;
};

std::unique_ptr<Prober> make_child_prober(ChildProberOptions options = {});

} // namespace stratum::hw
