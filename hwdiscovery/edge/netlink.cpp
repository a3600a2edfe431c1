#include "hwdiscovery/edge/netlink.hpp"

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kMessageBytes = 64 * 1024;
constexpr int kDumpTries = 3; // a list that changes while it is read is read again
constexpr std::uint32_t kSkipStatistics = 1u << 3;
// Younger than some headers this is built with.
constexpr int kIflaMaxMtu = 51, kIflaPropList = 52, kIflaAltName = 53, kIflaPermanent = 54;
constexpr int kIflaMost = 64;

struct SocketDeleter {
    void operator()(nl_sock* socket) const { nl_socket_free(socket); }
};
using Socket = std::unique_ptr<nl_sock, SocketDeleter>;
struct MessageDeleter {
    void operator()(nl_msg* message) const { nlmsg_free(message); }
};
using Message = std::unique_ptr<nl_msg, MessageDeleter>;

using Visit = std::function<void(nlmsghdr*)>;

int visit_message(nl_msg* message, void* visit) {
    (*static_cast<Visit*>(visit))(nlmsg_hdr(message));
    return NL_OK;
}

Socket open_socket() {
    Socket socket(nl_socket_alloc());
    if (!socket || nl_connect(socket.get(), NETLINK_ROUTE) < 0) return nullptr;
    nl_socket_set_msg_buf_size(socket.get(), kMessageBytes);
    return socket;
}

// Sends one request and visits each message of the answer.
bool ask(nl_msg* request, Visit visit) {
    const Socket socket = open_socket();
    if (!socket) return false;
    nl_socket_modify_cb(socket.get(), NL_CB_VALID, NL_CB_CUSTOM, visit_message, &visit);
    if (nl_send_auto(socket.get(), request) < 0) return false;
    return nl_recvmsgs_default(socket.get()) >= 0;
}

template<class Header>
Message dump_request(int type, const Header& header) {
    Message message(nlmsg_alloc_simple(type, NLM_F_REQUEST | NLM_F_DUMP));
    Header copy = header;
    if (message && nlmsg_append(message.get(), &copy, sizeof copy, NLMSG_ALIGNTO) < 0)
        message.reset();
    return message;
}

template<class Header>
bool dump(int type, const Header& header, const std::function<void()>& restart,
          const Visit& visit) {
    for (int tries = 0; tries < kDumpTries; ++tries) {
        const Message request = dump_request(type, header);
        restart();
        if (request && ask(request.get(), visit)) return true;
    }
    return false;
}

std::string mac_of(const nlattr* attribute) {
    if (attribute == nullptr || nla_len(attribute) == 0) return {};
    const auto* bytes = static_cast<const std::uint8_t*>(nla_data(attribute));
    std::vector<std::string> parts;
    parts.reserve(static_cast<std::size_t>(nla_len(attribute)));
    for (int i = 0; i < nla_len(attribute); ++i) parts.push_back(to_hex({bytes + i, 1}));
    return join(parts, ":");
}

std::string string_of(nlattr* attribute) {
    if (attribute == nullptr) return {};
    const auto* text = static_cast<const char*>(nla_data(attribute));
    return std::string(text, ::strnlen(text, static_cast<std::size_t>(nla_len(attribute))));
}

std::optional<std::uint32_t> number_of(nlattr* attribute) {
    if (attribute == nullptr || nla_len(attribute) < 4) return std::nullopt;
    return nla_get_u32(attribute);
}

std::string address_of(int family, nlattr* attribute) {
    if (attribute == nullptr) return {};
    const auto* bytes = static_cast<const std::uint8_t*>(nla_data(attribute));
    if (family == AF_INET && nla_len(attribute) >= 4)
        return IpAddress::v4(static_cast<std::uint32_t>(bytes[0]) << 24 | bytes[1] << 16 |
                             bytes[2] << 8 | bytes[3])
            .str();
    char text[64] = {};
    if (family != AF_INET6 || nla_len(attribute) < 16) return {};
    std::string groups;
    for (int i = 0; i < 16; i += 2) {
        std::snprintf(text, sizeof text, "%s%x", i == 0 ? "" : ":", bytes[i] << 8 | bytes[i + 1]);
        groups += text;
    }
    const auto parsed = IpAddress::parse(groups);
    return parsed ? parsed->str() : std::string{};
}

struct RawLink {
    LinkRecord record;
    int master = 0, parent = 0;
};

void read_kind(nlattr* info, LinkRecord& link) {
    std::array<nlattr*, IFLA_INFO_MAX + 1> parts{};
    if (info == nullptr || nla_parse_nested(parts.data(), IFLA_INFO_MAX, info, nullptr) < 0) return;
    link.kind = string_of(parts[IFLA_INFO_KIND]);
    if (link.kind != "vlan" || parts[IFLA_INFO_DATA] == nullptr) return;
    std::array<nlattr*, IFLA_VLAN_MAX + 1> vlan{};
    if (nla_parse_nested(vlan.data(), IFLA_VLAN_MAX, parts[IFLA_INFO_DATA], nullptr) < 0) return;
    if (vlan[IFLA_VLAN_ID] != nullptr) link.vlan_id = nla_get_u16(vlan[IFLA_VLAN_ID]);
}

void read_alt_names(nlattr* list, LinkRecord& link) {
    if (list == nullptr) return;
    nlattr* one = nullptr;
    int rest = 0;
    nla_for_each_nested(one, list, rest) {
        if (nla_type(one) == kIflaAltName) link.alt_names.push_back(string_of(one));
    }
}

RawLink link_of(nlmsghdr* header) {
    RawLink raw;
    const auto* info = static_cast<const ifinfomsg*>(nlmsg_data(header));
    std::array<nlattr*, kIflaMost + 1> parts{};
    if (nlmsg_parse(header, sizeof(ifinfomsg), parts.data(), kIflaMost, nullptr) < 0) return raw;
    LinkRecord& link = raw.record;
    link.index = info->ifi_index;
    link.name = string_of(parts[IFLA_IFNAME]);
    link.hardware_type = info->ifi_type;
    link.mac = mac_of(parts[IFLA_ADDRESS]);
    link.permanent_mac = mac_of(parts[kIflaPermanent]);
    link.mtu = number_of(parts[IFLA_MTU]);
    link.max_mtu = number_of(parts[kIflaMaxMtu]);
    // A device that is not up knows nothing of its carrier.
    if ((info->ifi_flags & IFF_UP) != 0) link.carrier = (info->ifi_flags & IFF_RUNNING) != 0;
    raw.master = static_cast<int>(number_of(parts[IFLA_MASTER]).value_or(0));
    raw.parent = static_cast<int>(number_of(parts[IFLA_LINK]).value_or(0));
    // IFLA_LINK of a namespaced device counts in the other namespace.
    if (parts[IFLA_LINK_NETNSID] != nullptr) raw.parent = 0;
    read_kind(parts[IFLA_LINKINFO], link);
    read_alt_names(parts[kIflaPropList], link);
    return raw;
}

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
            route.gateway = address_of(base.is_v4 ? AF_INET : AF_INET6, parts[RTA_GATEWAY]);
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
    route.gateway = address_of(info->rtm_family, parts[RTA_GATEWAY]);
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
    if (!has_links || !has_addresses || !has_routes)
        return fail(ErrorCode::kUnavailable, "the kernel did not list its network devices");
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
