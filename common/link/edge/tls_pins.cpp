#include "common/link/edge/tls_pins.hpp"

#include <algorithm>

#include <mbedtls/ssl.h>

namespace stratum::link {

void PinCheck::install(mbedtls_ssl_config& config, TlsIdentity* identity) {
    mbedtls_ssl_conf_min_tls_version(&config, MBEDTLS_SSL_VERSION_TLS1_2);
    mbedtls_ssl_conf_authmode(&config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_verify(&config, verify, this);
    // One handshake, one key, for the whole connection.
    mbedtls_ssl_conf_renegotiation(&config, MBEDTLS_SSL_RENEGOTIATION_DISABLED);
    if (identity != nullptr) {
        mbedtls_ssl_conf_own_cert(&config, &identity->certificate, &identity->key);
    }
}

bool PinCheck::passes(const Fingerprint& key) const {
    return pins_.empty() || std::find(pins_.begin(), pins_.end(), key) != pins_.end();
}

// Issuer, name and dates of a certificate say nothing here: the key alone does. Without a pinned
// key at depth 0 the flags stay as they are, and the handshake fails.
int PinCheck::verify(void* self, mbedtls_x509_crt* certificate, int depth, std::uint32_t* flags) {
    auto& check = *static_cast<PinCheck*>(self);
    if (depth > 0) {
        *flags = 0;
        return 0;
    }
    check.seen_ = fingerprint_of(*certificate);
    *flags = check.passes(*check.seen_) ? 0 : MBEDTLS_X509_BADCERT_NOT_TRUSTED;
    return 0;
}

} // namespace stratum::link
