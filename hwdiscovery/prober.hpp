// The seam to what stands on devices. Reading a device can hang in the kernel for ever; whoever
// implements this comes back all the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct ProbeTarget {
    std::string name; // the kernel's
    std::string path; // the device to open
    std::string dev;  // 8:1: what must be behind that path; empty: not checked (plain files)
    std::string dm_name;
    // Where the kernel has no devices for the partitions of the table, they are read in place.
    bool reads_partitions = false;
};

class Prober {
public:
    virtual ~Prober() = default;
    // One record for each target, by name. A target that did not answer in time has a record that
    // is not complete and says so.
    virtual std::map<std::string, ContentRecord> probe(const std::vector<ProbeTarget>& targets) = 0;
};

} // namespace stratum::hw
