// A machine that is looked at again when something of it changes: `firstboot discover --watch`.
// What wakes it is behind a seam; `edge/device_events.hpp` has the machine's own.
#pragma once

#include <cstdint>
#include <functional>

#include "common/base/clock.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::hw {

enum class Woken {
    kNothing, // the time is over
    kChange,  // something of the hardware, the network or the mounts may have changed
    kStop,    // the program should end, or nobody reads any more
};

class DeviceEvents {
public:
    virtual ~DeviceEvents() = default;
    // Waits up to `wait_ms` (0: only looks) and takes everything that has come.
    virtual Woken wait(std::int64_t wait_ms) = 0;
};

struct WatchSeams {
    DeviceEvents& events;
    const Clock& clock;
    std::function<facts::Inventory()> look;
    // False: nobody reads any more.
    std::function<bool(const facts::Inventory&)> show;
    // What is shown must be drawn again though nothing changed (the terminal has another size).
    // Asked twice a second. Not set: never.
    std::function<bool()> is_stale;
};

// Shows the machine, then again each time that it is another than was shown: half a second after
// the first of some changes at the latest. Without any event it looks once a minute. Returns at a
// stop.
void watch(const WatchSeams& seams);

} // namespace stratum::hw
