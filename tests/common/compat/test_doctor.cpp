#include "common/compat/doctor.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "tests/common/compat/pins_text.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

// In characters.
std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (const auto& line : split(text, '\n'))
        widest = std::max(
            widest, static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
                return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
            })));
    return widest;
}

} // namespace

TEST_GROUP(CompatDoctor) {
    Pins pins;
    Fleet fleet;
    DoctorStyle style{100, false, 1'000'000, "founder-1"};

    void setup() override {
        Findings findings;
        pins = *read_pins(kPinsText, "", findings);
        fleet.own = with_controller("25.03.0");
    }
    Report with_controller(const char* version) {
        Detections detections;
        detections["ovn-controller"].version = *Version::parse(version);
        detections["ceph"].is_absent = true;
        return judge(pins, detections, "0.6.0");
    }
    DoctorStyle with_columns(int columns) {
        DoctorStyle other = style;
        other.columns = columns;
        return other;
    }
    void add_node(const char* id, const char* controller, std::int64_t age = 0) {
        fleet.samples.push_back({id, style.now - age, with_controller(controller)});
        fleet.overall = fleet.own.overall;
        for (const auto& one : fleet.samples)
            fleet.overall = std::max(*fleet.overall, one.report.overall);
    }
};

TEST(CompatDoctor, ASingleNodeThatIsOk) {
    STRCMP_EQUAL("overall: ok\n"
                 "\n"
                 "COMPONENT       NEEDED               founder-1\n"
                 "postgres        postgres:17.2        17.2\n"
                 "ovn-central     ovn-central:25.03.1  25.03.1\n"
                 "ovn-controller  >=25.03 <26.00       25.03.0\n"
                 "ceph            >=17                 not installed\n",
                 render_doctor(fleet, style).c_str());
    LONGS_EQUAL(0, doctor_exit_code(fleet, style.now));
}

TEST(CompatDoctor, AMachineWithoutItsPrograms) {
    Detections detections;
    detections["ovn-controller"].is_absent = true;
    detections["ceph"].note = "ceph --version did not answer within 2 s";
    detections["ceph"].advice = "run it by hand on that machine and see what holds it up";
    fleet.own = judge(pins, detections, "0.6.0");
    style.columns = 80;
    STRCMP_EQUAL("overall: warn; mend first: ovn-controller on founder-1\n"
                 "\n"
                 "COMPONENT       NEEDED               founder-1\n"
                 "ovn-central     ovn-central:25.03.1  25.03.1\n"
                 "ovn-controller  >=25.03 <26.00       not installed\n"
                 "ceph            >=17                 not known\n"
                 "postgres        postgres:17.2        17.2\n"
                 "\n"
                 "warn ovn-controller on founder-1: ovn-controller is not installed, needed is\n"
                 "    >=25.03 <26.00; install ovn-host of 25.03\n"
                 "warn ceph on founder-1: ceph --version did not answer within 2 s, needed is\n"
                 "    >=17; run it by hand on that machine and see what holds it up\n"
                 "warn ovn-central-controller-match on founder-1: it cannot be said: the version\n"
                 "    of ovn-controller is not known; mend that first\n",
                 render_doctor(fleet, style).c_str());
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now));
}

TEST(CompatDoctor, TheNodeOutOfStepIsNamedWithBothVersionsAndComesFirst) {
    add_node("node-2", "25.03.0");
    add_node("node-3", "25.09.1");
    STRCMP_EQUAL("overall: unsupported (2 nodes); mend first: ovn-central-controller-match on\n"
                 "    node-3\n"
                 "\n"
                 "COMPONENT       NEEDED               node-2         node-3\n"
                 "ovn-controller  >=25.03 <26.00       25.03.0        25.09.1 !\n"
                 "ovn-central     ovn-central:25.03.1  25.03.1        25.03.1 !\n"
                 "postgres        postgres:17.2        17.2           17.2\n"
                 "ceph            >=17                 not installed  not installed\n"
                 "stratum itself                       0.6.0          0.6.0\n"
                 "\n"
                 "unsupported ovn-central-controller-match on node-3: ovn-central is 25.03.1,\n"
                 "    ovn-controller is 25.09.1: that does not fit together; bring both to one\n"
                 "    minor release\n",
                 render_doctor(fleet, with_columns(80)).c_str());
    LONGS_EQUAL(2, doctor_exit_code(fleet, style.now));
}

TEST(CompatDoctor, TheNodeThatAnswersIsShownOnceByItsName) {
    add_node("n-alpha", "25.03.0");
    STRCMP_CONTAINS("overall: ok (1 node)\n", render_doctor(fleet, style).c_str());
    STRCMP_CONTAINS("NEEDED               n-alpha\n", render_doctor(fleet, style).c_str());
    fleet.own = with_controller("25.09.0"); // looked again since that sample
    fleet.overall = Fit::kUnsupported;
    const std::string text = render_doctor(fleet, style);
    STRCMP_CONTAINS("overall: unsupported (founder-1 and 1 node); mend first: ", text.c_str());
    STRCMP_CONTAINS(" founder-1      n-alpha\n", text.c_str());
}

