#include "common/base/document.hpp"

#include <random>

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

const char* const kOddTexts[] = {
    "010",
    "null",
    "~",
    "- x",
    "a: b",
    "",
    " ",
    "  leading",
    "trailing  ",
    "line\nline\n",
    "\n",
    "\n\n x\n",
    "tab\there",
    "\t",
    "é",
    "日本語",
    "😀",
    "yes",
    "No",
    "on",
    "12:30:00",
    "1_000",
    "0x1F",
    "0o17",
    ".inf",
    ".nan",
    "true",
    "True",
    "1e5",
    "1.0",
    "-",
    "--",
    "---",
    "...",
    "--- x",
    "?",
    "? x",
    ":",
    ": x",
    "x:",
    "x :",
    "#",
    "# x",
    "x #y",
    "x#y",
    "&a",
    "*a",
    "!t",
    "!",
    "|",
    ">",
    "%x",
    "@x",
    "`x",
    "'",
    "''",
    "\"",
    "\"\"",
    "'x'",
    "\"x\"",
    "\\",
    "\\n",
    "{",
    "}",
    "{}",
    "[]",
    "[a",
    "a]",
    ",",
    "a,b",
    "<<",
    "=",
    "2026-11-30",
    "2026-11-30T12:00:00Z",
    "52:54:00:12:34:56",
    "52:54:00:ab:cd:ef",
    "10.20.0.11/24",
    "fd00::1",
    "::1",
    "\r",
    "a\r\nb",
    "\x01",
    "\x1b[0m",
    "\x7f",
    "\xc2\x85",
    "\xc2\xa0",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",

    "\xf4\x8f\xbf\xbd",
    "a\tb: c",
    "x-y_z.w/q",
    "-----BEGIN CERTIFICATE-----\nMIIB+/=\n-----END CERTIFICATE-----\n",
    "0",
    "-0",
    "+1",
    "007",
    "9223372036854775808",
    "a  b",
    "a\\",
    "$HOME",
    "C:\\x",
    "key=value",
    "x y",
    "y",
    "n",
    "NULL",
    "Null",
    ".",
    ".5",
    "5.",
    "0b1"};

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    std::size_t below(std::size_t limit) { return engine_() % limit; }

    std::string text() {
        if (below(3) != 0) return kOddTexts[below(std::size(kOddTexts))];
        static constexpr std::string_view kPieces[] = {"a",  "0",  " ", ":", "-", "#", "\n", "'",
                                                       "\"", "\\", "é", "😀", "_", ".", "\t", ","};
        std::string made;
        const std::size_t length = below(12) + (below(40) == 0 ? 1500 : 0);
        for (std::size_t i = 0; i < length; ++i) made += kPieces[below(std::size(kPieces))];
        return made;
    }

    Node scalar() {
        switch (below(6)) {
        case 0:
            return Node();
        case 1:
            return Node::boolean(below(2) == 1);
        case 2:
            return Node::integer(static_cast<std::int64_t>(engine_()) *
                                 (below(2) == 1 ? 1 : -0x7fff'ffff));
        case 3:
            return Node::number(static_cast<double>(engine_()) / 7 *
                                (below(2) == 1 ? 1e-200 : -1e99));
        default:
            return Node::string(text());
        }
    }

    Node tree(int depth) {
        if (depth == 0 || below(4) == 0) return scalar();
        Node node = below(2) == 1 ? Node::array() : Node::object();
        for (std::size_t i = below(5); i > 0; --i) {
            node.is_array() ? node.push(tree(depth - 1)) : node.set(text(), tree(depth - 1));
        }
        return node;
    }

private:
    std::mt19937 engine_;
};

void same_after_yaml(const Node& node) {
    const std::string text = write_yaml(node);
    const Parsed parsed = parse_yaml(text);
    const auto lines = parsed.findings.lines();
    CHECK_TEXT(lines.empty(), ((lines.empty() ? "" : lines[0]) + "\n" + text).c_str());
    CHECK_TEXT(parsed.root == node, (write_json(node) + "\n" + text).c_str());
}

void same_after_json(const Node& node, int indent) {
    const std::string text = write_json(node, indent);
    const Parsed parsed = parse_json(text);
    CHECK_TEXT(parsed.findings.empty() && parsed.root == node, text.c_str());
}

} // namespace

TEST_GROUP(Document){};

