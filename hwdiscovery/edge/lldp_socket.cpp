#include "hwdiscovery/edge/lldp_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <sys/socket.h>

#include "common/base/clock.hpp"
#include "common/base/edge/fd.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint16_t kLldp = 0x88cc;
constexpr std::size_t kMostNeighbours = 16; // of one port: a hub, or somebody who makes them up
// Nearest bridge, nearest bridge that is no two-port relay, nearest customer bridge.
constexpr std::array<std::array<std::uint8_t, 6>, 3> kGroups = {
    {{0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x03},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x00}}};

using Heard = std::map<std::string, std::vector<facts::LldpNeighbour>>;

// Bound to its port: of a bond's member the frames come to the member alone.
edge::Fd open_at(const LldpPort& port) {
    edge::Fd socket(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(kLldp)));
    sockaddr_ll where{};
    where.sll_family = AF_PACKET;
    where.sll_protocol = htons(kLldp);
    where.sll_ifindex = port.index;
    if (!socket.is_open() ||
        ::bind(socket.get(), reinterpret_cast<sockaddr*>(&where), sizeof where) != 0)
        return edge::Fd{};
    for (const auto& group : kGroups) {
        packet_mreq member{};
        member.mr_ifindex = port.index;
        member.mr_type = PACKET_MR_MULTICAST;
        member.mr_alen = group.size();
        std::memcpy(member.mr_address, group.data(), group.size());
        // Where the card takes no such filter, it may let the frames through all the same.
        ::setsockopt(socket.get(), SOL_PACKET, PACKET_ADD_MEMBERSHIP, &member, sizeof member);
    }
    return socket;
}

void take_frames(int socket, std::vector<facts::LldpNeighbour>& neighbours) {
    std::array<std::uint8_t, 9216> frame{};
    for (;;) {
        sockaddr_ll from{};
        socklen_t size = sizeof from;
        const ssize_t count = ::recvfrom(socket, frame.data(), frame.size(), 0,
                                         reinterpret_cast<sockaddr*>(&from), &size);
        if (count < 0) return;
        // What a daemon of this machine sends is no neighbour's.
        if (from.sll_pkttype == PACKET_OUTGOING) continue;
        const auto said = parse_lldp({frame.data(), static_cast<std::size_t>(count)});
        const bool is_new =
            said && std::find(neighbours.begin(), neighbours.end(), *said) == neighbours.end();
        if (is_new && neighbours.size() < kMostNeighbours) neighbours.push_back(*said);
    }
}

struct Listener {
    const LldpPort* port;
    edge::Fd socket;
};

// False: nothing more to wait for.
bool wait_once(const std::vector<Listener>& listeners, const LldpOptions& options,
               std::int64_t wait_ms, Heard& heard) {
    std::vector<pollfd> all;
    all.reserve(listeners.size() + 1);
    for (const auto& listener : listeners) all.push_back({listener.socket.get(), POLLIN, 0});
    all.push_back({options.stop, POLLIN, 0}); // −1 is never ready
    const int ready = ::poll(all.data(), all.size(), static_cast<int>(wait_ms));
    if (ready < 0) return errno == EINTR;
    if (all.back().revents != 0) return false;
    for (std::size_t i = 0; i < listeners.size(); ++i)
        if (all[i].revents != 0)
            take_frames(listeners[i].socket.get(), heard[listeners[i].port->name]);
    return std::any_of(listeners.begin(), listeners.end(), [&](const Listener& one) {
        const auto found = heard.find(one.port->name);
        return found == heard.end() || found->second.empty();
    });
}

} // namespace

Result<Heard> listen_for_lldp(const std::vector<LldpPort>& ports, const LldpOptions& options) {
    std::vector<Listener> listeners;
    for (const auto& port : ports) {
        edge::Fd socket = open_at(port);
        if (!socket.is_open() && (errno == EPERM || errno == EACCES))
            return fail(ErrorCode::kDenied, "listening for LLDP needs root (CAP_NET_RAW)");
        if (socket.is_open()) listeners.push_back({&port, std::move(socket)});
    }
    Heard heard;
    const Clock& clock = system_clock();
    const std::int64_t until = clock.steady_ms() + options.limit_ms;
    while (!listeners.empty()) {
        const std::int64_t left = until - clock.steady_ms();
        if (left <= 0 || !wait_once(listeners, options, left, heard)) break;
    }
    std::erase_if(heard, [](const auto& entry) { return entry.second.empty(); });
    return heard;
}

} // namespace stratum::hw
