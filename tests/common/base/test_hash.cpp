#include "common/base/clock.hpp"
#include "common/base/hash.hpp"
#include "common/base/text.hpp"

#include <algorithm>
#include <set>

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

std::string hex(const Sha256& digest) {
    return to_hex(digest);
}

const char* const kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

} // namespace

TEST_GROUP(Hash){};

TEST(Hash, Sha256KnowsThePublishedVectors) {
    STRCMP_EQUAL("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                 hex(sha256({})).c_str());
    STRCMP_EQUAL(kAbc, hex(sha256(bytes_of("abc"))).c_str());
    STRCMP_EQUAL("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
                 hex(sha256(bytes_of(std::string(1'000'000, 'a')))).c_str());
}

TEST(Hash, AStreamInPiecesEqualsTheWholeAndStartsAnew) {
    Sha256Stream stream;
    for (int round = 0; round < 2; ++round) {
        stream.update(bytes_of("a"));
        stream.update({});
        stream.update(bytes_of("bc"));
        STRCMP_EQUAL(kAbc, hex(stream.finish()).c_str());
    }
    Sha256Stream moved = std::move(stream);
    moved.update(bytes_of("abc"));
    STRCMP_EQUAL(kAbc, hex(moved.finish()).c_str());
}

TEST(Hash, HmacKnowsThePublishedVectors) {
    // RFC 4231, cases 2 and 6 (a key longer than a block).
    STRCMP_EQUAL(
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        hex(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))).c_str());
    STRCMP_EQUAL(
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        hex(hmac_sha256(Bytes(131, 0xaa),
                        bytes_of("Test Using Larger Than Block-Size Key - Hash Key First")))
            .c_str());
    STRCMP_EQUAL("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad",
                 hex(hmac_sha256({}, {})).c_str());
}

TEST(Hash, ConstantTimeComparisonComparesAll) {
    CHECK(equal_constant_time(bytes_of("secret"), bytes_of("secret")));
    CHECK(equal_constant_time({}, {}));
    CHECK_FALSE(equal_constant_time(bytes_of("secret"), bytes_of("secreT")));
    CHECK_FALSE(equal_constant_time(bytes_of("secret"), bytes_of("Secret")));
    CHECK_FALSE(equal_constant_time(bytes_of("secret"), bytes_of("secre")));
    CHECK_FALSE(equal_constant_time(bytes_of("s"), {}));
}

TEST(Hash, RandomBytesDiffer) {
    CHECK(random_bytes(32) != random_bytes(32));
    CHECK_EQUAL(0u, random_bytes(0).size());
    CHECK_EQUAL(70000u, random_bytes(70000).size());
}

TEST(Hash, RandomTextUsesItsWholeAlphabetAndNothingElse) {
    const std::string text = random_text(3000, "ab0");
    CHECK_EQUAL(3000u, text.size());
    CHECK(std::set<char>(text.begin(), text.end()) == (std::set<char>{'a', 'b', '0'}));
    for (const char letter : {'a', 'b', '0'}) {
        const auto times = std::count(text.begin(), text.end(), letter);
        CHECK(times > 800 && times < 1200); // 7 standard deviations
    }
}

TEST(Hash, Base64KnowsThePublishedVectors) {
    const char* const expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    for (std::size_t n = 0; n <= 6; ++n) {
        STRCMP_EQUAL(expected[n],
                     to_base64(bytes_of(std::string_view("foobar").substr(0, n))).c_str());
    }
    const Bytes odd = {0xfb, 0xff};
    STRCMP_EQUAL("+/8=", to_base64(odd).c_str());
}

TEST(Hash, TheMachinesClocksGoForward) {
    Clock& clock = system_clock();
    const auto before = clock.steady_ms();
    CHECK(clock.steady_ms() >= before);
    CHECK(clock.unix_seconds() > 1'700'000'000);
}
