#include "common/compat/report.hpp"
#include "tests/common/compat/pins_text.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

Detection version(const char* text) {
    Detection detection;
    detection.version = *Version::parse(text);
    return detection;
}

Detection absent() {
    Detection detection;
    detection.is_absent = true;
    return detection;
}

} // namespace

TEST_GROUP(CompatReport) {
    Pins pins;
    Detections detections{{"ovn-controller", version("25.03.0-1ubuntu1")}, {"ceph", absent()}};

    void setup() override {
        Findings findings;
        pins = *read_pins(kPinsText, "", findings);
    }
    Report report() {
        return judge(pins, detections, "0.6.0");
    }
    ComponentReport component(const char* id) {
        for (const auto& one : report().components)
            if (one.id == id) return one;
        FAIL("no such component");
        return {};
    }
};

TEST(CompatReport, IsOkWhereEverythingFits) {
    CHECK_TRUE(report().overall == Fit::kOk);
    STRCMP_EQUAL("", component("ovn-controller").note.c_str());
    STRCMP_EQUAL("25.03.0-1ubuntu1", component("ovn-controller").detected->c_str());
    STRCMP_EQUAL("17.2", component("postgres").detected->c_str());
    CHECK_TRUE(report().constraints[0].status == Fit::kOk);
}

TEST(CompatReport, OutsideTheRangeIsUnsupportedAndSaysWhatToDo) {
    detections["ovn-controller"] = version("26.00");
    CHECK_TRUE(component("ovn-controller").status == Fit::kUnsupported);
    STRCMP_EQUAL("it is 26.00, needed is >=25.03 <26.00; install ovn-host of 25.03",
                 component("ovn-controller").note.c_str());
    CHECK_TRUE(report().overall == Fit::kUnsupported);
}

TEST(CompatReport, CentralAndControllerOutOfStepIsUnsupportedAndNamesBoth) {
    detections["ovn-controller"] = version("25.09.0");
    CHECK_TRUE(component("ovn-controller").status == Fit::kOk);
    const auto constraint = report().constraints[0];
    CHECK_TRUE(constraint.status == Fit::kUnsupported);
    STRCMP_CONTAINS("ovn-central is 25.03.1, ovn-controller is 25.09.0", constraint.note.c_str());
    CHECK_TRUE(report().overall == Fit::kUnsupported);
}

TEST(CompatReport, AnAbsentRequiredProgramIsAWarning) {
    detections["ovn-controller"] = absent();
    CHECK_TRUE(component("ovn-controller").status == Fit::kWarn);
    CHECK_FALSE(component("ovn-controller").detected.has_value());
    STRCMP_EQUAL("ovn-controller is not installed, needed is >=25.03 <26.00; install ovn-host of "
                 "25.03",
                 component("ovn-controller").note.c_str());
    CHECK_TRUE(report().constraints[0].status == Fit::kWarn);
    STRCMP_CONTAINS("the version of ovn-controller is not known",
                    report().constraints[0].note.c_str());
}

TEST(CompatReport, AnAbsentOptionalProgramIsOkAndOneThatCannotBeReadIsNot) {
    CHECK_TRUE(component("ceph").status == Fit::kOk);
    CHECK_FALSE(component("ceph").detected.has_value());
    detections["ceph"] = Detection{{}, false, "ceph --version did not answer within 2 s"};
    CHECK_TRUE(component("ceph").status == Fit::kWarn);
    STRCMP_CONTAINS("did not answer", component("ceph").note.c_str());
}

TEST(CompatReport, WhatIsThereButCannotBeReadIsNotToBeInstalled) {
    detections["ovn-controller"] = Detection{{}, false, "it ended with exit code 1", "look at it"};
    STRCMP_EQUAL("it ended with exit code 1, needed is >=25.03 <26.00; look at it",
                 component("ovn-controller").note.c_str());
}

