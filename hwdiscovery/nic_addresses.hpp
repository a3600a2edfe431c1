// What a network device is on the network: its addresses and how they came, its routes, its
// gateway, its name servers. Pure.
#pragma once

#include "hwdiscovery/nics.hpp"

namespace stratum::hw {

// Of the device that `nic.name` names; at most 256 addresses and 256 routes.
void fill_addresses(const NicInput& input, const LinkRecord& link, facts::Nic& nic);

} // namespace stratum::hw
