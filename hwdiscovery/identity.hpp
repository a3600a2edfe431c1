// Which disk this is: model, serial number, WWN, by-id names, how it is attached. From udev's
// database where there is one and it speaks of this very disk, else from sysfs by the same rules
// that udev has.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct Identity {
    std::string model, serial, transport;
    std::string wwn;                // empty: none, or a placeholder
    std::vector<std::string> by_id; // full paths, byte order
    std::vector<std::string> warnings;
};

Identity identify(const BlockRecord& disk);

// As udev names it without its database: the names under /dev/disk/by-id, no folder in front.
std::vector<std::string> derived_ids(const BlockRecord& disk);

// The identifiers of the device itself (NAA, EUI-64, NVMe's eui. and uuid.) that its WWN and its
// names spell, lower case, no scheme in front; no placeholders. Two disks with one in common are
// most likely one disk by two ways.
std::set<std::string> world_wide_ids(const facts::Disk& disk);

// A key that several disks share names none of them: it is taken from all, and said in a warning;
// and so is every name made of a world-wide identifier that they share. Paths of a multipath map,
// which share by nature, take no part.
void drop_shared_keys(std::vector<facts::Disk>& disks);

// Says of a disk that could be used but for a key how to give it one. After drop_shared_keys.
void warn_of_missing_key(facts::Disk& disk);

} // namespace stratum::hw
