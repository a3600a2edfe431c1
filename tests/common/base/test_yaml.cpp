#include "common/base/document.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

void one(std::string_view text, const Finding& expected, bool has_root = true) {
    const std::string shown(text.substr(0, 200));
    const Parsed parsed = parse_yaml(text);
    CHECK_EQUAL_TEXT(1u, parsed.findings.size(), shown.c_str());
    if (parsed.findings.size() != 1) return;
    const Finding& finding = parsed.findings.all()[0];
    STRCMP_EQUAL_TEXT(expected.field.c_str(), finding.field.c_str(), shown.c_str());
    STRCMP_CONTAINS_TEXT(expected.message.c_str(), finding.message.c_str(), shown.c_str());
    LONGS_EQUAL_TEXT(expected.at.value_or(Position{}).line, finding.at.value_or(Position{}).line,
                     shown.c_str());
    LONGS_EQUAL_TEXT(expected.at.value_or(Position{}).column,
                     finding.at.value_or(Position{}).column, shown.c_str());
    CHECK_EQUAL_TEXT(has_root, parsed.root.has_value(), shown.c_str());
}

void broken(std::string_view text, Position at, const char* message = "this is not YAML: ") {
    one(text, {"", message, at}, false);
}

Node good(std::string_view text) {
    const Parsed parsed = parse_yaml(text);
    const auto lines = parsed.findings.lines();
    CHECK_TEXT(lines.empty(), lines.empty() ? "" : lines[0].c_str());
    CHECK_TEXT(parsed.root.has_value(), std::string(text).c_str());
    return parsed.root.value_or(Node());
}

// As the value of a member.
Node value_of(const std::string& scalar) {
    const Node node = good("a: " + scalar + "\n");
    return node.find("a") == nullptr ? Node::string("(nothing)") : *node.find("a");
}

void refused(const std::string& scalar, const char* message) {
    one("k:\n  - " + scalar + "\n", {"k[0]", message, Position{2, 5}});
    CHECK(value_of("\"" + scalar + "\"") == Node::string(scalar));
    CHECK(value_of("'" + scalar + "'") == Node::string(scalar));
}

} // namespace

TEST_GROUP(Yaml){};

TEST(Yaml, ReadsEveryKind) {
    const Node node = good("# a comment\n"
                           "N1: null\nm: ~\ne:\nt: true\nF: FALSE\ni: -7\np: +5\nd: 1.5\ns: x y\n"
                           "a: [1, []]\nl:\n- b\n- c: 1\n  d: 2\no: {k: {}}\n");
    CHECK(node.find("N1")->is_null() && node.find("m")->is_null() && node.find("e")->is_null());
    CHECK(node.find("t")->as_bool() && node.find("F")->kind() == Node::Kind::kBool);
    CHECK(node.find("i")->as_int() == -7 && node.find("p")->as_int() == 5);
    DOUBLES_EQUAL(1.5, node.find("d")->as_double(), 0);
    STRCMP_EQUAL("x y", node.find("s")->as_string().c_str());
    STRCMP_EQUAL(R"([1,[]])", write_json(*node.find("a")).c_str());
    STRCMP_EQUAL(R"(["b",{"c":1,"d":2}])", write_json(*node.find("l")).c_str());
    STRCMP_EQUAL(R"({"k":{}})", write_json(*node.find("o")).c_str());
}

TEST(Yaml, ReadsJsonToo) {
    CHECK(good("{\"a\": [1, \"x\", null, true], \"b\": {}}\n") ==
          *parse_json("{\"a\": [1, \"x\", null, true], \"b\": {}}").root);
}

TEST(Yaml, ReadsBlocksQuotesAndCarriageReturns) {
    CHECK(value_of("|\n  x\n   y\n\n  z\n") == Node::string("x\n y\n\nz\n"));
    CHECK(value_of("|-\n  x\n") == Node::string("x"));
    CHECK(value_of(">\n  x\n  y\n") == Node::string("x y\n"));
    CHECK(value_of("\"\\u00e9\\t\\x41\\U0001F600\"") == Node::string("é\tA😀"));
    CHECK(value_of("'it''s'") == Node::string("it's"));
    CHECK(good("a: 1\r\nb: x\r\n") ==
          Node::object({{"a", Node::integer(1)}, {"b", Node::string("x")}}));
    CHECK(good("--- {a: 1}\n...\n").is_object());
}

