#include <algorithm>

#include "common/base/text.hpp"
#include "common/link/join_code.hpp"
#include "common/link/pairing.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;

namespace {

Sha256 filled(std::uint8_t byte) {
    Sha256 bytes{};
    bytes.fill(byte);
    return bytes;
}

// The protocol's published test vector.
struct Vector {
    JoinCode code = JoinCode::parse("2345-6789-ABCD-EFGH").value();
    Fingerprint founder{filled(0x11)};
    Fingerprint joiner{filled(0x22)};
    Nonce joiner_nonce = filled(0x33);
    Nonce founder_nonce = filled(0x44);
    Sha256 joiner_commitment = commitment(joiner_nonce, joiner);
    PairingTuple tuple{founder, joiner, joiner_commitment, founder_nonce, "nj-8w2k4m1p"};
};

} // namespace

TEST_GROUP(Pairing){};

TEST(Pairing, HoldsTheTestVectorOfTheProtocol) {
    const Vector v;
    STRCMP_EQUAL("37a28fc626530cc6646d7f9574777e8e12e535979fda1839c08613a236ed8c06",
                 to_hex(v.code.key()).c_str());
    STRCMP_EQUAL("6e66640c", v.code.id().c_str());
    STRCMP_EQUAL("a1346b8170accaa9fa3b4b335b95eb0a3b95b5b2d1d0a4b16f7a02621e8cdbc1",
                 to_hex(v.joiner_commitment).c_str());
    STRCMP_EQUAL(
        "67f70ee1bbf82588317e6166ecea0608f81ba79d1a0ce9c0616022965edcd2dc",
        to_hex(code_proof(v.code.key(), v.founder, v.joiner, v.joiner_commitment)).c_str());
    STRCMP_EQUAL("3e0285f8a81f3cad0fef1d1e45562a6e2704b041c2a4a432dde666ae79f3d31e",
                 to_hex(founder_proof(v.code.key(), v.tuple)).c_str());
    STRCMP_EQUAL("56K-AD2", pairing_code(v.tuple, v.joiner_nonce).c_str());
}

TEST(Pairing, ChangesWithEveryPartOfTheTuple) {
    const Vector v;
    const auto proof = founder_proof(v.code.key(), v.tuple);
    const auto code = pairing_code(v.tuple, v.joiner_nonce);
    const auto differs = [&](auto change) {
        PairingTuple other = v.tuple;
        change(other);
        return founder_proof(v.code.key(), other) != proof &&
               pairing_code(other, v.joiner_nonce) != code;
    };
    CHECK(differs([](PairingTuple& t) { t.founder = Fingerprint(filled(0x12)); }));
    CHECK(differs([](PairingTuple& t) { t.joiner = Fingerprint(filled(0x23)); }));
    CHECK(differs([](PairingTuple& t) { t.founder_nonce = filled(0x45); }));
    CHECK(differs([](PairingTuple& t) { t.join_id = "nj-8w2k4m1q"; }));
    PairingTuple other = v.tuple;
    other.joiner_commitment = filled(0x55);
    CHECK(founder_proof(v.code.key(), other) != proof);
    CHECK(founder_proof(filled(1), v.tuple) != proof);
    CHECK(pairing_code(v.tuple, filled(0x34)) != code);
}

TEST(Pairing, ProofsOfTheTwoSidesAreNeverTheSame) {
    const Vector v;
    CHECK(code_proof(v.code.key(), v.founder, v.joiner, v.joiner_commitment) !=
          code_proof(v.code.key(), v.joiner, v.founder, v.joiner_commitment));
    CHECK(commitment(v.joiner_nonce, v.joiner) != commitment(v.joiner_nonce, v.founder));
}

TEST(Pairing, CodesAreSixCharactersOfTheAlphabetWithAHyphen) {
    Vector v;
    for (int round = 0; round < 50; ++round) {
        const std::string code = pairing_code(v.tuple, random_nonce());
        CHECK_EQUAL(7u, code.size());
        CHECK_EQUAL('-', code[3]);
        CHECK(std::all_of(code.begin(), code.end(), [](char c) {
            return c == '-' || kCodeAlphabet.find(c) != std::string_view::npos;
        }));
    }
}

TEST(Pairing, NoncesAreReadFrom64HexDigitsAlone) {
    const Nonce nonce = random_nonce();
    CHECK(nonce != random_nonce());
    CHECK(parse_nonce(to_hex(nonce)).value() == nonce);
    CHECK(parse_nonce(upper(to_hex(nonce))).value() == nonce);
    const std::string hex = to_hex(nonce);
    for (const std::string& bad : {std::string(), hex.substr(1), hex + "0", hex + "00",
                                   "x" + hex.substr(1), " " + hex.substr(1)}) {
        const auto parsed = parse_nonce(bad);
        CHECK_FALSE(parsed.has_value());
        CHECK(parsed.error().code == ErrorCode::kInvalid);
        CHECK(parsed.error().message.find("64 hex digits") != std::string::npos);
    }
}

TEST_GROUP(Fingerprints){};

TEST(Fingerprints, AreWrittenInLowerCaseAndReadInEither) {
    const Fingerprint key(filled(0xAB));
    STRCMP_EQUAL(std::string(64, 'a').replace(1, 1, "b").substr(0, 2).c_str(),
                 key.str().substr(0, 2).c_str());
    CHECK(Fingerprint::parse(key.str()).value() == key);
    CHECK(Fingerprint::parse(upper(key.str())).value() == key);
}

TEST(Fingerprints, OfAnotherLengthOrWithOtherCharactersAreRefused) {
    const std::string good = Fingerprint(filled(7)).str();
    for (const std::string& bad :
         {std::string(), good.substr(2), good + "00", "g" + good.substr(1), "sha256:" + good}) {
        const auto parsed = Fingerprint::parse(bad);
        CHECK_FALSE(parsed.has_value());
        CHECK(parsed.error().message.find("64 hex digits") != std::string::npos);
    }
}
