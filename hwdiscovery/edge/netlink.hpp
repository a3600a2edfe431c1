// The kernel's own list of links, addresses and routes.
#pragma once

#include <string>

#include "common/base/net.hpp"
#include "common/base/result.hpp"
#include "hwdiscovery/net_records.hpp"

namespace stratum::hw {

// kUnavailable where the kernel does not answer.
Result<NetRecords> read_net();

// The interface that the kernel would send out of to reach `address`; empty: it does not know.
std::string ask_interface_towards(const IpAddress& address);

} // namespace stratum::hw