TEST(Yaml, PlainTextStaysText) {
    for (const char* text : {"eth0",
                             "10.20.0.11/24",
                             "10.20.0.11",
                             "1.2.3",
                             "25.03.0-1ubuntu1",
                             "fd00::1",
                             "::1",
                             "aa:bb:cc:dd:ee:ff",
                             "a-b",
                             "https://h:8443/x",
                             "0xg",
                             "12:61:00:ff",
                             "12:5x",
                             "12:60",

                             "nil",
                             "Null2",
                             "truee",
                             "None",
                             "inf",
                             "nan",
                             "e5",
                             "1e",
                             "1.5e",
                             "1-2",
                             "+",
                             ".",
                             "..",
                             "-x",
                             "2026-11",
                             "2026-11-30x",
                             "a#b",
                             "yesterday",
                             "_1",

                             "é",
                             "😀"}) {
        CHECK_TEXT(value_of(text) == Node::string(text), text);
    }
}

TEST(Yaml, NumbersAreDecimal) {
    CHECK(value_of("0") == Node::integer(0));
    CHECK(value_of("-0") == Node::integer(0));
    CHECK(value_of("9223372036854775807") == Node::integer(INT64_MAX));
    CHECK(value_of("-9223372036854775808") == Node::integer(INT64_MIN));
    CHECK(value_of("25.03") == Node::number(25.03));
    CHECK(value_of("0.5") == Node::number(0.5));
    CHECK(value_of(".5") == Node::number(0.5));
    CHECK(value_of("5.") == Node::number(5));
    CHECK(value_of("-1.5e+3") == Node::number(-1500));
}

TEST(Yaml, NumbersWithLeadingZerosAreRefused) {
    for (const char* text : {"010", "-010", "+010", "00", "08", "007.5", "00.5"}) {
        refused(text, "leading zeros");
    }
}

TEST(Yaml, NumbersOfOtherBasesAreRefused) {
    for (const char* text : {"0o17", "0x1F", "-0x1f", "0b11", "0X1F", "0x_1", "0O7"}) {
        refused(text, "decimal only");
    }
}

TEST(Yaml, NumbersWithUnderscoresAreRefused) {
    for (const char* text : {"1_000", "-1_000", "1_0.5", "1_"}) refused(text, "underscores");
}

TEST(Yaml, NumbersOfBase60AreRefused) {
    for (const char* text : {"12:30:00", "1:2", "-1:30", "52:54:00:12:34:56", "190:20:30.15"}) {
        refused(text, "base 60");
    }
}

TEST(Yaml, OldBooleansAreRefused) {
    for (const char* text : {"yes", "no", "on", "off", "Yes", "NO", "On", "OFF", "y", "N"}) {
        refused(text, "true or false");
    }
}

TEST(Yaml, DatesAndHalfNumbersAreRefused) {
    for (const char* text :
         {"2026-11-30", "2026-1-1", "2026-11-30T12:00:00Z", "2026-11-30 12:00"}) {
        refused(text, "date");
    }
    for (const char* text : {"1e5", "12E4", "1.5e3", "1e+5"}) refused(text, "some for text");
    for (const char* text : {"<<", "="}) refused(text, "a meaning of its own");
}

TEST(Yaml, InfinityNanAndOverflowAreRefused) {
    for (const char* text : {".inf", "-.inf", "+.INF", ".nan", ".NaN"}) refused(text, "finite");
    refused("9223372036854775808", "64 bits");
    refused("-9223372036854775809", "64 bits");
    refused("99999999999999999999999", "64 bits");
    refused("1.0e+400", "out of range");
}

