// How much a request may be: one place for both listeners. What of a head is too long (16 KiB, 64
// headers) is refused by the server itself.
#pragma once

#include <cstddef>

#include "common/base/document.hpp"

namespace stratum::founder {

inline constexpr std::size_t kInventoryBodyBytes = 1u << 20; // an inventory, a machine's report
inline constexpr std::size_t kBodyBytes = 256u << 10;        // every other body
inline constexpr std::size_t kNoBodyBytes = 4096;            // of a call that takes none
inline constexpr int kBodyDepth = 32;                        // lists and objects in each other
inline constexpr std::size_t kBodyNodes = 100'000;

inline DocumentLimits body_limits(std::size_t bytes = kBodyBytes) {
    return {.max_bytes = bytes, .max_depth = kBodyDepth, .max_nodes = kBodyNodes};
}

} // namespace stratum::founder
