// Keys and certificates by mbedTLS; where they are kept goes through Files.
#include "common/link/keys.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include <mbedtls/ecp.h>
#include <mbedtls/oid.h>
#include <mbedtls/pem.h>
#include <mbedtls/platform_util.h>
#include <sys/stat.h>

#include "common/base/hash.hpp"
#include "common/link/edge/tls_identity.hpp"

namespace stratum::link {
namespace {

constexpr std::size_t kMaxPem = 4096;
constexpr std::size_t kMaxKeyFile = 64 * 1024;
constexpr std::string_view kPemEnd = "-----END CERTIFICATE-----\n";

// A buffer for PEM text that may hold a private key.
struct SecretBuffer : std::array<unsigned char, kMaxPem> {
    ~SecretBuffer() { mbedtls_platform_zeroize(data(), size()); }
    [[nodiscard]] std::string text() const { return reinterpret_cast<const char*>(data()); }
};

tl::unexpected<Error> made_wrong(std::string_view what, int code) {
    return tl::make_unexpected(tls_error(ErrorCode::kInternal, what, code));
}

// The subject as mbedTLS reads it: what could end the value is left out, the rest is for people.
std::string subject_of(std::string_view name) {
    std::string subject = "CN=";
    for (const char c : name.substr(0, 64)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ' ';
        subject += plain ? c : '-';
    }
    return name.empty() ? subject + "firstboot" : subject;
}

class CertificateWriter {
public:
    explicit CertificateWriter(mbedtls_pk_context& key) {
        mbedtls_x509write_crt_init(&request_);
        mbedtls_x509write_crt_set_version(&request_, MBEDTLS_X509_CRT_VERSION_3);
        mbedtls_x509write_crt_set_md_alg(&request_, MBEDTLS_MD_SHA256);
        mbedtls_x509write_crt_set_subject_key(&request_, &key);
        mbedtls_x509write_crt_set_issuer_key(&request_, &key);
    }
    ~CertificateWriter() { mbedtls_x509write_crt_free(&request_); }
    CertificateWriter(const CertificateWriter&) = delete;
    CertificateWriter& operator=(const CertificateWriter&) = delete;

    Result<std::string> write(std::string_view name) {
        if (const int code = describe(subject_of(name)); code != 0) {
            return made_wrong("the certificate cannot be described", code);
        }
        SecretBuffer pem{};
        const int code =
            mbedtls_x509write_crt_pem(&request_, pem.data(), pem.size(), tls_random, nullptr);
        if (code != 0) return made_wrong("the certificate cannot be written", code);
        return pem.text();
    }

private:
    int describe(const std::string& subject) {
        std::array<std::uint8_t, 16> serial{};
        fill_random(serial);
        serial[0] = (serial[0] & 0x7f) | 0x40; // positive, and no leading zero byte
        int code = mbedtls_x509write_crt_set_serial_raw(&request_, serial.data(), serial.size());
        if (code == 0) code = mbedtls_x509write_crt_set_subject_name(&request_, subject.c_str());
        if (code == 0) code = mbedtls_x509write_crt_set_issuer_name(&request_, subject.c_str());
        // A clock that lies must not end a key: the widest dates that X.509 can say.
        if (code == 0) {
            code =
                mbedtls_x509write_crt_set_validity(&request_, "19700101000000", "99991231235959");
        }
        if (code == 0) code = mbedtls_x509write_crt_set_basic_constraints(&request_, 0, -1);
        if (code == 0) {
            code =
                mbedtls_x509write_crt_set_key_usage(&request_, MBEDTLS_X509_KU_DIGITAL_SIGNATURE);
        }
        return code;
    }

