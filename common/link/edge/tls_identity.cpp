#include "common/link/edge/tls_identity.hpp"

#include <cstdio>

#include <mbedtls/ecp.h>
#include <mbedtls/platform_util.h>
#include <psa/crypto.h>

#include "common/base/hash.hpp"

namespace stratum::link {
namespace {

// What mbedTLS parses as PEM has to end with a 0 that counts.
class Terminated {
public:
    explicit Terminated(std::string_view text) : text_(text) {}
    ~Terminated() { mbedtls_platform_zeroize(text_.data(), text_.size()); }
    Terminated(const Terminated&) = delete;
    Terminated& operator=(const Terminated&) = delete;
    [[nodiscard]] const unsigned char* data() const {
        return reinterpret_cast<const unsigned char*>(text_.c_str());
    }
    [[nodiscard]] std::size_t size() const { return text_.size() + 1; }

private:
    std::string text_;
};

Status check_identity(TlsIdentity& identity) {
    if (mbedtls_pk_get_type(&identity.key) != MBEDTLS_PK_ECKEY ||
        mbedtls_ecp_keypair_get_group_id(mbedtls_pk_ec(identity.key)) != MBEDTLS_ECP_DP_SECP256R1) {
        return fail(ErrorCode::kInvalid, "the private key is not an ECDSA P-256 key");
    }
    if (identity.certificate.next != nullptr) {
        return fail(ErrorCode::kInvalid, "there is more than one certificate beside the key");
    }
    const int code =
        mbedtls_pk_check_pair(&identity.certificate.pk, &identity.key, tls_random, nullptr);
    if (code != 0) {
        return fail(ErrorCode::kInvalid, "the certificate belongs to another private key");
    }
    return {};
}

} // namespace

Status prepare_tls() {
    // A static's initialisation is done once even where several threads come at the same time.
    static const psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) return {};
    return fail(ErrorCode::kInternal,
                "the TLS library does not start (code " + std::to_string(status) + ")");
}

int tls_random(void*, unsigned char* out, std::size_t size) {
    fill_random({out, size});
    return 0;
}

Fingerprint fingerprint_of(const mbedtls_x509_crt& certificate) {
    return Fingerprint(sha256({certificate.pk_raw.p, certificate.pk_raw.len}));
}

Error tls_error(ErrorCode code, std::string_view what, int tls_code) {
    char number[16];
    std::snprintf(number, sizeof number, "-0x%04x", static_cast<unsigned>(-tls_code));
    return Error{code, std::string(what) + " (TLS library's code " + number + ")", {}};
}

TlsIdentity::TlsIdentity() {
    mbedtls_pk_init(&key);
    mbedtls_x509_crt_init(&certificate);
}

TlsIdentity::~TlsIdentity() {
    mbedtls_pk_free(&key);
    mbedtls_x509_crt_free(&certificate);
}

Result<std::unique_ptr<TlsIdentity>> TlsIdentity::parse(std::string_view pem) {
    if (const Status ready = prepare_tls(); !ready) return tl::make_unexpected(ready.error());
    const Terminated text(pem);
    auto identity = std::make_unique<TlsIdentity>();
    int code = mbedtls_pk_parse_key(&identity->key, text.data(), text.size(), nullptr, 0,
                                    tls_random, nullptr);
    if (code != 0) {
        return tl::make_unexpected(
            tls_error(ErrorCode::kInvalid, "there is no private key that can be read", code));
    }
    code = mbedtls_x509_crt_parse(&identity->certificate, text.data(), text.size());
    if (code != 0) {
        return tl::make_unexpected(
            tls_error(ErrorCode::kInvalid, "there is no certificate that can be read", code));
    }
    if (const Status good = check_identity(*identity); !good) {
        return tl::make_unexpected(good.error());
    }
    return identity;
}

} // namespace stratum::link
