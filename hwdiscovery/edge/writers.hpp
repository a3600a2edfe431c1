// Programs that have block devices open for writing: a virtual machine or a storage daemon on a raw
// disk, which neither a mount nor the kernel's claims show.
#pragma once

#include <map>
#include <string>

#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// By the device's number (8:0): the process with the lowest number. This process is none of them,
// nor is one that may not be looked into. A look at a moment; from any thread.
std::map<std::string, Writer> find_writers();

} // namespace stratum::hw
