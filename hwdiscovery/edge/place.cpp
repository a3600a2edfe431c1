#include "hwdiscovery/edge/place.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "hwdiscovery/first_look.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kTailBytes = 136u << 10; // of a partition: no fake RAID stands further in
// Single sectors that libblkid asks for beside the ends: LUKS's second headers and the like.
constexpr std::uint64_t kMib = 1u << 20;
constexpr std::array<std::uint64_t, 5> kFarSpots = {256u << 10, 512u << 10, kMib, 2 * kMib,
                                                    4 * kMib};
constexpr std::uint64_t kAlignment = 4096;
// The kernel cuts off what is longer than a device's own read-ahead; this it takes everywhere.
constexpr std::uint64_t kPieceBytes = 128u << 10;

// Without waiting, so that both ends come at once.
void ask_for(const Place& place, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t at = from; at < to; at += kPieceBytes)
        ::posix_fadvise(place.fd, static_cast<off_t>(place.offset + at),
                        static_cast<off_t>(std::min(kPieceBytes, to - at)), POSIX_FADV_WILLNEED);
}

bool fill(const Place& place, std::uint64_t offset, char* to, std::size_t size) {
    errno = 0;
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count = ::pread(place.fd, to + done, size - done,
                                      static_cast<off_t>(place.offset + offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

} // namespace

std::optional<std::string> read_at(const Place& place, std::uint64_t offset, std::size_t size) {
    errno = 0;
    if (offset > place.size || size > place.size - offset) return std::nullopt;
    std::string bytes(size, '\0');
    if (!fill(place, offset, bytes.data(), size)) return std::nullopt;
    return bytes;
}

Ends::Ends(const Place& place) : place_(place) {
    static std::array<char, kXfsLogBytes + kPromiseBytes> memory;
    const std::uint64_t head = std::min(place.size, kXfsLogBytes);
    const std::uint64_t tail =
        std::min(place.size, place.is_whole_disk ? kPromiseBytes : kTailBytes);
    tail_at_ = (place.size - tail) / kAlignment * kAlignment;
    if (place.size - tail_at_ > kPromiseBytes) tail_at_ = place.size - tail;
    ask_for(place, 0, head);
    ask_for(place, std::max(head, tail_at_), place.size);
    std::vector<std::uint64_t> spots(kFarSpots.begin(), kFarSpots.end());
    if (place.size > kMib) spots.push_back(place.size - kMib);
    for (const std::uint64_t label : zfs_labels(place.size))
        for (const std::uint64_t in_label : {kZfsPairsAt, kZfsSealAt})
            spots.push_back(label + in_label);
    for (const std::uint64_t spot : spots)
        if (spot >= head && spot < tail_at_) ask_for(place, spot, spot + 1);
    if (fill(place, 0, memory.data(), head)) {
        head_ = {memory.data(), head};
    } else {
        head_error_ = errno;
        is_complete_ = false;
    }
    char* const behind = memory.data() + kXfsLogBytes;
    if (fill(place, tail_at_, behind, place.size - tail_at_)) {
        tail_ = {behind, place.size - tail_at_};
    } else {
        tail_error_ = errno;
        is_complete_ = false;
    }
}

std::optional<std::string> Ends::read(std::uint64_t offset, std::size_t size) const {
    if (offset > place_.size || size > place_.size - offset) return std::nullopt;
    if (offset + size <= head_.size()) return std::string(head_.substr(offset, size));
    if (!tail_.empty() && offset >= tail_at_)
        return std::string(tail_.substr(offset - tail_at_, size));
    return read_at(place_, offset, size);
}

} // namespace stratum::hw
