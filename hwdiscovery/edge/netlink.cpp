#include "hwdiscovery/edge/netlink.hpp"

#include <array>
#include <map>

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "hwdiscovery/edge/netlink_ask.hpp"
#include "hwdiscovery/edge/netlink_link.hpp"

namespace stratum::hw {
namespace {

using namespace route;

void add_address(nlmsghdr* header, std::map<int, RawLink>& links) {
    const auto* info = static_cast<const ifaddrmsg*>(nlmsg_data(header));
    std::array<nlattr*, IFA_MAX + 1> parts{};
    const auto link = links.find(static_cast<int>(info->ifa_index));
    if (link == links.end() ||
        nlmsg_parse(header, sizeof(ifaddrmsg), parts.data(), IFA_MAX, nullptr) < 0)
        return;
    nlattr* own = parts[IFA_LOCAL] != nullptr ? parts[IFA_LOCAL] : parts[IFA_ADDRESS];
    const std::string text = address_of(info->ifa_family, own);
    if (text.empty()) return;
    const std::uint32_t flags = number_of(parts[IFA_FLAGS]).value_or(info->ifa_flags);
    AddressRecord address;
    address.cidr = text + "/" + std::to_string(info->ifa_prefixlen);
    address.is_dynamic = (flags & IFA_F_PERMANENT) == 0;
    // The same bit says "secondary" of an IPv4 address.
    address.is_temporary = info->ifa_family == AF_INET6 && (flags & IFA_F_TEMPORARY) != 0;
    address.is_link = info->ifa_scope == RT_SCOPE_LINK;
    link->second.record.addresses.push_back(std::move(address));
}

// An IPv4 route may go by way of an IPv6 neighbour (RTA_VIA: a family, then the address).
std::string gateway_of(int family, nlattr* gateway, nlattr* via) {
    if (gateway != nullptr || via == nullptr || nla_len(via) < 6)
        return address_of(family, gateway);
    const auto* bytes = static_cast<const std::uint8_t*>(nla_data(via));
    const int other_family = bytes[0] | bytes[1] << 8;
    return address_of(other_family, bytes + 2, static_cast<std::size_t>(nla_len(via)) - 2);
}

void add_hops(nlattr* hops, const RouteRecord& base, const std::map<int, RawLink>& links,
              std::vector<RouteRecord>& routes) {
    auto* hop = static_cast<rtnexthop*>(nla_data(hops));
    int rest = nla_len(hops);
    while (rest >= static_cast<int>(sizeof *hop) && hop->rtnh_len >= sizeof *hop &&
           hop->rtnh_len <= rest) {
        std::array<nlattr*, RTA_MAX + 1> parts{};
        nla_parse(parts.data(), RTA_MAX, reinterpret_cast<nlattr*>(hop + 1),
                  static_cast<int>(hop->rtnh_len - sizeof *hop), nullptr);
        const auto link = links.find(hop->rtnh_ifindex);
        if (link != links.end()) {
            RouteRecord route = base;
            route.interface = link->second.record.name;
            route.gateway =
                gateway_of(base.is_v4 ? AF_INET : AF_INET6, parts[RTA_GATEWAY], parts[RTA_VIA]);
            routes.push_back(std::move(route));
        }
        const int step = (hop->rtnh_len + 3) & ~3;
        rest -= step;
        hop = reinterpret_cast<rtnexthop*>(reinterpret_cast<char*>(hop) + step);
    }
}

void add_route(nlmsghdr* header, const std::map<int, RawLink>& links,
               std::vector<RouteRecord>& routes) {
    const auto* info = static_cast<const rtmsg*>(nlmsg_data(header));
    std::array<nlattr*, RTA_MAX + 1> parts{};
    if (nlmsg_parse(header, sizeof(rtmsg), parts.data(), RTA_MAX, nullptr) < 0) return;
    const std::uint32_t table = number_of(parts[RTA_TABLE]).value_or(info->rtm_table);
    const bool is_cloned = (info->rtm_flags & RTM_F_CLONED) != 0;
    if (table != RT_TABLE_MAIN || info->rtm_type != RTN_UNICAST || is_cloned) return;
    RouteRecord route;
    route.is_v4 = info->rtm_family == AF_INET;
    route.metric = number_of(parts[RTA_PRIORITY]).value_or(0);
    if (info->rtm_dst_len > 0) {
        const std::string to = address_of(info->rtm_family, parts[RTA_DST]);
        if (to.empty()) return;
        route.destination = to + "/" + std::to_string(info->rtm_dst_len);
    }
    if (parts[RTA_MULTIPATH] != nullptr)
        return add_hops(parts[RTA_MULTIPATH], route, links, routes);
    const auto link = links.find(static_cast<int>(number_of(parts[RTA_OIF]).value_or(0)));
    if (link == links.end()) return;
    route.interface = link->second.record.name;
    route.gateway = gateway_of(info->rtm_family, parts[RTA_GATEWAY], parts[RTA_VIA]);
    routes.push_back(std::move(route));
}

std::vector<LinkRecord> named(const std::map<int, RawLink>& links) {
    std::vector<LinkRecord> records;
    const auto name_of = [&](int index) {
        const auto found = links.find(index);
        return found == links.end() ? std::string{} : found->second.record.name;
    };
    for (const auto& [index, raw] : links) {
        LinkRecord record = raw.record;
        record.master = name_of(raw.master);
        record.parent = name_of(raw.parent);
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace

Result<NetRecords> read_net() {
    std::map<int, RawLink> links;
    NetRecords net;
    ifinfomsg any_link{};
    any_link.ifi_family = AF_UNSPEC;
    const bool has_links = dump(
        RTM_GETLINK, any_link, [&] { links.clear(); },
        [&](nlmsghdr* header) {
            RawLink raw = link_of(header);
            links[raw.record.index] = std::move(raw);
        });
    const bool has_addresses = dump(
        RTM_GETADDR, ifaddrmsg{},
        [&] {
            for (auto& [index, raw] : links) raw.record.addresses.clear();
        },
        [&](nlmsghdr* header) { add_address(header, links); });
    const bool has_routes = dump(
        RTM_GETROUTE, rtmsg{}, [&] { net.routes.clear(); },
        [&](nlmsghdr* header) { add_route(header, links, net.routes); });
    if (!has_links)
        return fail(ErrorCode::kUnavailable, "the kernel did not list its network devices");
    if (!has_addresses) net.warnings.emplace_back("the kernel did not list all addresses");
    if (!has_routes) net.warnings.emplace_back("the kernel did not list all routes");
    net.links = named(links);
    return net;
}

std::string ask_interface_towards(const IpAddress& address) {
    Message request(nlmsg_alloc_simple(RTM_GETROUTE, NLM_F_REQUEST));
    if (!request) return {};
    rtmsg header{};
    header.rtm_family = address.is_v4() ? AF_INET : AF_INET6;
    header.rtm_dst_len = address.is_v4() ? 32 : 128;
    const auto& bytes = address.bytes();
    const std::size_t from = address.is_v4() ? 12 : 0;
    if (nlmsg_append(request.get(), &header, sizeof header, NLMSG_ALIGNTO) < 0 ||
        nla_put(request.get(), RTA_DST, static_cast<int>(bytes.size() - from),
                bytes.data() + from) < 0)
        return {};
    int index = 0;
    const bool is_answered = ask(request.get(), [&](nlmsghdr* answer) {
        std::array<nlattr*, RTA_MAX + 1> parts{};
        if (nlmsg_parse(answer, sizeof(rtmsg), parts.data(), RTA_MAX, nullptr) >= 0)
            index = static_cast<int>(number_of(parts[RTA_OIF]).value_or(0));
    });
    char name[IF_NAMESIZE] = {};
    if (!is_answered || index == 0 ||
        ::if_indextoname(static_cast<unsigned>(index), name) == nullptr)
        return {};
    return std::string(name) == "lo" ? std::string{} : name;
}

} // namespace stratum::hw
