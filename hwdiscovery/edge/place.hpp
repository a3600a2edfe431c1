// A part of an open device, or all of it, as bytes that can be read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stratum::hw {

struct Place {
    int fd = -1;
    std::uint64_t offset = 0; // on the device
    std::uint64_t size = 0;   // at most as far as the device reaches
};

// `size` bytes from `offset` of the place; absent where not all of them could be read (errno says
// why; 0: the place is shorter).
std::optional<std::string> read_at(const Place& place, std::uint64_t offset, std::size_t size);

// Asks the kernel to read, in large pieces and without waiting, where signatures stand: the probes
// that follow then find in memory what they would fetch in a hundred small reads, one after the
// other. A hint; whether anything can be read the probes tell themselves.
void ask_ahead(const Place& place);

} // namespace stratum::hw
