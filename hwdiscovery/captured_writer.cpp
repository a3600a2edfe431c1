// iproute2's form of what the route socket said.
#include "common/base/text.hpp"
#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/record_nodes.hpp"

namespace stratum::hw {
namespace {

void put_number(Node& node, const char* name, std::optional<std::uint32_t> value) {
    if (value) node.set(name, Node::integer(*value));
}

void put_flag(Node& node, const char* name, bool value) {
    if (value) node.set(name, Node::boolean(true));
}

std::string type_word(std::uint64_t type) {
    if (type == 1) return "ether";
    if (type == 32) return "infiniband";
    if (type == 772) return "loopback";
    return "[" + std::to_string(type) + "]";
}

std::vector<std::string> flags_of(std::optional<bool> carrier) {
    if (!carrier) return {};
    return *carrier ? std::vector<std::string>{"UP", "LOWER_UP"}
                    : std::vector<std::string>{"NO-CARRIER", "UP"};
}

Node address_node(const AddressRecord& address) {
    const auto slash = address.cidr.rfind('/');
    const auto prefix = parse_decimal(address.cidr.substr(slash + 1));
    Node node = Node::object();
    node.set("family", address.cidr.find(':') == std::string::npos ? "inet" : "inet6");
    node.set("local", address.cidr.substr(0, slash));
    node.set("prefixlen", Node::integer(static_cast<std::int64_t>(prefix.value_or(0))));
    node.set("scope", address.is_link ? "link" : "global");
    put_flag(node, "dynamic", address.is_dynamic);
    put_flag(node, "temporary", address.is_temporary);
    return node;
}

Node kind_node(const LinkRecord& link) {
    Node info = Node::object();
    info.set("info_kind", to_valid_utf8(link.kind));
    if (!link.vlan_id && link.kind != "bond") return info;
    Node data = Node::object();
    if (link.vlan_id) data.set("id", Node::integer(*link.vlan_id));
    put(data, "mode", link.bond.mode);
    put(data, "xmit_hash_policy", link.bond.xmit_hash_policy);
    put(data, "ad_lacp_rate", link.bond.lacp_rate);
    put_number(data, "miimon", link.bond.miimon_ms);
    info.set("info_data", std::move(data));
    return info;
}

Node link_node(const LinkRecord& link) {
    Node node = Node::object();
    node.set("ifindex", Node::integer(link.index));
    node.set("ifname", to_valid_utf8(link.name));
    node.set("flags", texts_node(flags_of(link.carrier)));
    put_number(node, "mtu", link.mtu);
    put_number(node, "max_mtu", link.max_mtu);
    put(node, "master", link.master);
    put(node, "link", link.parent);
    if (link.hardware_type) node.set("link_type", type_word(*link.hardware_type));
    put(node, "address", link.mac);
    put(node, "permaddr", link.permanent_mac);
    put(node, "parentbus", link.parent_bus);
    put(node, "parentdev", link.parent_device);
    put(node, "driver", link.driver);
    put(node, "firmware", link.firmware_version);
    if (!link.alt_names.empty()) node.set("altnames", texts_node(link.alt_names));
    if (!link.kind.empty()) node.set("linkinfo", kind_node(link));
    Node addresses = Node::array();
    for (const auto& address : link.addresses) addresses.push(address_node(address));
    node.set("addr_info", std::move(addresses));
    return node;
}

Node route_node(const RouteRecord& route) {
    Node node = Node::object();
    node.set("family", route.is_v4 ? "inet" : "inet6");
    node.set("dst", route.destination.empty() ? "default" : route.destination);
    put(node, "gateway", route.gateway);
    put(node, "dev", route.interface);
    if (route.metric != 0) node.set("metric", Node::integer(route.metric));
    return node;
}

} // namespace

Node ip_links_node(const std::vector<LinkRecord>& links) {
    Node list = Node::array();
    for (const auto& link : links) list.push(link_node(link));
    return list;
}

Node ip_routes_node(const std::vector<RouteRecord>& routes) {
    Node list = Node::array();
    for (const auto& route : routes) list.push(route_node(route));
    return list;
}

} // namespace stratum::hw
