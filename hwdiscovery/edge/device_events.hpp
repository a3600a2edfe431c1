// What wakes a watcher on this machine: udev's events of disks and network devices (the kernel's
// own where no udevd runs), the route socket, the kernel's lists of mounts, swap and arrays.
#pragma once

#include <memory>
#include <string>

#include "hwdiscovery/watch.hpp"

namespace stratum::hw {

struct DeviceEventsOptions {
    // A captured machine: changes of what stands at the top of its folder.
    std::string root;
    int stop = -1;   // a descriptor: readable is a stop
    int reader = -1; // a descriptor that is written to: a reader who is gone is a stop
};

// A source that cannot be opened is left out. The descriptors must outlive it. One thread.
std::unique_ptr<DeviceEvents> open_device_events(const DeviceEventsOptions& options);

} // namespace stratum::hw
