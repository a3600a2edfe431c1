#include "hwdiscovery/captured.hpp"

#include <algorithm>
#include <limits>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

std::string text_of(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member == nullptr ? std::string{} : member->as_string();
}

std::optional<std::uint32_t> number_of(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    if (member == nullptr || member->kind() != Node::Kind::kInt) return std::nullopt;
    const auto value = member->as_int();
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(value);
}

bool is_set(const Node& node, std::string_view name) {
    const Node* member = node.find(name);
    return member != nullptr && member->as_bool();
}

std::vector<std::string> texts_of(const Node& node, std::string_view name) {
    std::vector<std::string> texts;
    const Node* list = node.find(name);
    if (list == nullptr) return texts;
    for (const auto& item : list->items()) texts.push_back(item.as_string());
    return texts;
}

AddressRecord address_of(const Node& info) {
    AddressRecord address;
    address.cidr =
        text_of(info, "local") + "/" + std::to_string(number_of(info, "prefixlen").value_or(0));
    address.is_dynamic = is_set(info, "dynamic");
    address.is_temporary = is_set(info, "temporary");
    address.is_link = text_of(info, "scope") == "link";
    return address;
}

// Ours alone has the number in brackets, as iproute2 has it for types it has no word for.
std::optional<std::uint64_t> hardware_type_of(const std::string& word) {
    if (word == "ether") return 1;
    if (word == "infiniband") return 32;
    if (word == "loopback") return 772;
    if (word.size() > 2 && word.starts_with("[") && word.ends_with("]"))
        return parse_decimal(word.substr(1, word.size() - 2));
    return std::nullopt;
}

// A device that is not up knows nothing of its carrier.
std::optional<bool> carrier_of(const std::vector<std::string>& flags) {
    const auto has = [&](const char* flag) {
        return std::find(flags.begin(), flags.end(), flag) != flags.end();
    };
    if (!has("UP")) return std::nullopt;
    return !has("NO-CARRIER");
}

void read_kind(const Node& info, LinkRecord& link) {
    link.kind = text_of(info, "info_kind");
    if (const Node* member = info.find("info_slave_data"); member != nullptr)
        if (link.permanent_mac.empty()) link.permanent_mac = lower(text_of(*member, "perm_hwaddr"));
    const Node* data = info.find("info_data");
    if (data == nullptr) return;
    if (link.kind == "vlan")
        if (const auto id = number_of(*data, "id"); id && *id <= 4094)
            link.vlan_id = static_cast<int>(*id);
    if (link.kind == "bond")
        link.bond = {text_of(*data, "mode"), text_of(*data, "xmit_hash_policy"),
                     text_of(*data, "ad_lacp_rate"), number_of(*data, "miimon")};
}

LinkRecord link_of(const Node& node) {
    LinkRecord link;
    link.index = static_cast<int>(number_of(node, "ifindex").value_or(0) & 0x7fffffff);
    link.name = text_of(node, "ifname");
    link.alt_names = texts_of(node, "altnames");
    link.hardware_type = hardware_type_of(text_of(node, "link_type"));
    link.mac = lower(text_of(node, "address"));
    link.permanent_mac = lower(text_of(node, "permaddr"));
    link.mtu = number_of(node, "mtu");
    link.max_mtu = number_of(node, "max_mtu");
    link.master = text_of(node, "master");
    link.parent = text_of(node, "link");
    link.carrier = carrier_of(texts_of(node, "flags"));
    if (const Node* info = node.find("linkinfo")) read_kind(*info, link);
    link.parent_bus = text_of(node, "parentbus");
    link.parent_device = text_of(node, "parentdev");
    // Ours alone: iproute2 does not ask the drivers.
    link.driver = text_of(node, "driver");
    link.firmware_version = text_of(node, "firmware");
    if (const Node* list = node.find("addr_info"))
        for (const auto& info : list->items()) link.addresses.push_back(address_of(info));
    return link;
}

// {"gateway": …}, or {"via": {"family": "inet6", "host": …}} of an IPv4 route by an IPv6 neighbour.
std::string gateway_of(const Node& node) {
    if (const Node* via = node.find("via")) return text_of(*via, "host");
    return text_of(node, "gateway");
}

// A route of several hops is one for each.
void add_hops(const Node& node, RouteRecord route, std::vector<RouteRecord>& records) {
    const Node* hops = node.find("nexthops");
    if (hops == nullptr) return records.push_back(std::move(route));
    for (const auto& hop : hops->items()) {
        route.gateway = gateway_of(hop);
        route.interface = text_of(hop, "dev");
        records.push_back(route);
    }
}

} // namespace

std::vector<LinkRecord> parse_ip_links(const Node& links) {
    std::vector<LinkRecord> records;
    for (const auto& node : links.items()) records.push_back(link_of(node));
    return records;
}

std::vector<RouteRecord> parse_ip_routes(const Node& routes) {
    std::vector<RouteRecord> records;
    for (const auto& node : routes.items()) {
        RouteRecord route;
        if (const auto type = text_of(node, "type"); !type.empty() && type != "unicast") continue;
        std::string to = text_of(node, "dst");
        route.gateway = gateway_of(node);
        route.interface = text_of(node, "dev");
        route.metric = number_of(node, "metric").value_or(0);
        const std::string family = text_of(node, "family");
        route.is_v4 = family.empty() ? to.find(':') == std::string::npos &&
                                           route.gateway.find(':') == std::string::npos
                                     : family == "inet";
        if (to != "default") {
            // A host stands there without its prefix.
            if (to.find('/') == std::string::npos) to += route.is_v4 ? "/32" : "/128";
            const auto cidr = Cidr::parse(to);
            if (!cidr) continue;
            route.destination = cidr->str();
        }
        add_hops(node, std::move(route), records);
    }
    return records;
}

} // namespace stratum::hw
