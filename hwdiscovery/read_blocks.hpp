// Block devices as sysfs and udev's database show them, one record each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hwdiscovery/records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// Every block device of /sys/class/block, partitions and hidden ones too, in natural order of
// names. One that goes away in between is left out, with a warning; an attribute that cannot be
// read is a warning of its record.
std::vector<BlockRecord> read_blocks(const Tree& tree, std::vector<std::string>& warnings);

// A device's name from its entry in sysfs, which writes the slash of cciss/c0d0 as "!".
std::string device_name(std::string entry);

UdevRecord parse_udev_data(std::string_view text);

} // namespace stratum::hw
