// Numbers in the bytes of a label or a superblock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stratum::hw {

// The number of `width` bytes at `at`, the least significant byte first. The bytes must be there.
inline std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;)
        value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

} // namespace stratum::hw
