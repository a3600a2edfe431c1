#include "common/base/document.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

// Exactly one finding, at this field and place, with this in its message.
void one(std::string_view text, const Finding& expected, bool has_root = true) {
    const std::string shown(text.substr(0, 200));
    const Parsed parsed = parse_json(text);
    CHECK_EQUAL_TEXT(1u, parsed.findings.size(), shown.c_str());
    if (parsed.findings.size() != 1) return;
    const Finding& finding = parsed.findings.all()[0];
    STRCMP_EQUAL_TEXT(expected.field.c_str(), finding.field.c_str(), shown.c_str());
    STRCMP_CONTAINS_TEXT(expected.message.c_str(), finding.message.c_str(), shown.c_str());
    CHECK_EQUAL_TEXT(expected.at.has_value(), finding.at.has_value(), shown.c_str());
    LONGS_EQUAL_TEXT(expected.at.value_or(Position{}).line, finding.at.value_or(Position{}).line,
                     shown.c_str());
    LONGS_EQUAL_TEXT(expected.at.value_or(Position{}).column,
                     finding.at.value_or(Position{}).column, shown.c_str());
    CHECK_EQUAL_TEXT(has_root, parsed.root.has_value(), shown.c_str());
}

void syntax(std::string_view text, Position at, const char* message = "this is not JSON: ") {
    one(text, {"", message, at}, false);
}

Node good(std::string_view text) {
    const Parsed parsed = parse_json(text);
    CHECK_TEXT(parsed.findings.empty(), std::string(text).c_str());
    CHECK_TEXT(parsed.root.has_value(), std::string(text).c_str());
    return parsed.root.value_or(Node());
}

std::string nested(int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']');
}

} // namespace

TEST_GROUP(Json){};

TEST(Json, ReadsEveryKind) {
    const Node node = good(R"({"n":null,"t":true,"i":-7,"d":1.5,"s":"x","a":[1,[]],"o":{"k":{}}})");
    CHECK(node.find("n")->is_null());
    CHECK(node.find("t")->as_bool());
    CHECK(node.find("i")->as_int() == -7);
    DOUBLES_EQUAL(1.5, node.find("d")->as_double(), 0);
    STRCMP_EQUAL("x", node.find("s")->as_string().c_str());
    CHECK(*node.find("a") == Node::array({Node::integer(1), Node::array()}));
    CHECK(*node.find("o") == Node::object({{"k", Node::object()}}));
    CHECK(node.find("none") == nullptr);
    CHECK(good(" 1 ") == Node::integer(1));
    CHECK(good("\"a\"") == Node::string("a"));
}

TEST(Json, KeepsTheOrderOfMembers) {
    STRCMP_EQUAL(R"({"z":1,"a":2,"m":3})", write_json(good(R"({"z":1,"a":2,"m":3})")).c_str());
}

TEST(Json, ReadsEscapesAndEveryCharacter) {
    CHECK(good(R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀")") == Node::string("\"\\/\b\f\n\r\té😀é😀"));
}

TEST(Json, IntegersReachAcross64Bits) {
    CHECK(good("9223372036854775807") == Node::integer(INT64_MAX));
    CHECK(good("-9223372036854775808") == Node::integer(INT64_MIN));
    CHECK(good("-0") == Node::integer(0));
}

TEST(Json, NumbersPast64BitsOrTheRangeAreFindings) {
    one("[1, 9223372036854775808]", {"[1]", "64 bits", Position{1, 5}});
    one("{\"a\":\n -9223372036854775809}", {"a", "64 bits", Position{2, 2}});
    one("99999999999999999999999999", {"", "64 bits", Position{1, 1}});
    one("[1, 1e400]", {"", "a number is out of range", Position{1, 5}}, false);
}

TEST(Json, AFractionIsNoWholeNumber) {
    CHECK(good("1.0").kind() == Node::Kind::kDouble);
    CHECK(good("1e2").kind() == Node::Kind::kDouble);
    CHECK_FALSE(good("1.0") == good("1"));
}

TEST(Json, DuplicateKeysAreFindingsAtAnyDepth) {
    one(R"({"a":1,"a":2})", {"a", "given twice, the first on line 1", Position{1, 8}});
    one("{\"links\":[{\"mtu\":1,\n  \"mtu\":2}]}",
        {"links[0].mtu", "given twice, the first on line 1", Position{2, 3}});
    one(R"({"a":1,"\u0061":2})", {"a", "given twice", Position{1, 8}});
    CHECK(good(R"([{"a":1},{"a":1},{"b":{"a":1}}])").items().size() == 3);
}