TEST(CompatReport, EachNoteSaysWhatToDoEvenWhereThePinsDoNot) {
    for (auto& one : pins.components) one.advice.clear();
    for (auto& one : pins.constraints) one.advice.clear();
    detections["ceph"] = version("16");
    for (const Detection& controller :
         {absent(), version("27.0"), Detection{}, Detection{{}, false, "it hangs"}}) {
        detections["ovn-controller"] = controller;
        const Report all = report();
        for (const auto& one : all.components)
            CHECK_EQUAL(one.status == Fit::kOk, one.note.find("; ") == std::string::npos);
        CHECK_TRUE(all.constraints[0].note.find("; ") != std::string::npos);
    }
}

TEST(CompatReport, NoNoteIsLongerThanAReaderTakes) {
    detections["ovn-controller"] = Detection{{}, false, std::string(9000, 'x') + "\xff"};
    Findings findings;
    const Report there = report();
    CHECK_TRUE(read_report(to_node(there), {}, findings) == there);
    CHECK_TRUE(findings.empty());
}

TEST(CompatReport, ARuleOverAnOptionalProgramThatIsAbsentDoesNotConcernThisMachine) {
    pins.constraints[0].rule = *Expression::parse("ceph >= 18 and ovn-controller >= 25");
    CHECK_TRUE(report().constraints[0].status == Fit::kOk);
    STRCMP_EQUAL("", report().constraints[0].note.c_str());
    // It does where the program is there and cannot be read, or where another one is not known.
    detections["ceph"].is_absent = false;
    CHECK_TRUE(report().constraints[0].status == Fit::kWarn);
    detections["ceph"].is_absent = true;
    detections["ovn-controller"] = absent();
    CHECK_TRUE(report().constraints[0].status == Fit::kWarn);
    STRCMP_EQUAL("it cannot be said: the version of ovn-controller is not known; mend that first",
                 report().constraints[0].note.c_str());
    // What is false whatever it may be stays false.
    detections["ovn-controller"] = version("24.09");
    CHECK_TRUE(report().constraints[0].status == Fit::kUnsupported);
}

TEST(CompatReport, AnOlderReleasesOwnJudgementIsHeldAgainstTheClustersPins) {
    Findings findings;
    const Pins older = *read_pins(kPinsText,
                                  "version: 1\n"
                                  "components:\n"
                                  "  - {id: ovn-central, class: shipped, pinned: 'c:24.09.1'}\n"
                                  "  - {id: ovn-controller, class: host, range: '>=24.03',\n"
                                  "     probe: {argv: [o], output: 'o {version}'}}\n",
                                  findings);
    detections["ovn-controller"] = version("24.09.3");
    const Report theirs = judge(older, detections, "0.5.0");
    CHECK(theirs.overall == Fit::kOk); // by itself
    const Report held = held_against(theirs, pins);
    CHECK(held.overall == Fit::kUnsupported);
    CHECK(held.components == theirs.components);
    LONGS_EQUAL(1, held.constraints.size());
    CHECK(held.constraints[0].status == Fit::kUnsupported);
    STRCMP_CONTAINS("by the founder's pins ovn-central is 25.03.1, ovn-controller is 24.09.3: that "
                    "does not fit together; bring both to one minor release; that machine's own",
                    held.constraints[0].note.c_str());
    // In step with the cluster, and not with its own pins: it stays as it says.
    detections["ovn-controller"] = version("25.03.1");
    const Report behind = judge(older, detections, "0.5.0");
    CHECK(behind.overall == Fit::kUnsupported);
    CHECK(held_against(behind, pins) == behind);
}

TEST(CompatReport, WhatFitsIsNotChangedByHoldingItAgainstThePins) {
    CHECK(held_against(report(), pins) == report());
    detections["ovn-controller"] = absent(); // a warning of both
    CHECK(held_against(report(), pins) == report());
    Report without = report();
    without.constraints.clear();
    without.components[2].status = Fit::kOk; // one that its pins make optional
    CHECK(held_against(without, pins).constraints.empty());
}

