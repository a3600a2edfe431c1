// The check of a server's key inside the TLS handshake: before this side says who it is and before
// any HTTP. libcurl's own pin check stands behind it; both have to hold.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "common/link/edge/tls_identity.hpp"

struct mbedtls_ssl_config;

namespace stratum::link {

class PinCheck {
public:
    // No pins: any key passes and is remembered (for asking what key there is).
    explicit PinCheck(std::vector<Fingerprint> pins) : pins_(std::move(pins)) {}

    // Puts itself, and the client's identity where there is one, into the handshakes of `config`.
    // Both must outlive them.
    void install(mbedtls_ssl_config& config, TlsIdentity* identity);
    void forget() { seen_.reset(); }

    // The key of whoever answered the last handshake.
    [[nodiscard]] const std::optional<Fingerprint>& seen() const { return seen_; }
    [[nodiscard]] bool refused() const { return seen_ && !passes(*seen_); }

private:
    static int verify(void* self, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags);
    [[nodiscard]] bool passes(const Fingerprint& key) const;

    std::vector<Fingerprint> pins_;
    std::optional<Fingerprint> seen_;
};

} // namespace stratum::link
