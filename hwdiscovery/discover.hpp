// This machine, or a captured one, as an inventory. Never fails: what cannot be read is absent and
// said in a warning. Reads only: nothing is opened for writing. Blocks for as long as the devices
// take, at most five seconds for each one that does not answer. From any thread.
#pragma once

#include <optional>
#include <string>

#include "common/base/net.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::hw {

struct DiscoverOptions {
    // A captured machine's folder (see README.md); empty: this machine.
    std::string root;
    // Fills founder_interface.
    std::optional<IpAddress> founder_address;
    // False: no device is opened; what disks hold is then known from udev's database at most, and
    // none is blank.
    bool probe_contents = true;
    // More than 0: listens for LLDP that long where cards have a carrier, until each has heard
    // somebody (switches speak every 30 s), or until `lldp_stop` is readable. Sends nothing.
    int lldp_seconds = 0;
    int lldp_stop = -1;
};

facts::Inventory discover(const DiscoverOptions& options = {});

} // namespace stratum::hw