TEST(CompatDoctor, ANodeOfAnotherReleaseOfOursIsSeen) {
    add_node("node-2", "25.03.0");
    fleet.samples[0].report.stratum_version = "0.5.9";
    const std::string text = render_doctor(fleet, style);
    CHECK_TRUE(text.find("\nstratum itself ") < text.find("\npostgres "));
    STRCMP_CONTAINS(" 0.5.9\n", text.c_str());
}

TEST(CompatDoctor, NodesThatReadTheSameShareAColumn) {
    for (const char* id : {"node-2", "node-3", "node-4"}) add_node(id, "25.03.0");
    STRCMP_CONTAINS(" node-2 +2\n", render_doctor(fleet, style).c_str());
    for (const char* id : {"node-5", "node-6"}) add_node(id, "25.04.0");
    STRCMP_CONTAINS(" node-2 +2      node-5 +1\n", render_doctor(fleet, style).c_str());
}

TEST(CompatDoctor, NodesWithTheSameFaultShareALine) {
    for (int i = 2; i < 502; ++i) add_node(("node-" + std::to_string(i)).c_str(), "25.09.1");
    const std::string text = render_doctor(fleet, with_columns(80));
    STRCMP_CONTAINS("\nunsupported ovn-central-controller-match on node-2, node-3, node-4, node-5 "
                    "and\n    496 more: ",
                    text.c_str());
    STRCMP_CONTAINS("node-2 +499\n", text.c_str());
    CHECK_TRUE(std::count(text.begin(), text.end(), '\n') < 20);
}

TEST(CompatDoctor, FiveHundredNodesThatAllDifferStillFit) {
    for (int i = 0; i < 500; ++i)
        add_node(("n-" + std::to_string(i)).c_str(), ("24." + std::to_string(i)).c_str());
    const std::string text = render_doctor(fleet, with_columns(80));
    STRCMP_CONTAINS("more columns that do not fit; --json has all\n", text.c_str());
    STRCMP_CONTAINS("more; --json has all\n", text.c_str());
    LONGS_EQUAL(80, widest_line(text));
}

TEST(CompatDoctor, ANarrowTerminalIsTakenForEightyColumns) {
    add_node("a-node-with-a-long-name-that-does-not-fit", "25.03.0");
    add_node("another-node", "25.09.0");
    add_node("yet-another-node", "25.04.0");
    STRCMP_EQUAL(render_doctor(fleet, with_columns(80)).c_str(),
                 render_doctor(fleet, with_columns(1)).c_str());
    STRCMP_CONTAINS("and 1 more column that does not fit",
                    render_doctor(fleet, with_columns(1)).c_str());
}

TEST(CompatDoctor, ASampleOfThreePeriodsIsStaleAndAnEarlierOneIsNot) {
    add_node("node-2", "25.03.0", 540);
    CHECK_TRUE(render_doctor(fleet, style).find("stale") == std::string::npos);
    add_node("node-3", "25.03.0", 541);
    add_node("node-4", "25.03.0", 3600);
    STRCMP_CONTAINS("\nstale node-3, node-4: last heard of 9 to 60 minutes ago; see whether",
                    render_doctor(fleet, style).c_str());
}

TEST(CompatDoctor, AStaleNodeIsAWarningAndTheVerdictSaysSo) {
    add_node("node-2", "25.03.0", 540);
    LONGS_EQUAL(0, doctor_exit_code(fleet, style.now));
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now + 1));
    add_node("node-3", "25.03.0", 541);
    STRCMP_CONTAINS("overall: warn (2 nodes); mend first: stale is node-3\n",
                    render_doctor(fleet, style).c_str());
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now));
    // What is worse stays worse, and first.
    add_node("node-4", "25.09.1");
    STRCMP_CONTAINS("overall: unsupported (3 nodes); mend first: ovn-central-controller-match on "
                    "node-4\n",
                    render_doctor(fleet, with_columns(120)).c_str());
    LONGS_EQUAL(2, doctor_exit_code(fleet, style.now));
}

TEST(CompatDoctor, AReportOfATimeStillToComeIsStaleBeyondAMinute) {
    add_node("node-2", "25.03.0", -60);
    LONGS_EQUAL(0, doctor_exit_code(fleet, style.now));
    add_node("node-3", "25.03.0", -61);
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now));
    const std::string text = render_doctor(fleet, style);
    STRCMP_CONTAINS("overall: warn (2 nodes); mend first: stale is node-3\n", text.c_str());
    STRCMP_CONTAINS("\nstale node-3: last heard of at a time that is still to come; see whether",
                    text.c_str());
}

