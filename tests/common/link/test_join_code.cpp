#include <set>

#include "common/base/text.hpp"
#include "common/link/join_code.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;

namespace {

const std::string kKey = std::string(62, '1') + "ab";
const std::string kGoodUri = "stratum-join://10.20.0.2:8444/2345-6789-ABCD-EFGH?k=" + kKey;

bool refused_with(const std::string& text, const std::string& words) {
    const auto code = JoinCode::parse(text);
    if (!code && code.error().message.find(words) != std::string::npos) return true;
    if (!code) UT_PRINT(code.error().message.c_str());
    return false;
}

bool uri_refused_with(const std::string& text, const std::string& words) {
    const auto uri = JoinUri::parse(text);
    if (!uri && uri.error().code == ErrorCode::kInvalid &&
        uri.error().message.find(words) != std::string::npos &&
        uri.error().message.find("2345") == std::string::npos) {
        return true;
    }
    UT_PRINT(uri ? "accepted" : uri.error().message.c_str());
    return false;
}

} // namespace

TEST_GROUP(JoinCodes){};

TEST(JoinCodes, AreReadWithoutCaseHyphensAndWhiteSpace) {
    for (const char* text : {"2345-6789-ABCD-EFGH", "23456789abcdefgh", " 2345 6789\tAbCd EfGh\n",
                             "2-345--6789ABCDEFGH-"}) {
        const auto code = JoinCode::parse(text);
        CHECK(code.has_value());
        STRCMP_EQUAL("2345-6789-ABCD-EFGH", code->grouped().c_str());
        STRCMP_EQUAL("6e66640c", code->id().c_str());
    }
}

TEST(JoinCodes, NameTheLookAlikeThatCannotBe) {
    for (const char bad : std::string("ILOU01ilou")) {
        CHECK(refused_with(std::string("2345-67") + bad + "9-ABCD-EFGH",
                           std::string("'") + bad + "' (character 7): I, L, O, U and 0, 1"));
    }
}

TEST(JoinCodes, NameAnyOtherCharacterThatCannotBe) {
    CHECK(refused_with("2345_6789ABCDEFGH", "'_' (character 5)"));
    CHECK(refused_with("2345–6789–ABCD–EFGH", "'–' (character 5)"));
    CHECK(refused_with("2345é789ABCDEFGH", "'é' (character 5)"));
    CHECK(refused_with(std::string("2345\0 789ABCDEFGH", 17), "(character 5)"));
    CHECK(refused_with("2345\xff", "(character 5)"));
    CHECK(refused_with("23451\xe2\x80", "'1' (character 5)"));
}

TEST(JoinCodes, OfAnotherLengthAreRefusedWithTheirLength) {
    CHECK(refused_with("", "this has 0"));
    CHECK(refused_with("2345-6789-ABCD-EFG", "this has 15"));
    CHECK(refused_with("2345-6789-ABCD-EFGHJ", "this has 17"));
}

TEST(JoinCodes, NeverStandWholeInAMessage) {
    const auto code = JoinCode::parse("2345-6789-ABCD-EFG!");
    CHECK(code.error().message.find("2345") == std::string::npos);
    CHECK(code.error().message.find("6789") == std::string::npos);
}

TEST(JoinCodes, AreMadeOfTheAlphabetAndDiffer) {
    std::set<std::string> seen;
    for (int round = 0; round < 100; ++round) {
        const JoinCode code = JoinCode::generate();
        CHECK_EQUAL(19u, code.grouped().size());
        CHECK(JoinCode::parse(code.grouped())->id() == code.id());
        CHECK_EQUAL(8u, code.id().size());
        seen.insert(code.grouped());
    }
    CHECK_EQUAL(100u, seen.size());
    CHECK_EQUAL(30u, kCodeAlphabet.size());
}

TEST_GROUP(JoinUris){};

TEST(JoinUris, CarryFounderCodeAndKey) {
    const auto uri = JoinUri::parse(kGoodUri);
    CHECK(uri.has_value());
    CHECK_EQUAL(1u, uri->founders.size());
    STRCMP_EQUAL("10.20.0.2", uri->founders[0].host.c_str());
    CHECK_EQUAL(8444, uri->founders[0].port);
    STRCMP_EQUAL("2345-6789-ABCD-EFGH", uri->code.grouped().c_str());
    STRCMP_EQUAL(kKey.c_str(), uri->founder_key.str().c_str());
    STRCMP_EQUAL(kGoodUri.c_str(), uri->str().c_str());
}

