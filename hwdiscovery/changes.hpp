// What is different between two looks at a machine, for a person who just plugged something. Pure.
#pragma once

#include <string>
#include <vector>

#include "common/facts/inventory.hpp"

namespace stratum::hw {

// One phrase each, NICs first: "eno2 is up", "/dev/sdb has come", "/dev/sdb is mounted". Devices
// are the same where their names are. Empty: nothing that has a phrase.
std::vector<std::string> changes_between(const facts::Inventory& before,
                                         const facts::Inventory& after);

} // namespace stratum::hw
