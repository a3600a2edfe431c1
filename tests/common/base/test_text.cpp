#include "common/base/text.hpp"

#include <algorithm>

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

void same(std::string_view expected, std::string_view actual) {
    STRCMP_EQUAL(std::string(expected).c_str(), std::string(actual).c_str());
}

bool near(const char* word, const char* expected) {
    const std::vector<std::string> candidates = {"address", "mtu", "vlanId", "interface", "name"};
    const auto found = nearest(word, candidates);
    return expected == nullptr ? !found : found == std::string(expected);
}

} // namespace

TEST_GROUP(Text){};

TEST(Text, TrimTakesWhiteSpaceOfBothEndsOnly) {
    same("a b", trim(" \t\r\n a b \v\f"));
    same("", trim(" \n"));
    same("\xc2\xa0x", trim("\xc2\xa0x"));
}

TEST(Text, CaseChangesAsciiOnly) {
    same("aäz", lower("AäZ"));
    same("ÄAZ", upper("Äaz"));
    CHECK(starts_with_nocase("MTU: 9000", "mtu"));
    CHECK_FALSE(starts_with_nocase("mt", "mtu"));
}

TEST(Text, SplitKeepsEmptyPartsAndWordsDoesNot) {
    CHECK(split("a,,b,", ',') == (std::vector<std::string>{"a", "", "b", ""}));
    CHECK(split("", ',') == std::vector<std::string>{""});
    CHECK(words("  a \t b\n") == (std::vector<std::string>{"a", "b"}));
    CHECK(words(" ").empty());
    same("a, , b", join(std::vector<std::string>{"a", "", "b"}, ", "));
    same("", join({}, ", "));
}

TEST(Text, HexGoesThereAndBack) {
    const std::vector<std::uint8_t> bytes = {0x00, 0x9f, 0xff};
    same("009fff", to_hex(bytes));
    CHECK(from_hex("009FfF") == bytes);
    CHECK(from_hex("") == std::vector<std::uint8_t>{});
}

TEST(Text, HexRefusesOddLengthsAndOtherLetters) {
    for (const char* wrong : {"0", "0g", "0x", " 0", "00 ", "-1"}) CHECK_FALSE(from_hex(wrong));
}

TEST(Text, DecimalTakesWhatFits) {
    CHECK(parse_decimal("0") == 0u);
    CHECK(parse_decimal("18446744073709551615") == UINT64_MAX);
}

TEST(Text, DecimalRefusesSignsSpacesLeadingZerosAndOverflow) {
    for (const char* wrong : {"", "00", "01", "+1", "-1", " 1", "1 ", "0x1", "1_0", "1.0",
                              "18446744073709551616", "99999999999999999999999"}) {
        CHECK_FALSE(parse_decimal(wrong));
    }
}

TEST(Text, Utf8TakesEveryWholeCharacter) {
    CHECK(is_utf8(""));
    CHECK(is_utf8("a\tß€😀\xf4\x8f\xbf\xbf\xed\x9f\xbf\xee\x80\x80"));
    CHECK(is_utf8(std::string_view("\0", 1)));
}

TEST(Text, Utf8RefusesOverlongSurrogatesTornAndTooLarge) {
    for (const char* wrong :
         {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80",
          "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xe2\x82g"}) {
        CHECK_FALSE(is_utf8(wrong));
    }
}

TEST(Text, ValidUtf8ReplacesBadBytesAndControls) {
    same("a\tß", to_valid_utf8("a\tß"));
    same("a\xef\xbf\xbd"
         "b",
         to_valid_utf8("a\xff"
                       "b"));
    same("\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd", to_valid_utf8("\x1b[31m\n\x7f"));
    same("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", to_valid_utf8("\xed\xa0\x80"));
    same("\xef\xbf\xbd", to_valid_utf8("\xc2\x9b")); // C1: a terminal may take it for ESC [
    same("\xef\xbf\xbd", to_valid_utf8(std::string_view("\0", 1)));
}

TEST(Text, NaturalOrderReadsDigitsByValue) {
    CHECK(natural_less("enp2s0", "enp10s0"));
    CHECK(natural_less("a99999999999999999999998", "a99999999999999999999999"));
    CHECK(natural_less("a", "a0"));
    CHECK_FALSE(natural_less("a10", "a9"));
}

