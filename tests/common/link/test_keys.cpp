#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>
#include <vector>

#include "common/base/text.hpp"
#include "common/link/keys.hpp"
#include "tests/common/link/openssl.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;
using stratum::test::openssl;

namespace {

// Files in memory, of which the test sees the modes and can break the reading.
class MemoryFiles : public Files {
public:
    std::map<std::string, std::string> content;
    std::map<std::string, unsigned> modes;
    std::optional<Error> read_error;
    int writes = 0;

    Result<std::string> read(const std::string& path, std::size_t max_bytes) const override {
        if (read_error) return tl::make_unexpected(*read_error);
        const auto found = content.find(path);
        if (found == content.end()) return fail(ErrorCode::kNotFound, "no such file");
        if (found->second.size() > max_bytes) return fail(ErrorCode::kTooLarge, "too large");
        return found->second;
    }
    Status write(const std::string& path, std::string_view text, unsigned mode) override {
        ++writes;
        content[path] = text;
        modes[path] = mode;
        return {};
    }
    bool exists(const std::string& path) const override { return content.count(path) > 0; }
    Status remove(const std::string& path) override {
        content.erase(path);
        return {};
    }
    Status make_folder(const std::string&, unsigned) override { return {}; }
    Result<std::vector<std::string>> list(const std::string&) const override {
        return std::vector<std::string>{};
    }
};

const std::string kPath = "/nowhere/key.pem";

} // namespace

TEST_GROUP(Keys){};

TEST(Keys, AreP256WithACertificateThatOpensslTakes) {
    const KeyPair key = generate_key("node-1").value();
    const std::string text = openssl("x509 -noout -text", key.certificate_pem);
    STRCMP_CONTAINS("ASN1 OID: prime256v1", text.c_str());
    STRCMP_CONTAINS("Subject: CN = node-1", text.c_str());
    STRCMP_CONTAINS("Issuer: CN = node-1", text.c_str());
    STRCMP_CONTAINS("Version: 3", text.c_str());
    STRCMP_CONTAINS("ecdsa-with-SHA256", text.c_str());
    STRCMP_CONTAINS("CA:FALSE", text.c_str());
    STRCMP_CONTAINS("Key is valid", openssl("pkey -check -noout", key.private_pem).c_str());
}

TEST(Keys, CertificatesHoldUnderAnyClock) {
    const KeyPair key = generate_key("x").value();
    const std::string dates = openssl("x509 -noout -dates", key.certificate_pem);
    STRCMP_CONTAINS("notBefore=Jan  1 00:00:00 1970 GMT", dates.c_str());
    STRCMP_CONTAINS("notAfter=Dec 31 23:59:59 9999 GMT", dates.c_str());
}

TEST(Keys, FingerprintsAreOpensslsHashOfThePublicKey) {
    const KeyPair key = generate_key("x").value();
    const std::string sum = openssl("x509 -noout -pubkey | openssl pkey -pubin -outform DER | "
                                    "openssl dgst -sha256 -r",
                                    key.certificate_pem);
    STRCMP_EQUAL(sum.substr(0, 64).c_str(), key.fingerprint.str().c_str());
    CHECK(certificate_fingerprint(key.certificate_pem).value() == key.fingerprint);
}

TEST(Keys, FingerprintsStayWhenTheCertificateIsRenewed) {
    const KeyPair key = generate_key("x").value();
    const std::string renewed =
        openssl("req -x509 -new -key /dev/stdin -subj /CN=other -days 3", key.private_pem);
    CHECK(certificate_fingerprint(renewed).value() == key.fingerprint);
    const KeyPair again = parse_key(key.private_pem + renewed).value();
    CHECK(again.fingerprint == key.fingerprint);
    STRCMP_EQUAL(renewed.c_str(), again.certificate_pem.c_str());
}

TEST(Keys, DifferEachTimeAndNeverHaveTheNameDecideTheSubject) {
    CHECK(!(generate_key("x")->fingerprint == generate_key("x")->fingerprint));
    const std::string odd = openssl("x509 -noout -subject -nameopt RFC2253",
                                    generate_key("a,O=b/\"\xc3\xa9\n").value().certificate_pem);
    STRCMP_EQUAL("subject=CN=a-O-b-----\n", odd.c_str());
    STRCMP_CONTAINS("CN=firstboot", openssl("x509 -noout -subject -nameopt RFC2253",
                                            generate_key("")->certificate_pem)
                                        .c_str());
    CHECK(generate_key(std::string(500, 'n')).has_value());
}

TEST(Keys, AreReadFromOpensslsPkcs8Too) {
    const std::string key = openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256", "");
    const std::string certificate =
        openssl("req -x509 -new -key /dev/stdin -subj /CN=o -days 3", key);
    const auto pair = parse_key(key + certificate);
    CHECK(pair.has_value());
    CHECK(pair->fingerprint == certificate_fingerprint(certificate).value());
    CHECK(parse_key(certificate + key).has_value());
}

