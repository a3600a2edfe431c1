// A captured machine's network: what iproute2 printed on it (`ip -j -d addr`, `ip -j route`), kept
// as ip-addr.json and ip-route.json beside its sys and proc.
#pragma once

#include <vector>

#include "common/base/document.hpp"
#include "hwdiscovery/net_records.hpp"

namespace stratum::hw {

std::vector<LinkRecord> parse_ip_links(const Node& links);
std::vector<RouteRecord> parse_ip_routes(const Node& routes);

} // namespace stratum::hw