TEST(Text, NaturalOrderIsTotal) {
    std::vector<std::string> names = {"",    "0",  "00", "a",   "a0",   "a1",   "a01",  "a001",
                                      "a1b", "a2", "a9", "a10", "a10b", "a1.2", "a1-2", "\xff",
                                      "b",   "A",  "1a", "01a", "a01b", "a1c"};
    for (const auto& a : names) {
        CHECK_FALSE(natural_less(a, a));
        for (const auto& b : names) {
            if (a != b) CHECK(natural_less(a, b) != natural_less(b, a));
            for (const auto& c : names) {
                if (natural_less(a, b) && natural_less(b, c)) CHECK(natural_less(a, c));
            }
        }
    }
}

TEST(Text, NearestFindsTyposAndOtherCase) {
    CHECK(near("adress", "address"));
    CHECK(near("addresses", "address"));
    CHECK(near("vlan_id", "vlanId"));
    CHECK(near("VLANID", "vlanId"));
    CHECK(near("mut", "mtu"));
    CHECK(near("nmae", "name"));
}

TEST(Text, NearestFindsNothingFarAway) {
    CHECK(near("gateway", nullptr));
    CHECK(near("", nullptr));
    CHECK(near("a", nullptr));
    CHECK(near("mbx", nullptr));
    CHECK(near(std::string(5000, 'a').c_str(), nullptr));
    CHECK_FALSE(nearest("x", {}));
}

TEST(Text, LabelTakesLowerCaseDigitsAndInnerHyphens) {
    for (const char* good : {"a", "0", "rack-12", "a--b"}) CHECK(is_label(good));
    CHECK(is_label(std::string(63, 'a')));
}

TEST(Text, LabelRefusesTheRest) {
    for (const char* bad : {"", "-", "-a", "a-", "A", "a.b", "a_b", "ä", "a b"}) {
        CHECK_FALSE(is_label(bad));
    }
    CHECK_FALSE(is_label(std::string(64, 'a')));
}

TEST(Text, TimesGoThereAndBack) {
    same("2026-11-30T12:00:00Z", format_time(1796040000));
    same("1970-01-01T00:00:00Z", format_time(0));
    same("1969-12-31T23:59:59Z", format_time(-1));
    for (const std::int64_t at : {std::int64_t{0}, std::int64_t{951782400}, std::int64_t{-1},
                                  std::int64_t{253402300799}, std::int64_t{-62167219200}}) {
        CHECK(parse_time(format_time(at)) == at);
    }
    same("9999-12-31T23:59:59Z", format_time(INT64_MAX));
    same("0000-01-01T00:00:00Z", format_time(INT64_MIN));
}

TEST(Text, TimeRefusesOtherShapesAndDaysThatAreNot) {
    for (const char* wrong :
         {"", "2026-11-30", "2026-11-30T12:00:00", "2026-11-30T12:00:00z", "2026-11-30 12:00:00Z",
          "2026-11-30T12:00:00.5Z", "2026-11-30T12:00:00+00:00", "2026-02-29T00:00:00Z",
          "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
          "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z",
          "2026-01-0aT00:00:00Z", "-026-01-01T00:00:00Z"}) {
        CHECK_FALSE(parse_time(wrong));
    }
    CHECK(parse_time("2028-02-29T00:00:00Z").has_value());
}

TEST(Text, DisksAreShownInDecimalUnits) {
    same("0 B", human_bytes_decimal(0));
    same("999 B", human_bytes_decimal(999));
    same("1.00 kB", human_bytes_decimal(1000));
    same("1.92 TB", human_bytes_decimal(1920383410176));
    same("15.4 TB", human_bytes_decimal(15360950534144));
    same("480 GB", human_bytes_decimal(480103981056));
    same("1.00 TB", human_bytes_decimal(999999999999));
    same("18.4 EB", human_bytes_decimal(UINT64_MAX));
}

TEST(Text, MemoryIsShownInBinaryUnits) {
    same("1023 B", human_bytes_binary(1023));
    same("8.0 GiB", human_bytes_binary(8589934592));
    same("503.6 GiB", human_bytes_binary(540736946176));
    same("1.0 GiB", human_bytes_binary(1073741823));
    same("16.0 EiB", human_bytes_binary(UINT64_MAX));
}