TEST(JoinUris, TakeSeveralFoundersAndIpv6InBrackets) {
    const std::string text = "stratum-join://[fd00::2]:8444,founder.example:443,10.0.0.1:1/"
                             "2345-6789-ABCD-EFGH?k=" +
                             kKey;
    const auto uri = JoinUri::parse(text);
    CHECK(uri.has_value());
    CHECK_EQUAL(3u, uri->founders.size());
    STRCMP_EQUAL("fd00::2", uri->founders[0].host.c_str());
    STRCMP_EQUAL("founder.example", uri->founders[1].host.c_str());
    CHECK_EQUAL(1, uri->founders[2].port);
    STRCMP_EQUAL(text.c_str(), uri->str().c_str());
}

TEST(JoinUris, ReadSchemeCodeAndKeyWithoutCaseAndWithSpaceAround) {
    const auto uri =
        JoinUri::parse("  STRATUM-JOIN://10.20.0.2:8444/23456789abcdefgh?k=" + upper(kKey) + "\n");
    CHECK(uri.has_value());
    STRCMP_EQUAL(kGoodUri.c_str(), uri->str().c_str());
}

TEST(JoinUris, WithoutAKeyAreRefused) {
    const std::string bare = "stratum-join://10.20.0.2:8444/2345-6789-ABCD-EFGH";
    CHECK(uri_refused_with(bare, "no founder key"));
    CHECK(uri_refused_with(bare + "?", "no founder key"));
    CHECK(uri_refused_with(bare + "?k=", "no founder key"));
    CHECK(uri_refused_with(bare + "?k=" + kKey.substr(1), "64 hex digits"));
    CHECK(uri_refused_with(bare + "?k=" + kKey + "&k=" + kKey, "k= is given twice"));
    CHECK(uri_refused_with(bare + "?key=" + kKey, "other than k="));
    CHECK(uri_refused_with(kGoodUri + "&x=1", "other than k="));
    CHECK(uri_refused_with(kGoodUri + "#f", "64 hex digits"));
}

TEST(JoinUris, OfAnotherShapeAreRefused) {
    CHECK(uri_refused_with("", "stratum-join://"));
    CHECK(uri_refused_with("2345-6789-ABCD-EFGH", "does not begin"));
    CHECK(
        uri_refused_with("https://10.20.0.2:8444/2345-6789-ABCD-EFGH?k=" + kKey, "does not begin"));
    CHECK(uri_refused_with("stratum-join://10.20.0.2:8444", "no code"));
    CHECK(uri_refused_with("stratum-join:///2345-6789-ABCD-EFGH?k=" + kKey, "founder's address"));
    CHECK(uri_refused_with("stratum-join://" + std::string(5000, 'a'), "longer than"));
}

TEST(JoinUris, WithAFounderThatIsNoneAreRefused) {
    const auto with = [](const std::string& founders) {
        return "stratum-join://" + founders + "/2345-6789-ABCD-EFGH?k=" + kKey;
    };
    for (const char* bad :
         {"10.20.0.2", "10.20.0.2:", "10.20.0.2:70000", "10.20.0.2:x", "fd00::2:8444", "[fd00::2]",
          ":8444", "10.20.0.2:8444,", ",10.20.0.2:8444", "user@10.20.0.2:8444", "a b:1"}) {
        CHECK(uri_refused_with(with(bad), "founder's address does not hold"));
    }
    CHECK(uri_refused_with(with("10.20.0.2:0"), "port cannot be 0"));
    std::string many = "h:1";
    for (int more = 1; more < 17; ++more) many += ",h:1";
    CHECK(uri_refused_with(with(many), "at most 16"));
}

TEST(JoinUris, WithACodeThatIsNoneAreRefused) {
    const auto with = [](const std::string& code) {
        return "stratum-join://10.20.0.2:8444/" + code + "?k=" + kKey;
    };
    CHECK(uri_refused_with(with(""), "this has 0"));
    CHECK(uri_refused_with(with("3456-6789"), "this has 8"));
    CHECK(uri_refused_with(with("O345-6789-ABCD-EFGH"), "'O'"));
    CHECK(uri_refused_with(with("3456-6789-ABCD-EFGH/"), "'/'"));
    CHECK(uri_refused_with(with("3456%2D6789-ABCD-EFGH"), "'%'"));
}
