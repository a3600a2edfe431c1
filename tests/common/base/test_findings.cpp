#include "common/base/field_path.hpp"
#include "common/base/findings.hpp"
#include "common/base/result.hpp"
#include "common/base/text.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;

namespace {

const FieldPath kRoot;

} // namespace

TEST_GROUP(FieldPaths){};

TEST(FieldPaths, AreBuiltAsPeopleWriteThem) {
    STRCMP_EQUAL("links[0].bond.mode",
                 kRoot.key("links").index(0).key("bond").key("mode").str().c_str());
    STRCMP_EQUAL("[2][3]", kRoot.index(2).index(3).str().c_str());
    CHECK(kRoot.empty());
    STRCMP_EQUAL("größe.x-y_z", kRoot.key("größe").key("x-y_z").str().c_str());
}

TEST(FieldPaths, QuoteNamesThatWouldReadAsSomethingElse) {
    STRCMP_EQUAL("labels.\"a.b\"", kRoot.key("labels").key("a.b").str().c_str());
    STRCMP_EQUAL("\"a[0]\"", kRoot.key("a[0]").str().c_str());
    STRCMP_EQUAL("\"\"", kRoot.key("").str().c_str());
    STRCMP_EQUAL("\"a b\"", kRoot.key("a b").str().c_str());
    STRCMP_EQUAL("\"a\\\"b\"", kRoot.key("a\"b").str().c_str());
}

TEST(FieldPaths, ShowNoControlCharactersAndNoEndlessNames) {
    CHECK(is_utf8(kRoot.key("\xff\n").str()));
    CHECK(kRoot.key("\n").str().find('\n') == std::string::npos);
    const std::string shown = kRoot.key(std::string(63, 'a') + "ßß" + std::string(5000, 'b')).str();
    CHECK(is_utf8(shown));
    STRCMP_EQUAL((std::string(63, 'a') + "…").c_str(), shown.c_str());
    STRCMP_EQUAL(std::string(64, 'a').c_str(), kRoot.key(std::string(64, 'a')).str().c_str());
}

TEST_GROUP(FindingsList){};

TEST(FindingsList, KeepTheirOrderAndNameTheField) {
    Findings findings;
    CHECK(findings.empty());
    findings.add(kRoot.key("name"), "missing", Position{3, 1});
    Findings more;
    more.add(kRoot, "too large");
    findings.append(more);
    CHECK_EQUAL(2u, findings.size());
    CHECK(findings.lines() == (std::vector<std::string>{"name: missing", "too large"}));
    CHECK(findings.all()[0].at == (Position{3, 1}));
    CHECK_FALSE(findings.all()[1].at.has_value());
    findings.append(findings);
    CHECK_EQUAL(4u, findings.size());
}

TEST(FindingsList, KnowWhatIsSpoiledAtAFieldOrBelow) {
    Findings findings;
    findings.add(kRoot.key("links").index(1).key("mtu"), "x");
    CHECK(findings.has_at(kRoot));
    CHECK(findings.has_at(kRoot.key("links")));
    CHECK(findings.has_at(kRoot.key("links").index(1)));
    CHECK(findings.has_at(kRoot.key("links").index(1).key("mtu")));
}

TEST(FindingsList, AreSilentOnNeighbours) {
    Findings findings;
    CHECK_FALSE(findings.has_at(kRoot));
    findings.add(kRoot.key("links").index(11), "x");
    CHECK_FALSE(findings.has_at(kRoot.key("links").index(1)));
    CHECK_FALSE(findings.has_at(kRoot.key("link")));
    CHECK_FALSE(findings.has_at(kRoot.key("links").index(11).key("mtu")));
}

TEST(FindingsList, StopAtTheLimitAndSaySo) {
    Findings findings;
    for (int i = 0; i < 3000; ++i) findings.add(kRoot.index(1), "wrong");
    CHECK_EQUAL(Findings::kMaxFindings + 1, findings.size());
    STRCMP_EQUAL("there are more problems; these are the first 1000",
                 findings.lines().back().c_str());
    Findings others;
    others.append(findings);
    others.append(findings);
    CHECK_EQUAL(Findings::kMaxFindings + 1, others.size());
}

TEST_GROUP(Results){};

TEST(Results, CarryTheirContextOnTheWayUp) {
    const Status low = fail(ErrorCode::kNotFound, "no such file", "key");
    const Status high = fail_in("reading key.pem", low.error());
    CHECK(high.error() == (Error{ErrorCode::kNotFound, "reading key.pem: no such file", "key"}));
}

TEST(Results, NameEveryKindOfError) {
    STRCMP_EQUAL("invalid", std::string(error_code_name(ErrorCode::kInvalid)).c_str());
    STRCMP_EQUAL("not-found", std::string(error_code_name(ErrorCode::kNotFound)).c_str());
    STRCMP_EQUAL("too-large", std::string(error_code_name(ErrorCode::kTooLarge)).c_str());
    STRCMP_EQUAL("internal", std::string(error_code_name(ErrorCode::kInternal)).c_str());
}
