// DNS servers and leases, from systemd-networkd's state, what an initramfs left, and the resolver's
// file.
#pragma once

#include <string_view>
#include <vector>

#include "hwdiscovery/net_records.hpp"
#include "hwdiscovery/nics.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

NicSettings read_nic_settings(const Tree& tree, const std::vector<NicSysfs>& nics);

// The name servers of a resolv.conf; those of this machine itself (a stub) are left out.
std::vector<std::string> parse_resolv_conf(std::string_view text);

} // namespace stratum::hw