    mbedtls_x509write_cert request_;
};

Result<std::string> key_pem(mbedtls_pk_context& key) {
    SecretBuffer pem{};
    const int code = mbedtls_pk_write_key_pem(&key, pem.data(), pem.size());
    if (code != 0) return made_wrong("the private key cannot be written", code);
    return pem.text();
}

Result<std::string> certificate_pem(const mbedtls_x509_crt& certificate) {
    SecretBuffer pem{};
    std::size_t length = 0;
    const int code =
        mbedtls_pem_write_buffer("-----BEGIN CERTIFICATE-----\n", kPemEnd.data(), certificate.raw.p,
                                 certificate.raw.len, pem.data(), pem.size(), &length);
    if (code != 0) return made_wrong("the certificate cannot be written", code);
    return pem.text();
}

// A key that others could read is no identity any more. Asked of the machine itself, since Files
// knows no modes; of a path that is not there (Files in memory) there is nothing to say.
Status check_mode(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || (found.st_mode & 077) == 0) return {};
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", static_cast<unsigned>(found.st_mode & 07777));
    return fail(ErrorCode::kDenied, std::string("it has mode ") + mode +
                                        ", so others may have read it; a private key needs 0600");
}

Result<KeyPair> read_back(const Files& files, const std::string& path) {
    Result<std::string> text = files.read(path, kMaxKeyFile);
    if (!text) return tl::make_unexpected(text.error());
    if (const Status good = check_mode(path); !good) return tl::make_unexpected(good.error());
    Result<KeyPair> pair = parse_key(*text);
    mbedtls_platform_zeroize(text->data(), text->size());
    return pair;
}

Status make_and_write(Files& files, const std::string& path, std::string_view name) {
    Result<KeyPair> pair = generate_key(name);
    if (!pair) return tl::make_unexpected(pair.error());
    std::string text = pair->private_pem + pair->certificate_pem;
    Status written = files.write(path, text, 0600);
    mbedtls_platform_zeroize(text.data(), text.size());
    return written;
}

} // namespace

Result<KeyPair> generate_key(std::string_view name) {
    if (const Status ready = prepare_tls(); !ready) return tl::make_unexpected(ready.error());
    TlsIdentity identity;
    int code = mbedtls_pk_setup(&identity.key, mbedtls_pk_info_from_type(MBEDTLS_PK_ECKEY));
    if (code == 0) {
        code = mbedtls_ecp_gen_key(MBEDTLS_ECP_DP_SECP256R1, mbedtls_pk_ec(identity.key),
                                   tls_random, nullptr);
    }
    if (code != 0) return made_wrong("a key cannot be made", code);
    const Result<std::string> private_pem = key_pem(identity.key);
    if (!private_pem) return tl::make_unexpected(private_pem.error());
    const Result<std::string> certificate = CertificateWriter(identity.key).write(name);
    if (!certificate) return tl::make_unexpected(certificate.error());
    // Read back as everybody else will read it: what is handed out has been proved to hold.
    return parse_key(*private_pem + *certificate);
}

Result<KeyPair> parse_key(std::string_view pem) {
    const auto identity = TlsIdentity::parse(pem);
    if (!identity) return tl::make_unexpected(identity.error());
    Result<std::string> private_pem = key_pem((*identity)->key);
    if (!private_pem) return tl::make_unexpected(private_pem.error());
    Result<std::string> certificate = certificate_pem((*identity)->certificate);
    if (!certificate) return tl::make_unexpected(certificate.error());
    return KeyPair{*std::move(private_pem), *std::move(certificate),
                   fingerprint_of((*identity)->certificate)};
}

Result<KeyPair> load_or_make_key(Files& files, const std::string& path, std::string_view name) {
    const std::string doing = "the key in " + path;
    Result<KeyPair> pair = read_back(files, path);
    if (!pair && pair.error().code == ErrorCode::kNotFound) {
        if (const Status made = make_and_write(files, path, name); !made) {
            return fail_in(doing, made.error());
        }
        // Also what was just written is read: where two programs began at once, both use one key.
        pair = read_back(files, path);
    }
    if (pair) return pair;
    Error error = pair.error();
    error.message += "; it is never replaced by itself: repair it, or move it away and this "
                     "machine has a new key (and is a new machine to the founder)";
    return fail_in(doing, std::move(error));
}

Result<Fingerprint> certificate_fingerprint(std::string_view certificate_pem) {
    if (const Status ready = prepare_tls(); !ready) return tl::make_unexpected(ready.error());
    const std::string text(certificate_pem);
    TlsIdentity identity;
    const int code = mbedtls_x509_crt_parse(&identity.certificate,
                                            reinterpret_cast<const unsigned char*>(text.c_str()),
                                            text.size() + 1);
    if (code != 0) {
        return tl::make_unexpected(
            tls_error(ErrorCode::kInvalid, "this is no certificate that can be read", code));
    }
    return fingerprint_of(identity.certificate);
}

} // namespace stratum::link
