// The substrate's part of /metrics: each component and constraint of each node, how old each report
// is, and the worst of all; in Prometheus' text format, version 0.0.4. Pure.
#pragma once

#include <string>

#include "founder/founder.hpp"

namespace stratum::founder::api {

// A status is 0 for ok, 1 for warn, 2 for unsupported.
std::string substrate_metrics(const Compatibility& found);

} // namespace stratum::founder::api