TEST(CompatReport, AReportThatLeavesTheRuleOrItsSideOutIsNotOk) {
    const Report nothing{"0.6.0", Fit::kOk, {}, {}};
    const Report held = held_against(nothing, pins);
    CHECK(held.overall == Fit::kWarn);
    LONGS_EQUAL(1, held.constraints.size());
    STRCMP_EQUAL("ovn-central-controller-match", held.constraints[0].id.c_str());
    STRCMP_CONTAINS("the version of ovn-controller is not known", held.constraints[0].note.c_str());
    Report in_step = report();
    in_step.constraints.clear();
    CHECK(held_against(in_step, pins) == in_step);
    in_step.components[2].detected = "24.09.1";
    CHECK(held_against(in_step, pins).overall == Fit::kUnsupported);
    // What is no version is not known, whatever its row says.
    in_step.components[2].detected = "new";
    CHECK(held_against(in_step, pins).overall == Fit::kWarn);
    // No report can say that a shipped one is left out.
    in_step.components[1].detected.reset();
    in_step.components[2].detected = "24.09.1";
    CHECK(held_against(in_step, pins).overall == Fit::kUnsupported);
}

TEST(CompatReport, ANoteStandsWhereARowIsNotOkAndThereAlone) {
    Report odd = report();
    odd.components[0].note = "all is well";
    odd.components[2].status = Fit::kWarn;
    odd.constraints[0].note = "very well";
    Findings findings;
    const Report read = read_report(to_node(odd), {}, findings);
    CHECK_TRUE(findings.empty());
    STRCMP_EQUAL("", read.components[0].note.c_str());
    STRCMP_EQUAL("it does not say why; see on that machine", read.components[2].note.c_str());
    STRCMP_EQUAL("", read.constraints[0].note.c_str());
}

TEST(CompatReport, WhatNobodyAskedIsNotKnown) {
    detections.clear();
    CHECK_TRUE(component("ceph").status == Fit::kWarn);
    CHECK_TRUE(component("ovn-controller").status == Fit::kWarn);
}

TEST(CompatReport, GoesThroughJsonAndBack) {
    detections["ovn-controller"] = version("25.09.0");
    Findings findings;
    const Report there = report();
    const Report back = read_report(to_node(there), {}, findings);
    CHECK_TRUE(findings.empty());
    CHECK_TRUE(there == back);
}

TEST(CompatReport, AReadReportsOverallIsWorkedOutAnew) {
    detections["ovn-controller"] = version("25.09.0");
    Node node = to_node(report());
    node.set("overallStatus", "ok");
    Findings findings;
    CHECK_TRUE(read_report(node, {}, findings).overall == Fit::kUnsupported);
}

TEST(CompatReport, ASpoiledReportIsRefusedAtItsField) {
    Node node = to_node(report());
    node.set("constraints", Node::array({Node::object({{"id", Node::string("a")}})}));
    Findings findings;
    read_report(node, {}, findings);
    STRCMP_EQUAL("constraints[0].rule", findings.all().front().field.c_str());
}

TEST(CompatReport, TheFleetIsAsBadAsItsWorstNodeAndAbsentWithoutSamples) {
    const Report own = report();
    CHECK_TRUE(fleet_node(own, {}).find("fleetOverallStatus") == nullptr);
    LONGS_EQUAL(0, fleet_node(own, {}).find("nodes")->items().size());
    detections["ovn-controller"] = version("25.09.0");
    const Node fleet = fleet_node(own, {{"node-2", 1'700'000'000, report()}});
    STRCMP_EQUAL("ok", fleet.find("overallStatus")->as_string().c_str());
    STRCMP_EQUAL("unsupported", fleet.find("fleetOverallStatus")->as_string().c_str());
    const Node& node = fleet.find("nodes")->items().front();
    STRCMP_EQUAL("node-2", node.find("nodeId")->as_string().c_str());
    STRCMP_EQUAL("2023-11-14T22:13:20Z", node.find("sampledAt")->as_string().c_str());
}
