#include "common/base/reader.hpp"

#include "common/base/net.hpp"

#include <array>

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

constexpr std::array<std::string_view, 3> kKinds = {"ethernet", "bond", "vlan"};

} // namespace

TEST_GROUP(Reader) {
    Parsed parsed;
    Findings& findings = parsed.findings;
    std::optional<ObjectReader> reader;

    ObjectReader& over(std::string_view json, Unknown unknown = Unknown::kRefused) {
        parsed = parse_json(json);
        return reader.emplace(*parsed.root, FieldPath().key("o"), findings, unknown);
    }
    void says(const char* line) {
        CHECK_EQUAL_TEXT(1u, findings.size(), line);
        if (findings.size() == 1) STRCMP_EQUAL(line, findings.lines()[0].c_str());
        findings = Findings();
    }
    void silent() {
        CHECK(findings.empty());
    }
};

TEST(Reader, ReadsEachType) {
    auto& o = over(R"({"s":"x","i":5,"b":false,"w":"bond","l":["a","b"],"ip":"10.0.0.1"})");
    CHECK(o.optional_string("s") == "x");
    CHECK(o.required_int("i", 0, 5) == 5);
    CHECK(o.optional_bool("b") == false);
    CHECK(o.required_word("w", kKinds) == "bond");
    CHECK(o.optional_strings("l") == (std::vector<std::string>{"a", "b"}));
    CHECK(o.optional_parsed<IpAddress>("ip", IpAddress::parse)->str() == "10.0.0.1");
    o.finish();
    silent();
}

TEST(Reader, NullAndAbsentReadAsAbsent) {
    auto& o = over(R"({"n":null})");
    for (const char* name : {"n", "gone"}) {
        CHECK_FALSE(o.has(name));
        CHECK_FALSE(o.optional_string(name).has_value());
        CHECK_FALSE(o.optional_int(name, 0, 1).has_value());
        CHECK_FALSE(o.optional_bool(name).has_value());
        CHECK_FALSE(o.optional_word(name, kKinds).has_value());
        CHECK_FALSE(o.optional_strings(name).has_value());
        CHECK_FALSE(o.optional_parsed<IpAddress>(name, IpAddress::parse).has_value());
        CHECK_FALSE(o.each(name, [](const Node&, const FieldPath&) {}));
        CHECK(o.member(name) == nullptr);
    }
    o.finish();
    silent();
}

TEST(Reader, WhatIsRequiredIsMissing) {
    over(R"({})").required_string("name");
    says("o.name: missing");
    over(R"({"name":null})").required_int("name", 0, 1);
    says("o.name: missing");
    over(R"({})").required_word("kind", kKinds);
    says("o.kind: missing");
}

TEST(Reader, OtherTypesAreFindingsToldOnce) {
    over(R"({"a":25})").required_string("a");
    says("o.a: must be a string, found the number 25; put it in quotes");
    over(R"({"a":true})").optional_string("a");
    says("o.a: must be a string, found true; put it in quotes");
    over(R"({"a":[1]})").optional_string("a");
    says("o.a: must be a string, found a list");
    over(R"({"a":"5"})").required_int("a", 0, 9);
    says("o.a: must be a whole number, found a string");
    over(R"({"a":1.0})").optional_int("a", 0, 9);
    says("o.a: must be a whole number, found a number with a fraction");
    over(R"({"a":"yes"})").optional_bool("a");
    says("o.a: must be true or false, found a string");
    over(R"({"a":{}})").each("a", [](const Node&, const FieldPath&) { FAIL("no list"); });
    says("o.a: must be a list, found an object");
    over(R"({"a":7})").required_word("a", kKinds);
    says("o.a: must be a string, found the number 7; put it in quotes");
}

TEST(Reader, IntegersHaveARange) {
    CHECK(over(R"({"a":1})").optional_int("a", 1, 4094) == 1);
    CHECK(over(R"({"a":4094})").optional_int("a", 1, 4094) == 4094);
    CHECK_FALSE(over(R"({"a":0})").required_int("a", 1, 4094).has_value());
    says("o.a: 0 is not between 1 and 4094");
    over(R"({"a":4095})").optional_int("a", 1, 4094);
    says("o.a: 4095 is not between 1 and 4094");
}