TEST(Yaml, DuplicateKeysAreFindingsAtAnyDepth) {
    one("a: 1\na: 2\n", {"a", "given twice, the first on line 1", Position{2, 1}});
    one("links:\n  - mtu: 1\n    mtu: 2\n",
        {"links[0].mtu", "given twice, the first on line 2", Position{3, 5}});
    one("'a': 1\nb: 1\n\"a\": 2\n", {"a", "given twice", Position{3, 1}});
    one("{a: 1, a: 2}", {"a", "given twice", Position{1, 8}});
}

TEST(Yaml, KeysMustBeText) {
    one("5: x\n", {"", "the key 5: is no text", Position{1, 1}});
    one("a:\n  yes: x\n", {"a", "the key yes: some readers", Position{2, 3}});
    one("010: x\n", {"", "the key 010: ", Position{1, 1}});
    one("true: x\n", {"", "the key true: ", Position{1, 1}});
    one("~: x\n", {"", "the key null: is no name", Position{1, 1}});
    one(": x\n", {"", "the key null: is no name", Position{1, 1}});
    one("? [a, b]\n: 1\n", {"", "no name; write one word", Position{1, 3}});
    one("? {a: b}\n: 1\nc: 2\n", {"", "no name; write one word", Position{1, 3}});
    CHECK(good("\"on\": 1\n'5': 2\n").members().size() == 2);
}

TEST(Yaml, AnchorsAreRefused) {
    one("a: &x 1\n", {"a", "anchors", Position{1, 4}});
    one("a:\n  - &x {b: 1}\n", {"a[0]", "anchors", Position{2, 5}});
    one("&x a: 1\n", {"", "anchors", Position{1, 1}});
    one("a: &x [1]\n", {"a", "anchors", Position{1, 4}});
    one("a: &x\n", {"a", "anchors", Position{1, 1}}); // an empty value stands at its key
}

TEST(Yaml, AliasesAndMergeKeysAreRefused) {
    const Parsed parsed = parse_yaml("a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n");
    const auto& all = parsed.findings.all();
    CHECK_EQUAL(4u, all.size());
    CHECK(all[1].field == "c" && all[1].at == (Position{2, 4}));
    STRCMP_CONTAINS("aliases", all[1].message.c_str());
    CHECK(all[2].field == "d" && all[2].at == (Position{4, 3}));
    STRCMP_CONTAINS("merge keys", all[2].message.c_str());
    CHECK(all[3].field == "d.<<" && all[3].at == (Position{4, 7}));
    broken("a: *x\n", {1, 4});
}

TEST(Yaml, AliasesDoNotMultiply) {
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 20; ++i) {
        std::string line = "aN: &aN [*aM, *aM, *aM, *aM]\n";
        for (std::size_t at = 0; (at = line.find_first_of("NM", at)) != std::string::npos;) {
            line.replace(at, 1, std::to_string(line[at] == 'N' ? i : i - 1));
        }
        text += line;
    }
    CHECK(parse_yaml(text).findings.size() > 20);
}

TEST(Yaml, TagsAreRefused) {
    one("a: !!str 1\n", {"a", "tags", Position{1, 4}});
    one("a: ! 1\n", {"a", "tags", Position{1, 4}});
    one("a: !x \"q\"\n", {"a", "tags", Position{1, 4}});
    one("a: !<tag:yaml.org,2002:int> 1\n", {"a", "tags", Position{1, 4}});
    one("a:\n- !!map {}\n", {"a[0]", "tags", Position{2, 3}});
    one("a: !!seq [1]\n", {"a", "tags", Position{1, 4}});
    one("a: !!null\n", {"a", "tags", Position{1, 4}});
    one("!!str a: 1\n", {"", "tags", Position{1, 1}});
}

TEST(Yaml, ASecondDocumentIsRefused) {
    const char* const message = "only one is taken";
    broken("a: 1\n---\nb: 2\n", {2, 1}, message);
    broken("a: 1\n...\nb: 2\n", {3, 1}, message);
    broken("[1] x", {1, 5}, message);
    broken("---\n---\n", {2, 1}, message);
    CHECK(good("---\na: 1\n...\n").is_object());
}

