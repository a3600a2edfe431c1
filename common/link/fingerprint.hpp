// The identity of a key: SHA-256 over its DER SubjectPublicKeyInfo. Written as 64 lower-case hex
// digits, everywhere the same. One function makes it (keys.hpp); this is the value.
#pragma once

#include <string>
#include <string_view>

#include "common/base/hash.hpp"
#include "common/base/result.hpp"

namespace stratum::link {

class Fingerprint {
public:
    explicit Fingerprint(const Sha256& digest) : digest_(digest) {}
    // Exactly 64 hex digits, either case.
    static Result<Fingerprint> parse(std::string_view text);

    [[nodiscard]] std::string str() const;
    [[nodiscard]] const Sha256& bytes() const { return digest_; }
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;

private:
    Sha256 digest_;
};

} // namespace stratum::link
