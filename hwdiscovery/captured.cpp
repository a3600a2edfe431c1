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
    if (const Node* info = node.find("linkinfo")) {
        link.kind = text_of(*info, "info_kind");
        const Node* data = info->find("info_data");
        if (data != nullptr && link.kind == "vlan")
            if (const auto id = number_of(*data, "id"); id && *id <= 4094)
                link.vlan_id = static_cast<int>(*id);
    }
    if (const Node* list = node.find("addr_info"))
        for (const auto& info : list->items()) link.addresses.push_back(address_of(info));
    return link;
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
        std::string to = text_of(node, "dst");
        route.gateway = text_of(node, "gateway");
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
        records.push_back(std::move(route));
    }
    return records;
}

} // namespace stratum::hw