TEST(Yaml, DirectivesAreRefused) {
    broken("%YAML 1.1\n---\na: 1\n", {1, 1}, "directives");
    broken("# c\n\n%TAG ! x\n---\na: 1\n", {3, 1}, "directives");
    CHECK(value_of("\"%x\"") == Node::string("%x"));
}

TEST(Yaml, AnEmptyTextIsRefused) {
    for (const char* text : {"", "\n \n", "# only a comment\n"}) {
        broken(text, {1, 1}, "the document is empty; YAML was needed");
    }
    CHECK(good("---\n").is_null());
}

TEST(Yaml, BadBytesAreRefused) {
    broken("\xef\xbb\xbf"
           "a: 1\n",
           {1, 1}, "byte order mark");
    broken("a: \xef\xbb\xbf"
           "1\n",
           {1, 4}, "byte order mark");
    broken("a: 1\nb: \xff\n", {2, 4}, "not UTF-8");
    broken("a: \xc0\xaf\n", {1, 4}, "not UTF-8");
    broken("a: \xed\xa0\x80\n", {1, 4}, "not UTF-8");
    broken(std::string_view("a: 1\0", 5), {1, 5}, "NUL");
    broken("a: \x04\nb: 2\n", {1, 4}, "control character");
    broken("a: \x1b[31m\n", {1, 4}, "control character");
    broken("a: 1\rb: 2\n", {1, 5}, "carriage return");
    broken("a: 1\r", {1, 5}, "carriage return");
    broken("\xff\xfe\x61", {1, 1}, "not UTF-8");
    one("a: \"\\0\"\n", {"a", "U+0000", Position{1, 4}});
}

TEST(Yaml, BrokenTextIsOneFindingAtItsPlace) {
    broken("a: b: c\n", {1, 5});
    broken("a: 1\n b: 2\n", {2, 3});
    broken("[1, 2", {1, 1});
    broken("{a: 1", {1, 1});
    broken("\"abc", {1, 5});
    broken("a: 'abc", {1, 8});
    broken("a: @x\n", {1, 4});
    broken("a: `x\n", {1, 4});
    broken("a: \"x\" \"y\"\n", {1, 8});
    broken("a: - b\n", {1, 4});
    broken("a: 1\n]\n", {2, 1});
    broken("a: \"\\q\"\n", {1, 7});
    broken("a: \"\\ud800\"\n", {1, 11});
    for (const char* text :
         {"a:\n\tb: 1\n", "- a\nb: 1\n", "a: 1\n- b\n", "a: \"b\"c\n", "[a]]", "a: {b: 1}c\n"}) {
        CHECK_FALSE_TEXT(parse_yaml(text).root.has_value(), text);
    }
    CHECK_FALSE(parse_yaml("{a: 1,, b: 2}").findings.empty());
    one("[a,,b]", {"[1]", "empty", Position{1, 4}});
}

TEST(Yaml, AQuoteMustBeClosed) {
    broken("a: \"x\n", {1, 4}, "never closed");
    broken("a: 1\nb: 'it''s\n", {2, 4}, "never closed");
    broken("a: 1\n'b\n", {2, 1}, "never closed");
    CHECK(value_of("'it''s'") == Node::string("it's"));
    CHECK(value_of("\"a\\\"\\\\\"") == Node::string("a\"\\"));
    CHECK(value_of("\"a\n  b\"") == Node::string("a b"));
}

TEST(Yaml, AColonMustFollowEachKey) {
    broken("a: \"x\"\nnam", {2, 1}, "a colon must follow the key");
    broken("a: |\n  x\n'b'\n", {3, 1});
    broken("{a, b: 1}", {1, 2}, "a colon must follow the key");
    broken("? a\n? b\n", {1, 3}, "a colon must follow the key");
    CHECK(good("? a\n# why\n: 1\nb : 2\n\"c\" : 3\n").members().size() == 3);
}

TEST(Yaml, AKeyStandsOnOneLine) {
    broken("? a\n  b\n: 1\n", {1, 3}, "one line");
    broken("? |\n  a\n: 1\n", {1, 3}, "one line");
    broken("? \"a\n  b\"\n: 1\n", {1, 3}, "one line");
}

