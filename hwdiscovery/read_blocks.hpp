// Block devices as sysfs and udev's database show them, one record each.
#pragma once

#include <string_view>
#include <vector>

#include "hwdiscovery/records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// Every block device of /sys/class/block, partitions too, in natural order of names. A device that
// goes away in between leaves a record with what could still be read, or none.
std::vector<BlockRecord> read_blocks(const Tree& tree);

UdevRecord parse_udev_data(std::string_view text);

} // namespace stratum::hw
