// What a network device is: hardware that can be cabled, made of others, or something else; and
// whether it leads to this machine's own management controller. Pure.
#pragma once

#include <string>

#include "hwdiscovery/nics.hpp"

namespace stratum::hw {

// physical, bond, vlan, bridge, other. A virtual function whose card is here too, a port that
// stands for one, and what works below a paravirtual device of the same address (Hyper-V's,
// virtio's failover) are no port of their own: other.
std::string nic_kind(const NicSysfs& nic, const LinkRecord& link, const NicInput& input);

// There is a device of the machine (or of its hypervisor) behind it.
bool is_hardware(const NicSysfs& nic, const LinkRecord& link);

// A management controller shows itself to its host as a USB network card.
bool is_management_controller(const NicSysfs& nic);

} // namespace stratum::hw
