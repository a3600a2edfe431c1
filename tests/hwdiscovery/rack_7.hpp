// A made-up machine that has one of everything that the table can say.
#pragma once

#include "common/facts/inventory.hpp"

namespace stratum::hw {

facts::Inventory rack_7();

} // namespace stratum::hw