TEST(Yaml, AValueStandsDeeperThanItsKey) {
    broken("disks:\nnam #\n", {2, 1}, "deeper");
    broken("disks:\nnam", {2, 1});
    broken("a:\n  b:\n  'c'\n", {3, 3}, "deeper");
    broken("a:\n[1]\n", {2, 1}, "deeper");
    CHECK(good("a:\n  b\nc:\n- 1\nd:\n  [1]\n").members().size() == 3);
    CHECK(good("{\"a\":\n1}") == Node::object({{"a", Node::integer(1)}}));
}

TEST(Yaml, WhatReadersDisagreeOnIsRefused) {
    broken("a: \"x\n\n  y\"\n", {1, 4}, "blank lines within quotes");
    broken("a: '\n \n'\n", {1, 4}, "blank lines within quotes");
    broken("a: >+\n  x\n\n", {1, 4}, ">+");
    broken("a: >2+\n  x\n\n", {1, 4}, ">+");
    broken("a: >\n  x\n  ", {3, 1}, "only white space");
    broken("a: 1\n%x: 2\n", {2, 1}, "begins with %");
    CHECK(value_of(">-\n  x+\n  y\n") == Node::string("x+ y"));
    CHECK(value_of("|+\n  x\n\n") == Node::string("x\n\n\n"));
}

TEST(Yaml, AllFindingsAreCollected) {
    const Parsed parsed = parse_yaml("a: 010\nb: yes\na: 1\nc: [1_0, !x y2]\n");
    CHECK(parsed.findings.lines().size() == 5);
    CHECK(parsed.root.has_value());
}

TEST(Yaml, DepthHasALimit) {
    const auto nested = [](int levels) {
        const auto count = static_cast<std::size_t>(levels);
        return std::string(count, '[') + std::string(count, ']');
    };
    CHECK(good(nested(32)).is_array());
    CHECK_FALSE(parse_yaml(nested(33)).root.has_value());
    CHECK_FALSE(parse_yaml(nested(2'000)).root.has_value());
    STRCMP_CONTAINS("too deep", parse_yaml(std::string(2'000, '[')).findings.lines()[0].c_str());
    std::string dashes;
    for (int i = 0; i < 2'000; ++i) dashes += "- ";
    const Parsed parsed = parse_yaml(dashes);
    CHECK_FALSE(parsed.root.has_value());
    STRCMP_CONTAINS("too deep", parsed.findings.lines()[0].c_str());
    std::string questions;
    for (int i = 0; i < 2'000; ++i) questions += "? ";
    CHECK_FALSE(parse_yaml(questions).root.has_value());
}

TEST(Yaml, SizeAndValuesHaveLimits) {
    CHECK(parse_yaml("[123]", {.max_bytes = 5}).root.has_value());
    CHECK_FALSE(parse_yaml("[1234]", {.max_bytes = 5}).root.has_value());
    CHECK(parse_yaml("[1, 2]", {.max_nodes = 3}).root.has_value());
    CHECK_FALSE(parse_yaml("[1, 2, 3]", {.max_nodes = 3}).root.has_value());
}

TEST(Yaml, EveryValueKnowsItsPlace) {
    const Node node = good("a:\n  - 1\n  - b: \"x\"\n    é: 2\n  -\nc: # nothing\nd: {e: [f]}\n");
    CHECK(node.position() == (Position{1, 1}));
    const Node& list = *node.find("a");
    CHECK(list.position() == (Position{2, 3}));
    CHECK(list.key_position() == (Position{1, 1}));
    CHECK(list.items()[0].position() == (Position{2, 5}));
    CHECK(list.items()[1].find("b")->position() == (Position{3, 8}));
    CHECK(list.items()[1].find("é")->position() == (Position{4, 9})); // bytes
    CHECK(list.items()[2].position() == (Position{5, 3}));
    CHECK(node.find("c")->position() == (Position{6, 1}));
    CHECK(node.find("d")->find("e")->items()[0].position() == (Position{7, 9}));
}
