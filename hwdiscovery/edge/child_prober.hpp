// Reads devices in child processes, several at once, so that one that hangs in the kernel costs its
// own answer and five seconds, not the program. Each child reads its share one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "hwdiscovery/prober.hpp"

namespace stratum::hw {

struct ChildProberOptions {
    std::int64_t device_limit_ms = 5000;
    // How many at once; 0: four for each processor (they wait for the disks most of the time), from
    // 2 to 8.
    std::size_t children = 0;
    // What the child does with one target; empty: probe_device. For tests.
    std::function<ContentRecord(const ProbeTarget&)> read;
};

std::unique_ptr<Prober> make_child_prober(ChildProberOptions options = {});

} // namespace stratum::hw