TEST(Document, OddTextsReadBackEqualAsValueItemKeyAndWhole) {
    for (const char* text : kOddTexts) {
        const Node value = Node::string(text);
        for (const Node& node : {value, Node::object({{"a", value}}), Node::array({value, value}),
                                 Node::object({{text, value}, {"other", Node::array({value})}})}) {
            same_after_yaml(node);
            same_after_json(node, 0);
            same_after_json(node, 2);
        }
    }
}

TEST(Document, RandomTreesReadBackEqualInBothFormats) {
    for (unsigned seed = 0; seed < 400; ++seed) {
        const Node node = Random(seed).tree(5);
        same_after_yaml(node);
        same_after_json(node, 0);
        same_after_json(node, 2);
    }
}

TEST(Document, LongKeysReadBackEqual) {
    for (const std::size_t length : {100u, 200u, 201u, 1023u, 1024u, 1025u, 5000u}) {
        same_after_yaml(Node::object({{std::string(length, 'k'), Node::object({{"a", Node()}})},
                                      {"b", Node::array({Node::integer(1)})}}));
        same_after_yaml(Node::object({{std::string(length, '\n'), Node::array({Node()})}}));
    }
}

TEST(Document, YamlIsWrittenInBlocksWithQuotesWhereNeeded) {
    Node link;
    link.set("name", "storage").set("vlanId", Node::integer(7)).set("up", Node::boolean(true));
    Node node;
    node.set("links", Node::array({link})).set("none", Node()).set("empty", Node::array());
    node.set("version", "25.03").set("mac", "52:54:00:12:34:56").set("path", "/dev/disk/by-id/x");
    STRCMP_EQUAL("links:\n  - name: storage\n    vlanId: 7\n    up: true\nnone: null\nempty: []\n"
                 "version: \"25.03\"\nmac: \"52:54:00:12:34:56\"\npath: /dev/disk/by-id/x\n",
                 write_yaml(node).c_str());
}

TEST(Document, BadBytesBecomeReplacementsInYamlToo) {
    CHECK(parse_yaml(write_yaml(Node::string("a\xff"
                                             "b\xed")))
              .root == Node::string("a\xef\xbf\xbd"
                                    "b\xef\xbf\xbd"));
    // yaml-cpp writes no noncharacters (here U+FFFE).
    CHECK(parse_yaml(write_yaml(Node::string("\xef\xbf\xbe"))).root ==
          Node::string("\xef\xbf\xbd"));
}

TEST(Document, EqualityLooksAtKindAndValueButNotAtOrderOrPlace) {
    const auto tree = [](std::string_view text) { return *parse_json(text).root; };
    CHECK(tree(R"({"a":1,"b":[2,3]})") == tree("\n{ \"b\":[2,3], \"a\":1}"));
    CHECK_FALSE(tree("[1,2]") == tree("[2,1]"));
    CHECK_FALSE(tree("1") == tree("1.0"));
    CHECK_FALSE(tree("null") == tree("false"));
    CHECK_FALSE(tree("{}") == tree("[]"));
    CHECK_FALSE(tree("{\"a\":1}") == tree("{\"a\":2}"));
    CHECK_FALSE(tree("{\"a\":1}") == tree("{\"b\":1}"));
    CHECK_FALSE(tree("{\"a\":1}") == tree("{\"a\":1,\"b\":1}"));
    CHECK_FALSE(tree("\"1\"") == tree("1"));
}

TEST(Document, BuildingReplacesInPlaceAndRemoves) {
    Node node;
    node.set("a", "1").set("b", Node::integer(2)).set("a", "3");
    node.set_if("c", std::nullopt).set_if("d", std::string("4")).remove("b").remove("none");
    STRCMP_EQUAL(R"({"a":"3","d":"4"})", write_json(node).c_str());
    CHECK(Node().push(Node::integer(1)) == Node::array({Node::integer(1)}));
}

TEST(Document, AsksOfAnotherKindAnswerNothing) {
    const Node text = Node::string("x");
    CHECK_FALSE(text.as_bool());
    CHECK(text.as_int() == 0 && text.items().empty() && text.members().empty());
    CHECK(text.find("x") == nullptr);
    CHECK(Node::integer(5).as_string().empty());
    DOUBLES_EQUAL(5, Node::integer(5).as_double(), 0);
    STRCMP_EQUAL("a list", std::string(Node::array().kind_name()).c_str());
}
