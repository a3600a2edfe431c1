#include "app/edge/write_out.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <climits>
#include <poll.h>
#include <unistd.h>

namespace stratum::app {
namespace {

// A pipe that is ready takes this much without waiting (pipe(7)).
constexpr std::size_t kAtOnce = PIPE_BUF;

// False: a stop, or no more reader.
bool is_ready(int descriptor, int stop) {
    for (;;) {
        std::array<pollfd, 2> both = {{{descriptor, POLLOUT, 0}, {stop, POLLIN, 0}}};
        const int ready = ::poll(both.data(), both.size(), -1);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return false;
        if ((both[0].revents & POLLOUT) != 0) return true;
        if (both[0].revents != 0 || both[1].revents != 0) return false;
    }
}

} // namespace

bool write_out(int descriptor, std::string_view text, int stop) {
    while (!text.empty()) {
        if (!is_ready(descriptor, stop)) return false;
        const ssize_t count = ::write(descriptor, text.data(), std::min(text.size(), kAtOnce));
        if (count < 0 && errno != EINTR && errno != EAGAIN) return false;
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace stratum::app
