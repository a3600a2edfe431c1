// One network device as the kernel's route socket tells it.
#pragma once

#include "hwdiscovery/edge/netlink_ask.hpp"
#include "hwdiscovery/net_records.hpp"

namespace stratum::hw::route {

struct RawLink {
    LinkRecord record;
    int master = 0, parent = 0; // indexes; 0: none, or in another namespace
};

// Of a RTM_NEWLINK message.
RawLink link_of(nlmsghdr* header);

} // namespace stratum::hw::route
