#include "tests/hwdiscovery/network_namespace.hpp"

#include <cstring>
#include <memory>

#include <linux/if_packet.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <netlink/socket.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"

namespace stratum::hw {
namespace {

constexpr unsigned kLimitSeconds = 20;

struct Deleter {
    void operator()(nl_sock* one) const { nl_socket_free(one); }
    void operator()(rtnl_link* one) const { rtnl_link_put(one); }
};
using Socket = std::unique_ptr<nl_sock, Deleter>;
using Link = std::unique_ptr<rtnl_link, Deleter>;

Socket open_route() {
    Socket socket(nl_socket_alloc());
    if (nl_connect(socket.get(), NETLINK_ROUTE) < 0) return nullptr;
    return socket;
}

[[noreturn]] void be_child(int answer, const std::function<std::string()>& act) {
    ::alarm(kLimitSeconds);
    const int spaces = ::geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
    const std::string said = ::unshare(spaces) != 0
                                 ? std::string("no network namespace: ") + std::strerror(errno)
                                 : act();
    (void)!::write(answer, said.data(), said.size());
    // Not by the ordinary way out: this process is a copy of the tests.
    ::_exit(0);
}

} // namespace

std::string in_network_namespace(const std::function<std::string()>& act) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) be_child(ends[1], act);
    ::close(ends[1]);
    std::string answer;
    char piece[512];
    for (ssize_t count = 0; (count = ::read(ends[0], piece, sizeof piece)) > 0;)
        answer.append(piece, static_cast<std::size_t>(count));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status))
        return "the child was ended by signal " + std::to_string(WTERMSIG(status));
    return answer;
}

bool set_link(const std::string& name, bool up) {
    const Socket socket = open_route();
    rtnl_link* found = nullptr;
    if (!socket || rtnl_link_get_kernel(socket.get(), 0, name.c_str(), &found) < 0) return false;
    const Link link(found);
    const Link change(rtnl_link_alloc());
    if (up)
        rtnl_link_set_flags(change.get(), IFF_UP);
    else
        rtnl_link_unset_flags(change.get(), IFF_UP);
    return rtnl_link_change(socket.get(), link.get(), change.get(), 0) >= 0;
}

bool add_veth_pair(const std::string& one, const std::string& other) {
    const Socket socket = open_route();
    if (!socket || rtnl_link_veth_add(socket.get(), one.c_str(), other.c_str(), ::getpid()) < 0)
        return false;
    return set_link(one, true) && set_link(other, true);
}

bool add_bridge(const std::string& name, const std::string& member) {
    const Socket socket = open_route();
    const Link bridge(rtnl_link_alloc());
    rtnl_link_set_type(bridge.get(), "bridge");
    rtnl_link_set_name(bridge.get(), name.c_str());
    if (!socket || rtnl_link_add(socket.get(), bridge.get(), NLM_F_CREATE) < 0) return false;
    return rtnl_link_enslave_ifindex(socket.get(), static_cast<int>(::if_nametoindex(name.c_str())),
                                     static_cast<int>(::if_nametoindex(member.c_str()))) >= 0;
}

bool send_frame(const std::string& interface, const std::string& frame) {
    const edge::Fd socket(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0));
    sockaddr_ll to{};
    to.sll_family = AF_PACKET;
    to.sll_ifindex = static_cast<int>(::if_nametoindex(interface.c_str()));
    return ::sendto(socket.get(), frame.data(), frame.size(), 0,
                    reinterpret_cast<const sockaddr*>(&to),
                    sizeof to) == static_cast<ssize_t>(frame.size());
}

} // namespace stratum::hw
