#include "hwdiscovery/nic_addresses.hpp"

#include <algorithm>

namespace stratum::hw {
namespace {

constexpr std::size_t kMostEntries = 256;

std::string how_of(const AddressRecord& address, const std::vector<std::string>& leased) {
    if (address.is_temporary) return "temporary";
    const std::string bare = address.cidr.substr(0, address.cidr.find('/'));
    const auto parsed = IpAddress::parse(bare);
    if (address.is_link || (parsed && parsed->is_link_local())) return "link-local";
    if (std::find(leased.begin(), leased.end(), bare) != leased.end()) return "dhcp";
    if (!address.is_dynamic) return "static";
    // IPv4 addresses end when a lease does. An IPv6 one that ends may also come from a router, but
    // routers announce networks, never one address.
    const bool is_single = address.cidr.ends_with("/128");
    return parsed && (parsed->is_v4() || is_single) ? "dhcp" : "unknown";
}

const std::vector<std::string>& entry(const std::map<std::string, std::vector<std::string>>& map,
                                      const std::string& name) {
    static const std::vector<std::string> kNone;
    const auto found = map.find(name);
    return found == map.end() ? kNone : found->second;
}

void fill_routes(const NicInput& input, facts::Nic& nic) {
    const RouteRecord* best = nullptr;
    for (const auto& route : input.net.routes) {
        if (route.interface != nic.name) continue;
        if (!route.destination.empty()) {
            const bool is_new = std::find(nic.routes.begin(), nic.routes.end(),
                                          route.destination) == nic.routes.end();
            if (route.is_v4 && is_new && nic.routes.size() < kMostEntries)
                nic.routes.push_back(route.destination);
            continue;
        }
        if (route.gateway.empty()) continue;
        const bool is_better = best == nullptr || (route.is_v4 && !best->is_v4) ||
                               (route.is_v4 == best->is_v4 && route.metric < best->metric);
        if (is_better) best = &route;
    }
    if (best != nullptr) nic.gateway = best->gateway;
}

} // namespace

void fill_addresses(const NicInput& input, const LinkRecord& link, facts::Nic& nic) {
    fill_routes(input, nic);
    for (const auto& address : link.addresses)
        if (nic.addresses.size() < kMostEntries)
            nic.addresses.push_back(
                {address.cidr, how_of(address, entry(input.settings.leased, nic.name))});
    nic.dns = entry(input.settings.dns, nic.name);
    if (nic.dns.empty() && !nic.gateway.empty()) nic.dns = input.settings.shared_dns;
}

std::string interface_towards(const IpAddress& address, const std::vector<RouteRecord>& routes) {
    const RouteRecord* best = nullptr;
    int best_prefix = -1;
    for (const auto& route : routes) {
        int prefix = 0;
        if (route.destination.empty()) {
            if (route.is_v4 != address.is_v4()) continue;
        } else {
            const auto network = Cidr::parse(route.destination);
            if (!network || !network->contains(address)) continue;
            prefix = network->prefix();
        }
        const bool is_better =
            prefix > best_prefix || (prefix == best_prefix && route.metric < best->metric);
        if (!is_better) continue;
        best = &route;
        best_prefix = prefix;
    }
    return best == nullptr ? std::string{} : best->interface;
}

} // namespace stratum::hw
