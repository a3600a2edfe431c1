#include "hwdiscovery/edge/place.hpp"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace stratum::hw {
namespace {

// Labels of ZFS reach this far in from either end; nearly all else stands within them.
constexpr std::uint64_t kEndBytes = 512u << 10;
// The kernel cuts off what is longer than a device's own read-ahead; this it takes everywhere.
constexpr std::uint64_t kPieceBytes = 128u << 10;

void ask_for(const Place& place, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t at = from; at < to; at += kPieceBytes)
        ::posix_fadvise(place.fd, static_cast<off_t>(place.offset + at),
                        static_cast<off_t>(std::min(kPieceBytes, to - at)), POSIX_FADV_WILLNEED);
}

} // namespace

std::optional<std::string> read_at(const Place& place, std::uint64_t offset, std::size_t size) {
    errno = 0;
    if (offset > place.size || size > place.size - offset) return std::nullopt;
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = ::pread(place.fd, bytes.data() + done, size - done,
                                      static_cast<off_t>(place.offset + offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

void ask_ahead(const Place& place) {
    if (place.size <= 2 * kEndBytes) {
        ask_for(place, 0, place.size);
        return;
    }
    ask_for(place, 0, kEndBytes);
    ask_for(place, place.size - kEndBytes, place.size);
}

} // namespace stratum::hw
