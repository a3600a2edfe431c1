// A machine's network devices, from its raw records. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/base/net.hpp"
#include "common/facts/inventory.hpp"
#include "hwdiscovery/net_records.hpp"

namespace stratum::hw {

// What the network manager and the resolver's file say, by interface name.
struct NicSettings {
    std::map<std::string, std::vector<std::string>> dns;
    std::map<std::string, std::vector<std::string>> leased; // addresses without prefix
    std::vector<std::string> shared_dns; // of no interface: the one with the default route has it
};

struct NicInput {
    std::vector<NicSysfs> sysfs;
    NetRecords net;
    NicSettings settings;
};

// The kernel's list decides what there is: /sys may be mounted from another network namespace, and
// then tells of other devices, some of the same names.
void keep_to_kernels_list(NicInput& input);

// Ethernet and InfiniBand, hardware first, then by natural order of names; at most 512. One odd
// device costs what is odd about it; `warnings`, where given, say so.
std::vector<facts::Nic> make_nics(const NicInput& input,
                                  std::vector<std::string>* warnings = nullptr);

// The interface of the longest route that covers the address; empty: none does.
std::string interface_towards(const IpAddress& address, const std::vector<RouteRecord>& routes);

} // namespace stratum::hw
