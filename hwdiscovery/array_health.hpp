// What an array says of its health, in md's files and in device-mapper's words. Pure; text that
// makes no sense gives nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stratum::hw {

// resync, recover, check, repair, reshape: an array that does one of these is not idle.
bool is_array_work(std::string_view action);

// "4096 / 65536" sectors in whole percent; absent for none and delayed.
std::optional<int> percent_done(std::string_view completed);

// The words of dm-raid (LVM's RAID) on itself: "raid1 2 AD 65536/65536 idle 0 0 -".
struct DmRaidHealth {
    std::string level;
    std::vector<std::size_t> failed; // legs, from 0
    std::string sync;                // empty: idle
    std::optional<int> sync_percent;
};
std::optional<DmRaidHealth> parse_dm_raid(std::string_view status);

// Numbers (8:16) of the paths that multipath has given up: "… 8:0 A 0 8:16 F 1 …".
std::vector<std::string> parse_failed_paths(std::string_view status);

} // namespace stratum::hw
