#include "common/base/version.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

Version version(std::string_view text) {
    const auto parsed = Version::parse(text);
    CHECK_TEXT(parsed.has_value(), std::string(text).c_str());
    return parsed.value_or(Version());
}

bool in(std::string_view range, std::string_view text) {
    const auto parsed = VersionRange::parse(range);
    CHECK_TEXT(parsed.has_value(), std::string(range).c_str());
    return parsed && parsed->contains(version(text));
}

} // namespace

TEST_GROUP(Versions){};

TEST(Versions, AreOrderedAsAPackagerExpects) {
    // Each is older than the next.
    const char* const ordered[] = {
        "0.9",        "1.0~~",   "1.0~~a",    "1.0~",         "1.0~beta1", "1.0~beta2",
        "1.0~beta10", "1.0",     "1.0-1",     "1.0-1ubuntu1", "1.0-1.1",   "1.0-2",
        "1.0-10",     "1.0a",    "1.0b",      "1.0+git1",     "1.0.1",     "1.2",
        "1.9",        "1.10",    "25.03~rc1", "25.03",        "25.03.0",   "25.03.0-1ubuntu1",
        "25.09",      "26.00~a", "26.00",     "1:0.1",        "2:0"};
    for (std::size_t i = 0; i < std::size(ordered); ++i) {
        for (std::size_t j = 0; j < std::size(ordered); ++j) {
            const auto expected = i <=> j;
            CHECK_TEXT((version(ordered[i]) <=> version(ordered[j])) == expected,
                       (std::string(ordered[i]) + " and " + ordered[j]).c_str());
        }
    }
}

TEST(Versions, AreEqualWhereTheOrderSeesNoDifference) {
    CHECK(version("1.0") == version("1.00"));
    CHECK(version("0:1.0") == version("1.0"));
    CHECK(version("1.0-0") == version("1.0"));
    CHECK(version("v1.0") == version("1.0"));
    CHECK(version("1.099999999999999999999999") < version("1.100000000000000000000000"));
    CHECK_FALSE(version("1.0") == version("1.0.0"));
    CHECK(Version() < version("0") && Version() == Version());
}

TEST(Versions, OfRpmsHaveUnderscores) {
    STRCMP_EQUAL("5.14.0-503.el9_5.x86_64", version("5.14.0-503.el9_5.x86_64").str().c_str());
    CHECK(version("5.14.0-503.el9_4.x86_64") < version("5.14.0-503.el9_5.x86_64"));
    CHECK(version("5.14.0-503.el9") < version("5.14.0-503.el9_5"));
    CHECK(in(">=5.14 <6", "5.14.0-503.el9_5.x86_64"));
}

TEST(Versions, KeepTheirTextAndGiveTheirNumbers) {
    STRCMP_EQUAL("25.03.0-1ubuntu1", version("v25.03.0-1ubuntu1").str().c_str());
    STRCMP_EQUAL("25", version("25.03.0").major().c_str());
    STRCMP_EQUAL("25.03", version("25.03.0-1").major_minor().c_str());
    STRCMP_EQUAL("25.03", version("1:25.03").major_minor().c_str());
    STRCMP_EQUAL("25", version("25").major_minor().c_str());
    STRCMP_EQUAL("25", version("25~rc1").major_minor().c_str());
    STRCMP_EQUAL("25.03", version("25.03~rc1").major_minor().c_str());
    STRCMP_EQUAL("25", version("25.x").major_minor().c_str());
}

TEST(Versions, RefuseWhatIsNone) {
    for (const char* wrong : {"",    "v",    "a1",    ".1",  "-1",    "~1",   "1 0",
                              "1^0", "1.0-", "1:",    "a:1", "1:-1",  "1a:2", ":1",
                              "1:a", "é",    "1.0\n", "vv1", "1.0/2", "V1"}) {
        CHECK_FALSE_TEXT(Version::parse(wrong).has_value(), wrong);
    }
    CHECK(Version::parse(std::string(128, '1')).has_value());
    CHECK_FALSE(Version::parse(std::string(129, '1')).has_value());
}

TEST(Versions, RangesHoldWhereEveryComparatorHolds) {
    CHECK(in(">=25.03 <26.00", "25.03"));
    CHECK(in(">=25.03 <26.00", "25.03.0-1ubuntu1"));
    CHECK(in(">=25.03  <26.00", "25.99"));
    CHECK_FALSE(in(">=25.03 <26.00", "26.00"));
    CHECK_FALSE(in(">=25.03 <26.00", "25.03~rc1"));
    CHECK_FALSE(in(">=25.03 <26.00", "24.12"));
    CHECK(in(">1 !=2", "3") && !in(">1 !=2", "2") && !in(">1", "1"));
    CHECK(in("=1.0", "1.00") && !in("=1.0", "1.0.1"));
    CHECK(in("<=2", "2") && !in("<2", "2"));
    STRCMP_EQUAL(">=1 <2", VersionRange::parse(" >=1   <2 ")->str().c_str());
}

TEST(Versions, RangesRefuseOtherGrammar) {
    for (const char* wrong : {"", " ", "1.0", "> 1", ">=", "==1", "~1", "^1", ">=1,<2", "=>1",
                              ">=1 || <2", ">=a", "<>1"}) {
        CHECK_FALSE_TEXT(VersionRange::parse(wrong).has_value(), wrong);
    }
}
