#include <sys/random.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "common/base/hash.hpp"

namespace stratum {

void fill_random(std::span<std::uint8_t> out) {
    while (!out.empty()) {
        const ssize_t got = getrandom(out.data(), out.size(), 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            std::fputs(
                "the kernel gives no randomness (getrandom failed): stopping, as no key made "
                "from here on would be safe\n",
                stderr);
            std::abort();
        }
        out = out.subspan(static_cast<std::size_t>(got));
    }
}

Bytes random_bytes(std::size_t count) {
    Bytes bytes(count);
    fill_random(bytes);
    return bytes;
}

std::string random_text(std::size_t count, std::string_view alphabet) {
    std::string text;
    if (alphabet.empty() || alphabet.size() > 256) std::abort(); // a fault of the caller's code
    // Bytes past the last whole multiple are thrown away, else the first letters came more often.
    const std::size_t fair = 256 - 256 % alphabet.size();
    while (text.size() < count) {
        for (const std::uint8_t byte : random_bytes(count - text.size())) {
            if (byte < fair) text += alphabet[byte % alphabet.size()];
        }
    }
    return text;
}

} // namespace stratum