TEST(Json, OfDuplicatesTheFirstStays) {
    CHECK(*parse_json(R"({"a":1,"a":2})").root == Node::object({{"a", Node::integer(1)}}));
}

TEST(Json, AllFindingsAreCollectedInTheirOrder) {
    const Parsed parsed =
        parse_json("{\"a\":1,\"a\":[{\"b\":1,\"b\":2}],\n\"c\":9223372036854775808,\"a\":1}");
    CHECK(parsed.root.has_value());
    CHECK_EQUAL(4u, parsed.findings.size());
    STRCMP_EQUAL("a", parsed.findings.all()[0].field.c_str());
    STRCMP_EQUAL("a[0].b", parsed.findings.all()[1].field.c_str());
    STRCMP_EQUAL("c", parsed.findings.all()[2].field.c_str());
    STRCMP_EQUAL("a", parsed.findings.all()[3].field.c_str());
}

TEST(Json, SyntaxErrorsAreOneFindingAtTheirPlace) {
    syntax(R"({"a" 1})", {1, 6}, "expected ':'");
    syntax("[1,,2]", {1, 4}, "unexpected ','");
    syntax("[1\n 2]", {2, 2});
    syntax("[1,\n nul]", {2, 5}, "invalid literal");
    syntax(R"({"a":1,})", {1, 8}, "unexpected '}'");
    syntax("{'a':1}", {1, 2});
    syntax("{a:1}", {1, 2});
    syntax("{1:2}", {1, 2});
    syntax("// c\n1", {1, 1});
    syntax("/* c */1", {1, 1});
    syntax("[", {1, 2}, "end of input");
    syntax("{\"a\":", {1, 6}, "end of input");
    syntax("\"abc", {1, 5}, "missing closing quote");
    syntax("\"a\nb\"", {1, 3}, "must be escaped");
    syntax("\"a\tb\"", {1, 3}, "must be escaped");
    syntax(R"("\x")", {1, 3});
    syntax("]", {1, 1});
}

TEST(Json, SyntaxErrorsDoNotShowWhatWasRead) {
    const Parsed parsed = parse_json(R"({"password":"hunter2" "x":1})");
    STRCMP_EQUAL("this is not JSON: syntax error while parsing object - unexpected string literal; "
                 "expected '}'",
                 parsed.findings.all()[0].message.c_str());
    CHECK(parse_json(R"({"password":"hunter2)").findings.all()[0].message.find("hunter") ==
          std::string::npos);
}

TEST(Json, WhatStandsBehindTheEndIsRefused) {
    syntax("{} x", {1, 4}, "expected end of input");
    syntax("[1]]", {1, 4}, "expected end of input");
    syntax("1 2", {1, 3}, "expected end of input");
    CHECK(good("{}\n \t\r\n").is_object());
}

TEST(Json, OtherSpellingsOfNumbersAreRefused) {
    for (const char* wrong : {"[01]", "[0x1F]", "[+1]", "[NaN]", "[Infinity]", "[-Infinity]",
                              "[.5]", "[1.]", "[1_000]", "[1e]", "[-]", "[0o17]", "[1.5e+]"}) {
        const Parsed parsed = parse_json(wrong);
        CHECK_FALSE_TEXT(parsed.root.has_value(), wrong);
        CHECK_EQUAL(1u, parsed.findings.size());
    }
}

TEST(Json, AnEmptyTextIsRefused) {
    syntax("", {1, 1}, "the document is empty; JSON was needed");
    syntax(" \r\n\t", {1, 1}, "the document is empty");
}

TEST(Json, AByteOrderMarkIsRefused) {
    syntax("\xef\xbb\xbf{}", {1, 1}, "byte order mark");
    CHECK(good("\"\xef\xbb\xbf\"").as_string().size() == 3);
}

TEST(Json, BadUtf8IsRefusedAtItsByte) {
    syntax("{\"a\":\n\"b\xff\"}", {2, 3}, "not UTF-8");
    syntax("\"\xc0\x80\"", {1, 2}, "not UTF-8");
    syntax("\"\xed\xa0\x80\"", {1, 2}, "not UTF-8");
    syntax("\"\xf4\x90\x80\x80\"", {1, 2}, "not UTF-8");
    syntax("\"\xe2\x82", {1, 2}, "not UTF-8");
}

TEST(Json, LoneSurrogatesAreRefused) {
    for (const char* wrong : {R"("\ud800")", R"("\udc00")", R"("\ud800\ud800")", R"("\ud83dx")"}) {
        CHECK_FALSE_TEXT(parse_json(wrong).root.has_value(), wrong);
    }
}

