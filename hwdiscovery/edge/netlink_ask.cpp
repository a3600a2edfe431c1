#include "hwdiscovery/edge/netlink_ask.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/socket.h>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::hw::route {
namespace {

constexpr std::size_t kMessageBytes = 64 * 1024;

struct SocketDeleter {
    void operator()(nl_sock* socket) const { nl_socket_free(socket); }
};
using Socket = std::unique_ptr<nl_sock, SocketDeleter>;

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

} // namespace

bool ask(nl_msg* request, Visit visit) {
    const Socket socket = open_socket();
    if (!socket) return false;
    nl_socket_modify_cb(socket.get(), NL_CB_VALID, NL_CB_CUSTOM, visit_message, &visit);
    if (nl_send_auto(socket.get(), request) < 0) return false;
    return nl_recvmsgs_default(socket.get()) >= 0;
}

std::string mac_of(nlattr* attribute) {
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

std::optional<std::uint8_t> byte_of(nlattr* attribute) {
    if (attribute == nullptr || nla_len(attribute) < 1) return std::nullopt;
    return nla_get_u8(attribute);
}

std::string address_of(int family, nlattr* attribute) {
    if (attribute == nullptr) return {};
    return address_of(family, static_cast<const std::uint8_t*>(nla_data(attribute)),
                      static_cast<std::size_t>(nla_len(attribute)));
}

std::string address_of(int family, const std::uint8_t* bytes, std::size_t size) {
    if (family == AF_INET && size >= 4)
        return IpAddress::v4(static_cast<std::uint32_t>(bytes[0]) << 24 | bytes[1] << 16 |
                             bytes[2] << 8 | bytes[3])
            .str();
    if (family != AF_INET6 || size < 16) return {};
    char text[64] = {};
    std::string groups;
    for (int i = 0; i < 16; i += 2) {
        std::snprintf(text, sizeof text, "%s%x", i == 0 ? "" : ":", bytes[i] << 8 | bytes[i + 1]);
        groups += text;
    }
    const auto parsed = IpAddress::parse(groups);
    return parsed ? parsed->str() : std::string{};
}

} // namespace stratum::hw::route
