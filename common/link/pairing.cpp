#include "common/link/pairing.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/link/join_code.hpp"

namespace stratum::link {
namespace {

// A label (ASCII and one 0x00) and what follows it, joined as it is.
class Input {
public:
    explicit Input(std::string_view label) : text_(label) { text_.push_back('\0'); }
    Input& add(std::span<const std::uint8_t> bytes) {
        text_.append(bytes.begin(), bytes.end());
        return *this;
    }
    Input& add(const Fingerprint& key) { return add(key.bytes()); }
    Input& add(const std::string& text) {
        text_ += text;
        return *this;
    }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_of(text_); }

private:
    std::string text_;
};

} // namespace

Nonce random_nonce() {
    Nonce nonce{};
    fill_random(nonce);
    return nonce;
}

Result<Nonce> parse_nonce(std::string_view hex) {
    const auto bytes = from_hex(hex);
    Nonce nonce{};
    if (!bytes || bytes->size() != nonce.size()) {
        return fail(ErrorCode::kInvalid,
                    "needs 64 hex digits (32 bytes), has " + std::to_string(hex.size()) +
                        " characters" + (hex.size() == 64 ? ", not all of them hex digits" : ""));
    }
    std::copy(bytes->begin(), bytes->end(), nonce.begin());
    return nonce;
}

Sha256 commitment(const Nonce& joiner_nonce, const Fingerprint& joiner) {
    return sha256(Input("stratum-pairing-commit-v1").add(joiner_nonce).add(joiner).bytes());
}

Sha256 code_proof(const Sha256& code_key, const Fingerprint& founder, const Fingerprint& joiner,
                  const Sha256& joiner_commitment) {
    const Input input =
        Input("stratum-code-joiner-v1").add(founder).add(joiner).add(joiner_commitment);
    return hmac_sha256(code_key, input.bytes());
}

Sha256 founder_proof(const Sha256& code_key, const PairingTuple& tuple) {
    const Input input = Input("stratum-code-founder-v1")
                            .add(tuple.founder)
                            .add(tuple.joiner)
                            .add(tuple.joiner_commitment)
                            .add(tuple.founder_nonce)
                            .add(tuple.join_id);
    return hmac_sha256(code_key, input.bytes());
}

std::string pairing_code(const PairingTuple& tuple, const Nonce& joiner_nonce) {
    const Sha256 digest = sha256(Input("stratum-pairing-v1")
                                     .add(tuple.founder)
                                     .add(tuple.joiner)
                                     .add(joiner_nonce)
                                     .add(tuple.founder_nonce)
                                     .add(tuple.join_id)
                                     .bytes());
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < 8; ++at) number = number << 8 | digest[at];
    const std::uint64_t base = kCodeAlphabet.size();
    // Most significant digit first: what stands above six digits falls away, which is the modulo.
    std::string code = "XXX-XXX";
    for (const std::size_t place : {6, 5, 4, 2, 1, 0}) {
        code[place] = kCodeAlphabet[number % base];
        number /= base;
    }
    return code;
}

} // namespace stratum::link
