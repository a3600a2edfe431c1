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

TEST(CompatPins, ASiteAddsAComponentAndAConstraintInAFewLines) {
    const Pins pins = merged("version: 1\n"
                             "components:\n"
                             "  - id: frr\n"
                             "    class: host\n"
                             "    probe: {argv: [vtysh, --version], output: 'vtysh {version}'}\n"
                             "    range: '>=8.4'\n"
                             "constraints:\n"
                             "  - {id: frr-and-ceph, rule: frr >= 9 or ceph < 18}\n");
    STRCMP_EQUAL("frr", pins.components.back().id.c_str());
    STRCMP_EQUAL("frr-and-ceph", pins.constraints.back().id.c_str());
    LONGS_EQUAL(2, pins.constraints.size());
}

TEST(CompatPins, ASiteReplacesAConstraintInItsPlace) {
    const Pins pins = merged("version: 1\n"
                             "constraints:\n"
                             "  - id: ovn-central-controller-match\n"
                             "    rule: ovn-central.major == ovn-controller.major\n"
                             "    mismatch: warn\n");
    LONGS_EQUAL(1, pins.constraints.size());
    CHECK_TRUE(pins.constraints[0].mismatch == Fit::kWarn);
    STRCMP_EQUAL("", pins.constraints[0].advice.c_str());
}

TEST(CompatPins, EverythingWrongInASitesFileIsSaidAtOnceAtItsLine) {
    Findings findings;
    const auto pins = read_pins(kPinsText,
                                "version: 1\n"
                                "components:\n"
                                "  - {id: ceph, class: host, range: 17, colour: red}\n"
                                "  - {id: cepf, drop: true}\n"
                                "constraints:\n"
                                "  - {id: a, rule: \"ceph = 17\"}\n"
                                "  - {id: b, rule: ceph >= 17 and postgrs < 18}\n"
                                "  - {id: c, rule: ceph >= 17, mismatch: ok}\n",
                                findings);
    CHECK_FALSE(pins.has_value());
    std::string text;
    for (const auto& one : findings.all()) {
        CHECK_TRUE_TEXT(one.at.has_value(), one.message.c_str());
        text += std::to_string(one.at->line) + ":" + std::to_string(one.at->column) + " " +
                one.field + "\n";
    }
    STRCMP_EQUAL("3:5 components[0].probe\n"
                 "3:36 components[0].range\n"
                 "3:40 components[0].colour\n"
                 "6:25 constraints[0].rule\n"
                 "8:41 constraints[2].mismatch\n"
                 "4:5 components[1].id\n"
                 "7:19 constraints.b.rule\n",
                 text.c_str());
}

TEST(CompatPins, AFaultInAFoldedRuleStandsAtItsStart) {
    Findings findings;
    read_pins(kPinsText,
              "version: 1\nconstraints:\n  - id: a\n    rule: >-\n      ceph\n      = 17\n",
              findings);
    LONGS_EQUAL(4, findings.all().front().at->line);
    LONGS_EQUAL(11, findings.all().front().at->column);
}

TEST(CompatPins, APinWithADigestHasTheVersionOfItsName) {
    const Pins pins = merged("version: 1\ncomponents:\n  - {id: postgres, class: shipped, "
                             "pinned: 'here:5000/postgres:17.4-bookworm@sha256:1234'}\n");
    STRCMP_EQUAL("17.4-bookworm", pins.components[0].pin->str().c_str());
    refused("postgres:17.2", "here:5000/postgres", "components[0].pinned", "not a version");
    refused("postgres:17.2", "postgres@sha256:1234", "components[0].pinned", "names no version");
}

TEST(CompatPins, MoreThanAReportCarriesIsRefused) {
    std::string site = "version: 1\ncomponents:\n";
    for (int i = 0; i < 60; ++i)
        site += "  - {id: c" + std::to_string(i) + ", class: shipped, pinned: 'c:1'}\n";
    LONGS_EQUAL(64, merged(site.c_str()).components.size());
    Findings findings;
    read_pins(kPinsText, site + "  - {id: one-more, class: shipped, pinned: 'c:1'}\n", findings);
    STRCMP_CONTAINS("makes 65 with the build's own", findings.all().front().message.c_str());
    const std::string longer(501, 'x');
    refused("install ovn-host of 25.03", longer, "components[2].advice", "at most 500");
    refused("postgres:17.2", longer + ":1", "components[0].pinned", "at most 500");
    refused("[ceph, ", "[" + longer + ", ", "components[3].probe.argv", "500 bytes");
    std::string range = ">=17";
    while (range.size() <= 500) range += " >=17";
    refused(">=17", range, "components[3].range", "500 bytes");
}

TEST(CompatPins, EachFaultIsAtItsField) {
    refused("id: ceph", "id: Ceph", "components[3].id", "is no id");
    refused("id: ceph", "id: postgres", "components[3].id", "twice");
    refused("id: ceph", "id: ''", "components[3].id", "is no id");
    refused("\"postgres:17.2\"", "''", "components[0].pinned", "names no version");
    refused("rule: ovn-central.major_minor == ovn-controller.major_minor", "rule: ''",
            "constraints[0].rule", "the rule ends here");
    refused("rule: ovn-central.major_minor == ovn-controller.major_minor", "rule: 7",
            "constraints[0].rule", "");
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
    for (const char* relative : {"./ceph", "bin/ceph", "../ceph"})
        refused("argv: [ceph, --version]", std::string("argv: [") + relative + "]",
                "components[3].probe.argv", "whole path from / on");
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
