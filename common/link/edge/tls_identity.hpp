// A key with its certificate as mbedTLS holds them, and the one function that makes a fingerprint.
// For this drawer's server and client; the room itself knows KeyPair.
#pragma once

#include <memory>

#include <mbedtls/pk.h>
#include <mbedtls/x509_crt.h>

#include "common/link/keys.hpp"

namespace stratum::link {

// Makes mbedTLS ready for several threads (its TLS 1.3 stands on PSA). Called by whoever begins
// anything with TLS; the first call does it.
Status prepare_tls();

// The kernel's randomness, in mbedTLS's shape.
int tls_random(void*, unsigned char* out, std::size_t size);

// SHA-256 over the certificate's SubjectPublicKeyInfo as it stands in it.
Fingerprint fingerprint_of(const mbedtls_x509_crt& certificate);

// "keys: the certificate cannot be read (code -0x2180)": mbedTLS's code is for who debugs.
Error tls_error(ErrorCode code, std::string_view what, int tls_code);

class TlsIdentity {
public:
    TlsIdentity();
    ~TlsIdentity();
    TlsIdentity(const TlsIdentity&) = delete;
    TlsIdentity& operator=(const TlsIdentity&) = delete;

    // An ECDSA P-256 key and exactly one certificate that belongs to it.
    static Result<std::unique_ptr<TlsIdentity>> parse(std::string_view pem);

    mbedtls_pk_context key;
    mbedtls_x509_crt certificate;
};

} // namespace stratum::link
