// What device-mapper itself says of one of its devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stratum::hw {

struct DmStatus {
    std::optional<std::uint32_t> open_count; // who has it open: mounts, maps on top, programs
    std::string target;                      // of its first segment: linear, crypt, striped …
    std::string status; // of a raid or multipath segment: its words on its health
};

// Empty where there is no device-mapper, no right to ask it, or no such device.
DmStatus read_dm_status(const std::string& name);

} // namespace stratum::hw
