#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>

#include "common/base/hash.hpp"

namespace stratum {

Sha256 sha256(std::span<const std::uint8_t> data) {
    Sha256Stream stream;
    stream.update(data);
    return stream.finish();
}

Sha256 hmac_sha256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> data) {
    hmac_sha256_ctx context;
    Sha256 digest{};
    // nettle copies from the pointer even for no bytes; an empty span may hold none.
    static constexpr std::uint8_t kNothing = 0;
    hmac_sha256_set_key(&context, key.size(), key.empty() ? &kNothing : key.data());
    if (!data.empty()) hmac_sha256_update(&context, data.size(), data.data());
    hmac_sha256_digest(&context, digest.size(), digest.data());
    return digest;
}

struct Sha256Stream::State {
    sha256_ctx context;
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) {
    sha256_init(&state_->context);
}
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::update(std::span<const std::uint8_t> data) {
    if (!data.empty()) sha256_update(&state_->context, data.size(), data.data());
}

Sha256 Sha256Stream::finish() {
    Sha256 digest{};
    sha256_digest(&state_->context, digest.size(), digest.data()); // starts anew by itself
    return digest;
}

bool equal_constant_time(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
    if (a.size() != b.size()) return false;
    return a.empty() || memeql_sec(a.data(), b.data(), a.size()) != 0;
}

std::string to_base64(std::span<const std::uint8_t> bytes) {
    std::string out(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
    if (!bytes.empty()) base64_encode_raw(out.data(), bytes.size(), bytes.data());
    return out;
}

} // namespace stratum
