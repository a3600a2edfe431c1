// The arithmetic of pairing, exactly as docs/protocol.md has it. Both sides work out the same
// values from the same tuple; the pairing code itself is never sent. Pure functions.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "common/base/hash.hpp"
#include "common/link/fingerprint.hpp"

namespace stratum::link {

using Nonce = std::array<std::uint8_t, 32>;

Nonce random_nonce();
Result<Nonce> parse_nonce(std::string_view hex); // 64 hex digits

Sha256 commitment(const Nonce& joiner_nonce, const Fingerprint& joiner);
// HMAC(K, "stratum-code-joiner-v1" ‖ 0 ‖ founder ‖ joiner ‖ commitment)
Sha256 code_proof(const Sha256& code_key, const Fingerprint& founder, const Fingerprint& joiner,
                  const Sha256& joiner_commitment);

// Everything that one run of pairing stands on. It never changes once made.
struct PairingTuple {
    Fingerprint founder;
    Fingerprint joiner;
    Sha256 joiner_commitment;
    Nonce founder_nonce;
    std::string join_id;
};

Sha256 founder_proof(const Sha256& code_key, const PairingTuple& tuple);
// XXX-XXX; `joiner_nonce` is what the commitment was made from (checked by the caller).
std::string pairing_code(const PairingTuple& tuple, const Nonce& joiner_nonce);

} // namespace stratum::link
