#include "common/compat/pins.hpp"
#include "tests/common/compat/pins_text.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

std::string with(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    CHECK_TRUE_TEXT(at != std::string::npos, from.c_str());
    return text.replace(at, from.size(), to);
}

// The base's text with one thing spoiled: refused, with a finding at that field and line.
void refused(const std::string& from, const std::string& to, const char* field, const char* words) {
    Findings findings;
    const auto pins = read_pins(with(kPinsText, from, to), "", findings);
    CHECK_FALSE_TEXT(pins.has_value(), to.c_str());
    CHECK_FALSE(findings.empty());
    STRCMP_EQUAL(field, findings.all().front().field.c_str());
    STRCMP_CONTAINS(words, findings.all().front().message.c_str());
}

Pins merged(const char* site) {
    Findings findings;
    auto pins = read_pins(kPinsText, site, findings);
    for (const auto& line : findings.lines()) FAIL(line.c_str());
    return *pins;
}

} // namespace

TEST_GROUP(CompatPins){};

TEST(CompatPins, AreReadWhole) {
    const Pins pins = merged("");
    LONGS_EQUAL(4, pins.components.size());
    STRCMP_EQUAL("17.2", pins.components[0].pin->str().c_str());
    CHECK_TRUE(pins.components[2].required);
    CHECK_FALSE(pins.components[3].required);
    STRCMP_EQUAL("25.03", pins.components[2].tested_against.c_str());
    CHECK_TRUE(pins.constraints[0].mismatch == Fit::kUnsupported);
}

TEST(CompatPins, ASitesFileReplacesAddsAndDropsById) {
    const Pins pins =
        merged("version: 1\n"
               "components:\n"
               "  - {id: postgres, class: shipped, pinned: 'postgres:18.0'}\n"
               "  - {id: ceph, drop: true}\n"
               "  - {id: etcd, class: host, range: '>=3.5', probe: {argv: [etcd, --version], "
               "output: 'etcd Version: {version}'}}\n");
    LONGS_EQUAL(4, pins.components.size());
    STRCMP_EQUAL("18.0", pins.components[0].pin->str().c_str());
    STRCMP_EQUAL("etcd", pins.components[3].id.c_str());
}

TEST(CompatPins, ASiteCannotDropWhatAConstraintNames) {
    Findings findings;
    const auto pins = read_pins(
        kPinsText, "version: 1\ncomponents:\n  - {id: ovn-central, drop: true}\n", findings);
    CHECK_FALSE(pins.has_value());
    STRCMP_CONTAINS("names the component ovn-central, which there is not",
                    findings.all().front().message.c_str());
}

TEST(CompatPins, EachFaultIsAtItsField) {
    refused("id: ceph", "id: Ceph", "components[3].id", "is no id");
    refused("id: ceph", "id: postgres", "components[3].id", "twice");
    refused("class: shipped", "class: sold", "components[0].class", "shipped");
    refused("postgres:17.2", "postgres", "components[0].pinned", "names no version");
    refused("postgres:17.2", "postgres:latest", "components[0].pinned", "not a version");
    refused("range: \">=17\"", "range: \"17\"", "components[3].range", "no comparator");
    refused("range: \">=17\"", "x-note: none", "components[3].range", "is missing");
    refused("testedAgainst: \"25.03\"", "testedAgainst: \"24.03\"", "components[2].testedAgainst",
            "outside");
    refused("output: \"ceph version {version}\"", "output: ceph", "components[3].probe.output",
            "{version}");
    refused("argv: [ceph, --version]", "argv: []", "components[3].probe.argv", "needs a program");
    refused("probe: {argv: [ceph, --version], output: \"ceph version {version}\"}", "x-a: b",
            "components[3].probe", "is missing");
    refused("required: false", "requird: false", "components[3].requird", "required");
    refused("version: 1", "version: 2", "version", "1");
    refused("ovn-central.major_minor ==", "ovn-centrl.major_minor ==",
            "constraints.ovn-central-controller-match.rule", "did you mean ovn-central");
}

TEST(CompatPins, AFaultInARuleHasItsLineAndColumn) {
    Findings findings;
    const auto text =
        with(kPinsText, "major_minor == ovn-controller", "major_minor ovn-controller");
    CHECK_FALSE(read_pins(text, "", findings).has_value());
    const Finding& finding = findings.all().front();
    STRCMP_EQUAL("constraints[0].rule", finding.field.c_str());
    CHECK_TRUE(finding.at.has_value());
    LONGS_EQUAL(18, finding.at->line);
    LONGS_EQUAL(11 + 24, finding.at->column);
}

TEST(CompatPins, WhatIsNoYamlIsAFinding) {
    Findings findings;
    CHECK_FALSE(read_pins("a: [", "", findings).has_value());
    CHECK_FALSE(findings.empty());
}
