#include "common/compat/expression.hpp"

#include <map>

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

const std::map<std::string, std::string> kVersions = {
    {"ovn-central", "25.03.1"}, {"ovn-controller", "25.03.0-1ubuntu1"}, {"ovs", "3.5.0~beta1"}};

std::optional<Version> version_of(const std::string& id) {
    const auto found = kVersions.find(id);
    if (found == kVersions.end()) return std::nullopt;
    return *Version::parse(found->second);
}

Outcome outcome_of(const char* rule) {
    const auto parsed = Expression::parse(rule);
    CHECK_TRUE(parsed.has_value());
    return parsed->evaluate(version_of);
}

void holds(const char* rule) {
    CHECK_TEXT(outcome_of(rule).truth == Truth::kYes, rule);
}
void fails(const char* rule) {
    CHECK_TEXT(outcome_of(rule).truth == Truth::kNo, rule);
}
void is_open(const char* rule, const char* unknown) {
    const Outcome outcome = outcome_of(rule);
    CHECK_TEXT(outcome.truth == Truth::kUnknown, rule);
    CHECK_FALSE(outcome.unknown.empty());
    STRCMP_EQUAL(unknown, outcome.unknown.front().c_str());
}
void refused_at(const char* rule, std::size_t offset, const char* words) {
    const auto parsed = Expression::parse(rule);
    CHECK_FALSE_TEXT(parsed.has_value(), rule);
    LONGS_EQUAL_TEXT(offset, parsed.error().offset, rule);
    STRCMP_CONTAINS(words, parsed.error().message.c_str());
}

} // namespace

TEST_GROUP(CompatExpression){};

TEST(CompatExpression, ComparesTwoComponentsByTheirMinorRelease) {
    holds("ovn-central.major_minor == ovn-controller.major_minor");
    fails("ovn-central == ovn-controller");
    fails("ovn-central.major_minor != ovn-controller.major_minor");
}

TEST(CompatExpression, EachSignMeansWhatAPackagerExpects) {
    holds("ovs < 3.5.0");
    holds("ovs <= 3.5.0");
    holds("ovs > 3.4");
    holds("ovs >= 3.5.0~beta1");
    holds("ovs != 3.5.0");
    fails("ovs == 3.5.0");
    fails("ovs > 3.5.0");
    fails("ovs >= 3.5.0");
    holds("ovs < 5.14.0-503.el9_5.x86_64 and ovs < 9_1");
    holds("ovs.major == 3");
    holds("ovs.major_minor == \"3.5\"");
}

TEST(CompatExpression, ARangeIsAskedWithIn) {
    holds("ovn-central in \">=25.03 <26.00\"");
    fails("ovn-central in \">=24.03 <25.00\"");
}

TEST(CompatExpression, NotBindsTighterThanAndAndThatTighterThanOr) {
    holds("ovs > 3 or ovs > 4 and ovs > 5");
    fails("(ovs > 3 or ovs > 4) and ovs > 5");
    holds("not ovs > 4 and ovs > 3");
    fails("not (ovs > 4 or ovs > 3)");
    holds("not not ovs > 3");
}

TEST(CompatExpression, AnUnknownVersionLeavesOpenWhatItDecides) {
    is_open("ovn-central == ceph", "ceph");
    is_open("not ceph > 17", "ceph");
    is_open("ceph in \">=17\"", "ceph");
    is_open("ovs > 3 and ceph > 17", "ceph");
    is_open("ovs > 4 or ceph > 17", "ceph");
}

TEST(CompatExpression, ABadReleaseIsLeftOutWithAllItsPackages) {
    const auto is_left_out = [](const char* version) {
        const auto rule = Expression::parse("not it in \">=25.03.1 <25.03.2~\"");
        return rule->evaluate([&](const auto&) { return *Version::parse(version); }).truth ==
               Truth::kNo;
    };
    for (const char* bad : {"25.03.1", "25.3.1", "25.03.1-2", "25.03.1+dfsg-2ubuntu1"})
        CHECK_TRUE_TEXT(is_left_out(bad), bad);
    for (const char* good : {"25.03.0", "25.03.1~rc1", "25.03.2~rc1", "25.03.2"})
        CHECK_FALSE_TEXT(is_left_out(good), good);
}

TEST(CompatExpression, APreReleaseIsKeptOutByATilde) {
    const VersionRange open = *VersionRange::parse(">=25.03 <26.00");
    const VersionRange closed = *VersionRange::parse(">=25.03 <26~");
    for (const char* version : {"26", "26.00~rc1", "26.0~rc1"}) {
        CHECK_TRUE_TEXT(open.contains(*Version::parse(version)), version);
        CHECK_FALSE_TEXT(closed.contains(*Version::parse(version)), version);
    }
    CHECK_TRUE(closed.contains(*Version::parse("25.12.9")));
}

TEST(CompatExpression, AnUnknownVersionDoesNotMatterWhereTheRestDecides) {
    holds("ovs > 3 or ceph > 17");
    fails("ovs > 4 and ceph > 17");
}

TEST(CompatExpression, NamesItsComponentsOnceInOrder) {
    const auto parsed = Expression::parse("b.major == a.major and (b > 1 or not c > 2)");
    const auto names = parsed->components();
    LONGS_EQUAL(3, names.size());
    STRCMP_EQUAL("b", names[0].c_str());
    STRCMP_EQUAL("a", names[1].c_str());
    STRCMP_EQUAL("c", names[2].c_str());
}

TEST(CompatExpression, RefusesEachFaultWhereItStands) {
    refused_at("", 0, "ends here");
    refused_at("ovs", 3, "one of ==");
    refused_at("ovs ==", 6, "a component's id or a version");
    refused_at("ovs = 3", 4, "one of ==");
    refused_at("ovs.minor == 3", 4, "major_minor");
    refused_at("ovs == 3 ovn-central", 9, "the end of the rule");
    refused_at("(ovs == 3", 9, "a closing bracket");
    refused_at("ovs in 3", 7, "a range in quotes");
    refused_at("ovs in \"3.5\"", 7, "no comparator");
    refused_at("ovs in \">=3", 7, "a closing quote");
    refused_at("and == 3", 0, "a component's id or a version");
    refused_at("ovs == 3 and", 12, "a component's id or a version");
    refused_at("ovs == 3-", 7, "not a version");
    refused_at("ovs == 3 \xff", 9, "the end of the rule");
}

TEST(CompatExpression, RefusesWhatIsTooLongOrTooDeep) {
    const std::string deep = std::string(40, '(') + "ovs > 3" + std::string(40, ')');
    CHECK_FALSE(Expression::parse(deep).has_value());
    const std::string fits = std::string(30, '(') + "ovs > 3" + std::string(30, ')');
    CHECK_TRUE(Expression::parse(fits).has_value());
    CHECK_FALSE(Expression::parse("ovs > 3" + std::string(1000, ' ')).has_value());
}
