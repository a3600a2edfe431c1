// An ECDSA P-256 key with its self-signed certificate: the founder's TLS identity, and a joiner's
// or member's client identity. The certificate's dates are wide (1970 to 9999) because the key
// alone counts and first-boot clocks lie.
#pragma once

#include <string>
#include <string_view>

#include "common/base/files.hpp"
#include "common/link/fingerprint.hpp"

namespace stratum::link {

struct KeyPair {
    std::string private_pem;     // PKCS#8 or SEC1 PEM; a secret
    std::string certificate_pem; // self-signed, subject CN=`name`
    Fingerprint fingerprint;
};

Result<KeyPair> generate_key(std::string_view name);
// Both PEMs in one text, private key first; kInvalid where they do not belong together.
Result<KeyPair> parse_key(std::string_view pem);
// The key kept at `path` (mode 0600, both PEMs); made and written first where there is none. A file
// that is there and cannot be read or does not hold is an error, never silently replaced.
Result<KeyPair> load_or_make_key(Files& files, const std::string& path, std::string_view name);

// The fingerprint of a certificate (PEM).
Result<Fingerprint> certificate_fingerprint(std::string_view certificate_pem);

} // namespace stratum::link
