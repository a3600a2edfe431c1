#include "hwdiscovery/edge/ethtool.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "common/base/edge/fd.hpp"
#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

// `request` begins with its command, and takes the answer.
bool ask_driver(int socket, const std::string& name, void* request) {
    ifreq question{};
    if (name.empty() || name.size() >= sizeof question.ifr_name) return false;
    std::memcpy(question.ifr_name, name.data(), name.size());
    question.ifr_data = static_cast<char*>(request);
    return ::ioctl(socket, SIOCETHTOOL, &question) == 0;
}

template<std::size_t N>
std::string text_of(const char (&field)[N]) {
    return {field, ::strnlen(field, N)};
}

// ETHTOOL_GPERMADDR: a head that says how much room follows, and then how much of it was used.
std::string permanent_mac(int socket, const std::string& name) {
    constexpr std::uint32_t kRoom = 32;
    std::array<std::uint8_t, sizeof(ethtool_perm_addr) + kRoom> answer{};
    ethtool_perm_addr head{};
    head.cmd = ETHTOOL_GPERMADDR;
    head.size = kRoom;
    std::memcpy(answer.data(), &head, sizeof head);
    if (!ask_driver(socket, name, answer.data())) return {};
    std::memcpy(&head, answer.data(), sizeof head);
    const std::size_t size = std::min(head.size, kRoom);
    std::vector<std::string> parts;
    parts.reserve(size);
    for (std::size_t i = 0; i < size; ++i)
        parts.push_back(to_hex({answer.data() + sizeof head + i, 1}));
    const std::string text = join(parts, ":");
    // Zeros: the driver has none.
    return text.find_first_not_of("0:") == std::string::npos ? std::string{} : text;
}

void ask_about(int socket, LinkRecord& link) {
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    if (ask_driver(socket, link.name, &info)) {
        link.driver = text_of(info.driver);
        link.firmware_version = text_of(info.fw_version);
    }
    if (link.permanent_mac.empty()) link.permanent_mac = permanent_mac(socket, link.name);
}

} // namespace

void ask_drivers(std::vector<LinkRecord>& links) {
    const edge::Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!socket.is_open()) return;
    for (auto& link : links) ask_about(socket.get(), link);
}

} // namespace stratum::hw