TEST(Reader, WordsAreListedWithTheNearest) {
    over(R"({"k":"bnod"})").optional_word("k", kKinds);
    says("o.k: \"bnod\" is not one of: ethernet, bond, vlan; did you mean bond");
    over(R"({"k":"wifi"})").required_word("k", kKinds);
    says("o.k: \"wifi\" is not one of: ethernet, bond, vlan");
    over(R"({"k":"\u001b[31m"})").optional_word("k", kKinds);
    says("o.k: \"\xef\xbf\xbd[31m\" is not one of: ethernet, bond, vlan");
}

TEST(Reader, ListsOfStringsNameEachWrongElement) {
    auto& o = over(R"({"l":["a",1,null,["b"]]})");
    CHECK_FALSE(o.optional_strings("l").has_value());
    CHECK(findings.lines() == (std::vector<std::string>{
                                  "o.l[1]: must be a string, found the number 1; put it in quotes",
                                  "o.l[2]: must be a string, found null; put it in quotes",
                                  "o.l[3]: must be a string, found a list"}));
    CHECK(over(R"({"l":[]})").optional_strings("l") == std::vector<std::string>{});
}

TEST(Reader, ParsersOfTheirOwnSayWhatIsWrong) {
    CHECK_FALSE(over(R"({"a":"10.0.0.300"})")
                    .optional_parsed<IpAddress>("a", IpAddress::parse)
                    .has_value());
    CHECK_EQUAL(1u, findings.size());
    STRCMP_CONTAINS("o.a: \"10.0.0.300\" is not an IP address", findings.lines()[0].c_str());
}

TEST(Reader, EachGivesElementsWithTheirPaths) {
    std::vector<std::string> seen;
    CHECK(over(R"({"l":[{"a":1},{"b":2}]})").each("l", [&](const Node& item, const FieldPath& at) {
        ObjectReader inner(item, at, findings);
        inner.optional_int("a", 0, 9);
        inner.finish();
        seen.push_back(at.str());
    }));
    CHECK(seen == (std::vector<std::string>{"o.l[0]", "o.l[1]"}));
    says("o.l[1].b: unknown; did you mean a");
}

TEST(Reader, UnknownMembersAreRefusedWithTheNearest) {
    auto& o = over(R"({"adress":"x","x-note":1,"colour":2,"old":3})");
    o.optional_string("address");
    o.ignore("old");
    o.finish();
    CHECK(findings.lines() == (std::vector<std::string>{"o.adress: unknown; did you mean address",
                                                        "o.colour: unknown"}));
}

TEST(Reader, UnknownMembersAreIgnoredWhereAskedFor) {
    auto& o = over(R"({"adress":"x"})", Unknown::kIgnored);
    o.optional_string("address");
    o.finish();
    silent();
}

TEST(Reader, WhatIsNoObjectIsOneFinding) {
    for (const char* json : {"[]", "\"x\"", "5", "null"}) {
        auto& o = over(json);
        CHECK_FALSE(o.is_object());
        o.required_string("a");
        o.required_int("b", 0, 1);
        o.finish();
        CHECK_EQUAL(1u, findings.size());
        STRCMP_CONTAINS("o: must be an object, found ", findings.lines()[0].c_str());
    }
}

TEST(Reader, FindingsKnowTheirPlace) {
    auto& o = over("{\n \"a\": 5,\n  \"zz\": 1,\n \"l\": [\n1]}");
    o.optional_string("a");
    o.required_string("missing");
    o.optional_strings("l");
    o.add("a", "too small");
    o.finish();
    const auto& all = findings.all();
    CHECK_EQUAL(5u, all.size());
    CHECK(all[0].at == (Position{2, 7}));
    CHECK(all[1].at == (Position{1, 1}));
    CHECK(all[2].at == (Position{5, 1}));
    CHECK(all[3].at == (Position{2, 7}));
    CHECK(all[4].at == (Position{3, 3})); // the key
}

TEST(Reader, WhatTheParserRefusedIsNotMissingToo) {
    parsed = parse_yaml("a: 010\nb: [yes]\n");
    ObjectReader top(*parsed.root, {}, findings);
    top.required_string("a");
    top.optional_strings("b");
    top.finish();
    CHECK_EQUAL(2u, findings.size());
    parsed = parse_yaml("[0x1]\n");
    ObjectReader item(parsed.root->items()[0], FieldPath().index(0), findings);
    item.required_string("a");
    CHECK_EQUAL(1u, findings.size());
}

TEST(Reader, TextsForPeopleAreBoundedAndValid) {
    auto& o = over(R"({"fits":"abcd","long":"abcde","odd":"a\u001bb","list":["abcde"]})");
    STRCMP_EQUAL("abcd", o.optional_text("fits", 4).c_str());
    STRCMP_EQUAL("", o.required_text("long", 4).c_str());
    STRCMP_EQUAL("a\xef\xbf\xbd"
                 "b",
                 o.optional_text("odd", 4).c_str());
    STRCMP_EQUAL("", o.optional_text("absent", 4).c_str());
    CHECK_EQUAL(1u, findings.size());
    STRCMP_EQUAL("has 5 bytes, at most 4 are taken", findings.all()[0].message.c_str());
    o.required_text("missing", 4);
    o.bounded_text("list", "abcde", 4);
    CHECK_EQUAL(3u, findings.size());
    STRCMP_EQUAL("o.list", findings.all()[2].field.c_str());
}
