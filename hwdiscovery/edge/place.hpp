// A part of an open device, or all of it, as bytes that can be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stratum::hw {

struct Place {
    int fd = -1;
    std::uint64_t offset = 0; // on the device
    std::uint64_t size = 0;   // at most as far as the device reaches
    bool is_whole_disk = true;
};

// `size` bytes from `offset` of the place; absent where not all of them could be read (errno says
// why; 0: the place is shorter).
std::optional<std::string> read_at(const Place& place, std::uint64_t offset, std::size_t size);

// Both ends of a place in memory, as far in as nearly everything stands. Each is fetched in one
// piece. The memory is the process's own and used again for the next place: one of these is alive
// at a time, in a process that probes.
class Ends {
public:
    explicit Ends(const Place& place);

    // Empty where not all of it could be read.
    [[nodiscard]] std::string_view head() const { return head_; }
    // Why not, in errno's numbers; 0: it was, or the place ended too soon.
    [[nodiscard]] int head_error() const { return head_error_; }
    [[nodiscard]] int tail_error() const { return tail_error_; }
    [[nodiscard]] bool is_complete() const { return is_complete_; }
    // From memory where it is there, else from the device.
    [[nodiscard]] std::optional<std::string> read(std::uint64_t offset, std::size_t size) const;

private:
    const Place& place_;
    std::string_view head_, tail_;
    std::uint64_t tail_at_ = 0;
    int head_error_ = 0, tail_error_ = 0;
    bool is_complete_ = true;
};

} // namespace stratum::hw
