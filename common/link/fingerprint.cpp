#include "common/link/fingerprint.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::link {

Result<Fingerprint> Fingerprint::parse(std::string_view text) {
    const auto bytes = from_hex(text);
    Sha256 digest{};
    if (!bytes || bytes->size() != digest.size()) {
        return fail(ErrorCode::kInvalid,
                    "a key fingerprint is 64 hex digits (SHA-256 of the public key); this has " +
                        std::to_string(text.size()) + " characters" +
                        (text.size() == 64 ? ", not all of them hex digits" : ""));
    }
    std::copy(bytes->begin(), bytes->end(), digest.begin());
    return Fingerprint(digest);
}

std::string Fingerprint::str() const {
    return to_hex(digest_);
}

} // namespace stratum::link