TEST(CompatDoctor, AFounderThatDoesNotLookAnyMoreIsStaleToo) {
    fleet.own_at = style.now - 540;
    LONGS_EQUAL(0, doctor_exit_code(fleet, style.now));
    fleet.own_at = style.now - 541;
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now));
    STRCMP_CONTAINS("overall: warn; mend first: stale is founder-1\n",
                    render_doctor(fleet, style).c_str());
    // Where its own is among the samples it is not named twice.
    add_node("n-alpha", "25.03.0", 541);
    STRCMP_CONTAINS("\nstale n-alpha: last heard of 9 minutes ago",
                    render_doctor(fleet, style).c_str());
}

TEST(CompatDoctor, AMemberWithoutAReportIsAWarning) {
    fleet.unreported = 1;
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now));
    STRCMP_CONTAINS("overall: warn; mend first: no report yet from 1 member\n",
                    render_doctor(fleet, style).c_str());
    fleet.unreported_names = {"node-4"};
    const std::string text = render_doctor(fleet, style);
    STRCMP_CONTAINS("overall: warn; mend first: no report yet from node-4\n", text.c_str());
    STRCMP_CONTAINS("\nno report yet from node-4; see whether the machine runs, and its member "
                    "service",
                    text.c_str());
    fleet.unreported = 3;
    STRCMP_CONTAINS("\nno report yet from node-4 and 2 more members; see",
                    render_doctor(fleet, style).c_str());
    // The names alone are enough.
    fleet.unreported = 0;
    LONGS_EQUAL(1, doctor_exit_code(fleet, style.now));
}

TEST(CompatDoctor, ColoursOnlyWhereAsked) {
    add_node("node-3", "25.09.1");
    const std::string plain = render_doctor(fleet, style);
    CHECK_TRUE(plain.find('\x1b') == std::string::npos);
    style.colour = true;
    std::string coloured = render_doctor(fleet, style);
    STRCMP_CONTAINS("\x1b[31m25.09.1 !\x1b[0m", coloured.c_str());
    STRCMP_CONTAINS("\x1b[32m17.2\x1b[0m", coloured.c_str());
    // Without them it is the same picture.
    for (const char* ink : {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"})
        for (auto at = coloured.find(ink); at != std::string::npos; at = coloured.find(ink))
            coloured.erase(at, std::string_view(ink).size());
    STRCMP_EQUAL(plain.c_str(), coloured.c_str());
}

TEST(CompatDoctor, WhatAReportSaysMovesNoCursorAndBreaksNoLine) {
    const std::string evil = "a\x1b[2J\r\n\t\x9b\xc2\x9b" + std::string(300, 'x');
    add_node(evil.c_str(), "25.03.0");
    Report& report = fleet.samples[0].report;
    report.stratum_version = evil;
    report.components[0] = {evil, ComponentClass::kHost, evil, evil, evil, evil, Fit::kWarn, evil};
    report.constraints[0] = {evil, evil, Fit::kUnsupported, evil};
    fleet.overall = Fit::kUnsupported;
    const std::string text = render_doctor(fleet, with_columns(80));
    for (const char* bad : {"\x1b", "\r", "\t", "\x9b\xc2", "\xc2\x9b"})
        CHECK_TRUE(text.find(bad) == std::string::npos);
    CHECK_TRUE(is_utf8(text));
    CHECK_TRUE(widest_line(text) <= 80);
}

TEST(CompatDoctor, TheApisAnswerIsReadBack) {
    add_node("node-2", "25.09.1");
    Findings findings;
    const Fleet back = read_fleet(fleet_node(fleet.own, fleet.samples), findings);
    CHECK_TRUE(findings.empty());
    STRCMP_EQUAL(render_doctor(fleet, style).c_str(), render_doctor(back, style).c_str());
}

TEST(CompatDoctor, AnAnswerThatIsNoneIsRefused) {
    Findings findings;
    read_fleet(Node::object({{"stratumVersion", Node::string("1")}}), findings);
    CHECK_FALSE(findings.empty());
}

TEST(CompatDoctor, MoreNodesThanAreTakenAreAFindingAndNotLeftOut) {
    add_node("node-2", "25.03.0");
    fleet.samples.resize(1001, fleet.samples[0]);
    Findings findings;
    read_fleet(fleet_node(fleet.own, fleet.samples), findings);
    STRCMP_EQUAL("nodes", findings.all().front().field.c_str());
    fleet.samples.resize(1000);
    Findings none;
    LONGS_EQUAL(1000, read_fleet(fleet_node(fleet.own, fleet.samples), none).samples.size());
    CHECK_TRUE(none.empty());
}

TEST(CompatDoctor, ASpoiledSampleIsAFindingAtItsField) {
    add_node("node-2", "25.03.0");
    Node answer = fleet_node(fleet.own, fleet.samples);
    Node node = answer.find("nodes")->items().front();
    node.set("sampledAt", "yesterday");
    answer.set("nodes", Node::array({node}));
    Findings findings;
    read_fleet(answer, findings);
    STRCMP_EQUAL("nodes[0].sampledAt", findings.all().front().field.c_str());
    answer.set("nodes", "none");
    Findings others;
    read_fleet(answer, others);
    STRCMP_EQUAL("nodes", others.all().front().field.c_str());
}
