#include "common/link/edge/admission.hpp"

#include <algorithm>
#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>

namespace stratum::link {

// An IPv4 address whole; of IPv6 the /64, which is what one machine can have of them.
Admission::Key Admission::key_of(const sockaddr* peer) {
    Key key{};
    if (peer->sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, peer, sizeof v4);
        std::memcpy(key.data() + 12, &v4.sin_addr, 4);
        key[10] = key[11] = 0xff;
        return key;
    }
    if (peer->sa_family != AF_INET6) return key;
    sockaddr_in6 v6{};
    std::memcpy(&v6, peer, sizeof v6);
    const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) != 0;
    std::memcpy(key.data(), &v6.sin6_addr, is_mapped ? 16 : 8);
    return key;
}

bool Admission::admit(const sockaddr* peer) {
    const Key key = key_of(peer);
    const std::lock_guard lock(mutex_);
    int& open = open_[key];
    if (most_of_one_ > 0 && open >= most_of_one_) return false;
    ++open;
    ++total_;
    return true;
}

void Admission::release(const sockaddr* peer) {
    const std::lock_guard lock(mutex_);
    const auto at = open_.find(key_of(peer));
    if (at == open_.end()) return;
    --total_;
    if (--at->second <= 0) open_.erase(at);
}

bool Admission::is_crowded() {
    const std::lock_guard lock(mutex_);
    return total_ * 8 >= most_ * 7;
}

} // namespace stratum::link
