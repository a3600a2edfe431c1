// The kernel's own words about a device (its uevent file) and udev's database are lines of
// NAME=value. Pure.
#pragma once

#include <string>
#include <string_view>

namespace stratum::hw {

// The first value of that name; empty: none.
std::string uevent_value(std::string_view text, std::string_view name);

} // namespace stratum::hw
