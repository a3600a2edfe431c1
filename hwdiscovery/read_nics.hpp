// Network devices as /sys/class/net shows them.
#pragma once

#include <vector>

#include "hwdiscovery/net_records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// All but the loopback, in natural order of names.
std::vector<NicSysfs> read_nic_sysfs(const Tree& tree);

// The links as sysfs and /proc/net/vlan alone can tell, where the kernel cannot be asked.
std::vector<LinkRecord> links_from_sysfs(const Tree& tree, const std::vector<NicSysfs>& nics);

} // namespace stratum::hw
