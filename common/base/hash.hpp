// Hashes, randomness and comparison in constant time. Implemented at the edge.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stratum {

using Bytes = std::vector<std::uint8_t>;
using Sha256 = std::array<std::uint8_t, 32>;

inline std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Sha256 sha256(std::span<const std::uint8_t> data);
Sha256 hmac_sha256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> data);

// A hash over data that comes in pieces. Not for several threads at once.
class Sha256Stream {
public:
    Sha256Stream();
    ~Sha256Stream();
    Sha256Stream(Sha256Stream&&) noexcept;
    Sha256Stream& operator=(Sha256Stream&&) noexcept;
    void update(std::span<const std::uint8_t> data);
    Sha256 finish(); // once; the stream then starts anew

private:
    struct State;
    std::unique_ptr<State> state_;
};

// False for different lengths; the time depends on the length alone.
bool equal_constant_time(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b);

// The kernel's randomness. A kernel that cannot give it ends the program: nothing safe can follow.
void fill_random(std::span<std::uint8_t> out);
Bytes random_bytes(std::size_t count);
// `count` characters of `alphabet` (2 to 256 different ones), each equally likely.
std::string random_text(std::size_t count, std::string_view alphabet);

// Base64 with padding (RFC 4648, section 4).
std::string to_base64(std::span<const std::uint8_t> bytes);

} // namespace stratum
