// A captured machine's network: what iproute2 printed on it (`ip -j -d addr`, `ip -j route`), or
// what our own capture wrote in the same form, kept as ip-addr.json and ip-route.json beside its
// sys and proc.
#pragma once

#include <vector>

#include "common/base/document.hpp"
#include "hwdiscovery/net_records.hpp"

namespace stratum::hw {

std::vector<LinkRecord> parse_ip_links(const Node& links);
std::vector<RouteRecord> parse_ip_routes(const Node& routes);

// The other way: reading it back gives equal records. (iproute2 leaves out a permanent address that
// is the current one, and a route's family; here they always stand.)
Node ip_links_node(const std::vector<LinkRecord>& links);
Node ip_routes_node(const std::vector<RouteRecord>& routes);

} // namespace stratum::hw