TEST(Keys, ThatAreNoneAreRefused) {
    const KeyPair key = generate_key("x").value();
    const KeyPair other = generate_key("x").value();
    const auto refused = [](const std::string& pem, const std::string& words) {
        const auto pair = parse_key(pem);
        return !pair && pair.error().code == ErrorCode::kInvalid &&
               pair.error().message.find(words) != std::string::npos;
    };
    CHECK(refused("", "no private key"));
    CHECK(refused("garbage", "no private key"));
    CHECK(refused(key.certificate_pem, "no private key"));
    CHECK(refused(key.private_pem, "no certificate"));
    CHECK(refused(key.private_pem.substr(0, 100) + key.certificate_pem, "no private key"));
    CHECK(refused(key.private_pem + other.certificate_pem, "another private key"));
    CHECK(refused(key.private_pem + key.certificate_pem + other.certificate_pem, "more than one"));
    const std::string p384 = openssl("ecparam -name secp384r1 -genkey -noout", "");
    const std::string p384_certificate =
        openssl("req -x509 -new -key /dev/stdin -subj /CN=o -days 3", p384);
    CHECK(refused(p384 + p384_certificate, "not an ECDSA P-256 key"));
    CHECK_FALSE(certificate_fingerprint("garbage").has_value());
    CHECK_FALSE(certificate_fingerprint(key.private_pem).has_value());
}

TEST_GROUP(KeyFiles){};

TEST(KeyFiles, AreMadeOnceWithMode0600AndKept) {
    MemoryFiles files;
    const KeyPair made = load_or_make_key(files, kPath, "node").value();
    CHECK_EQUAL(0600u, files.modes[kPath]);
    CHECK_EQUAL(0u, files.content[kPath].find("-----BEGIN EC PRIVATE KEY-----"));
    const KeyPair again = load_or_make_key(files, kPath, "other name").value();
    CHECK_EQUAL(1, files.writes);
    CHECK(made.fingerprint == again.fingerprint);
    STRCMP_EQUAL(made.certificate_pem.c_str(), again.certificate_pem.c_str());
}

TEST(KeyFiles, ThatDoNotHoldAreAnErrorAndNeverReplaced) {
    const KeyPair key = generate_key("x").value();
    for (const std::string& bad :
         {std::string(), std::string("garbage"), key.private_pem,
          key.private_pem + generate_key("y")->certificate_pem, std::string(100'000, 'x')}) {
        MemoryFiles files;
        files.content[kPath] = bad;
        const auto pair = load_or_make_key(files, kPath, "x");
        CHECK_FALSE(pair.has_value());
        CHECK_EQUAL(0, files.writes);
        STRCMP_EQUAL(bad.c_str(), files.content[kPath].c_str());
        STRCMP_CONTAINS(kPath.c_str(), pair.error().message.c_str());
        STRCMP_CONTAINS("never replaced", pair.error().message.c_str());
        CHECK(pair.error().message.find("PRIVATE KEY---") == std::string::npos);
    }
}

TEST(KeyFiles, ThatCannotBeReadAreAnErrorAndNeverReplaced) {
    MemoryFiles files;
    files.read_error = Error{ErrorCode::kDenied, "permission denied", {}};
    const auto pair = load_or_make_key(files, kPath, "x");
    CHECK(pair.error().code == ErrorCode::kDenied);
    CHECK_EQUAL(0, files.writes);
}

TEST(KeyFiles, ThatOthersMayReadAreRefused) {
    const KeyPair key = generate_key("x").value();
    const test::TemporaryFile file(key.private_pem + key.certificate_pem);
    CHECK(load_or_make_key(system_files(), file.path(), "x")->fingerprint == key.fingerprint);
    for (const char* mode : {"640", "604", "644"}) {
        test::shell(std::string("chmod ") + mode + " " + file.path());
        const auto pair = load_or_make_key(system_files(), file.path(), "x");
        CHECK(pair.error().code == ErrorCode::kDenied);
        STRCMP_CONTAINS((std::string("mode 0") + mode).c_str(), pair.error().message.c_str());
    }
}

TEST(KeyFiles, AreMadeOnARealDiskForTheOwnerAlone) {
    const std::string printed = test::shell("mktemp -d");
    const std::string clean(trim(printed));
    const auto pair = load_or_make_key(system_files(), clean + "/key.pem", "x");
    CHECK(pair.has_value());
    STRCMP_EQUAL("600 1\n", test::shell("stat -c '%a %h' " + clean + "/key.pem; ls " + clean +
                                        " | grep -v key")
                                .c_str());
    CHECK(load_or_make_key(system_files(), clean + "/key.pem", "x")->fingerprint ==
          pair->fingerprint);
    test::shell("rm -r " + clean);
    const auto nowhere = load_or_make_key(system_files(), "/nonexistent/folder/key.pem", "x");
    CHECK_FALSE(nowhere.has_value());
}

TEST(KeyFiles, MadeByTwoProgramsAtOnceGiveBothTheSameKey) {
    // The other program's write lands between our write and our reading.
    class Race : public MemoryFiles {
    public:
        std::string other;
        Status write(const std::string& path, std::string_view, unsigned mode) override {
            return MemoryFiles::write(path, other, mode);
        }
    } files;
    const KeyPair other = generate_key("other").value();
    files.other = other.private_pem + other.certificate_pem;
    CHECK(load_or_make_key(files, kPath, "x")->fingerprint == other.fingerprint);
}
