// Listens for LLDP frames; sends nothing, and takes nothing from whoever else listens.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "common/base/result.hpp"
#include "hwdiscovery/lldp.hpp"

namespace stratum::hw {

struct LldpOptions {
    std::int64_t limit_ms = 0; // how long to wait for those that have said nothing yet
    int stop = -1;             // a descriptor: readable ends the wait
};

// Blocks until every port has heard somebody, the limit is over, or a stop. What was heard, by port
// name; a port that cannot be listened at hears nothing. kDenied: this program may not listen.
Result<std::map<std::string, std::vector<facts::LldpNeighbour>>>
listen_for_lldp(const std::vector<LldpPort>& ports, const LldpOptions& options);

} // namespace stratum::hw
