// What stands on a device, from whoever could tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

struct DeviceHolds {
    std::vector<facts::Hold> holds;
    // Everything was read, and nobody in the kernel has claimed the device: an empty list then
    // means blank.
    bool is_proved = false;
    std::string problem;    // why it is not
    bool is_unread = false; // not all of it could be read: more may stand there than is listed
};

// `content` is nullptr where nobody looked; then udev's database says what it saw, and proves
// nothing.
DeviceHolds holds_of(const BlockRecord& block, const ContentRecord* content);

// Of a partition that the kernel has no device for.
DeviceHolds holds_in_place(const std::string& disk_path, const TablePartition& partition,
                           bool is_complete);

facts::Hold hold_of(const SignatureRecord& signature, const std::string& device);
facts::Hold hold_of(const TableRecord& table, const std::string& device);

} // namespace stratum::hw