TEST(Json, NulIsRefusedRawAndEscaped) {
    syntax(std::string_view("{}\0", 3), {1, 3}, "NUL");
    syntax(std::string_view("\"a\0b\"", 5), {1, 3}, "NUL");
    one(R"({"a":["x","\u0000"]})", {"a[1]", "U+0000", Position{1, 11}});
    one(R"({"a\u0000":1})", {"\"a\xef\xbf\xbd\"", "U+0000", Position{1, 2}});
}

TEST(Json, DepthHasALimit) {
    CHECK(good(nested(32)).is_array());
    const Parsed parsed = parse_json(nested(33));
    CHECK_FALSE(parsed.root.has_value());
    CHECK(parsed.findings.all()[0].at == (Position{1, 33}));
    STRCMP_CONTAINS("at most 32 levels", parsed.findings.all()[0].message.c_str());
    CHECK_FALSE(parse_json(std::string(5'000, '[')).root.has_value());
    CHECK_FALSE(parse_json("[1]", {.max_depth = 0}).root.has_value());
}

TEST(Json, SizeHasALimit) {
    CHECK(parse_json("[123]", {.max_bytes = 5}).root.has_value());
    const Parsed parsed = parse_json("[1234]", {.max_bytes = 5});
    CHECK_FALSE(parsed.root.has_value());
    STRCMP_EQUAL("the document has 6 bytes; at most 5 are taken",
                 parsed.findings.lines()[0].c_str());
}

TEST(Json, TheNumberOfValuesHasALimit) {
    CHECK(parse_json("[1,2]", {.max_nodes = 3}).root.has_value());
    const Parsed parsed = parse_json("[1,2,\n3]", {.max_nodes = 3});
    CHECK_FALSE(parsed.root.has_value());
    CHECK(parsed.findings.all()[0].at == (Position{2, 1}));
}

TEST(Json, EveryValueKnowsItsPlace) {
    const Node node = good("{ \"a\" : [ 1,\n\t{\"b\":\"x\\\"y\"}, -2.5 ],\n \"c\":{ }}");
    CHECK(node.position() == (Position{1, 1}));
    CHECK(node.find("a")->position() == (Position{1, 9}));
    CHECK(node.find("a")->key_position() == (Position{1, 3}));
    CHECK(node.find("a")->items()[0].position() == (Position{1, 11}));
    CHECK(node.find("a")->items()[1].find("b")->position() == (Position{2, 7}));
    CHECK(node.find("a")->items()[1].find("b")->key_position() == (Position{2, 3}));
    CHECK(node.find("a")->items()[2].position() == (Position{2, 16}));
    CHECK(node.find("c")->position() == (Position{3, 6}));
    CHECK_FALSE(Node::string("x").position().has_value());
}

TEST_GROUP(JsonWriter){};

TEST(JsonWriter, WritesOneLineOrIndented) {
    Node node;
    node.set("a", Node::array({Node::integer(1), Node::array()})).set("o", Node::object());
    STRCMP_EQUAL(R"({"a":[1,[]],"o":{}})", write_json(node).c_str());
    STRCMP_EQUAL("{\n  \"a\": [\n    1,\n    []\n  ],\n  \"o\": {}\n}",
                 write_json(node, 2).c_str());
}

TEST(JsonWriter, EscapesWhatMustBe) {
    STRCMP_EQUAL(R"("\"\\\n\r\t\u0001\u001fé/)"
                 "\x7f\"",
                 write_json(Node::string("\"\\\n\r\t\x01\x1fé/\x7f")).c_str());
    STRCMP_EQUAL("\"\\u0000\"", write_json(Node::string(std::string(1, '\0'))).c_str());
}

TEST(JsonWriter, ReplacesBadBytes) {
    STRCMP_EQUAL("\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz\xef\xbf\xbd\"",
                 write_json(Node::string("a\xed\xa0\x80z\xff")).c_str());
}

TEST(JsonWriter, NumbersReadBackAsTheyWere) {
    for (const double value :
         {0.0, -0.0, 1.0, 0.1, 1e22, 1e-7, 1.7976931348623157e308, 5e-324, 123456789.125, -2.5}) {
        const Node node = Node::number(value);
        const Parsed json = parse_json(write_json(node));
        CHECK_TEXT(json.root == node, write_json(node).c_str());
    }
    CHECK(Node::number(1e308 * 10).is_null());
}
