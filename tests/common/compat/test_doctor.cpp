#include "common/compat/doctor.hpp"
#include "tests/common/compat/pins_text.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

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
    void add_node(const char* id, const char* controller, std::int64_t age = 0) {
        fleet.samples.push_back({id, style.now - age, with_controller(controller)});
        fleet.overall = fleet.own.overall;
        for (const auto& one : fleet.samples)
            fleet.overall = std::max(*fleet.overall, one.report.overall);
    }
};

TEST(CompatDoctor, ASingleNodeThatIsOk) {
    STRCMP_EQUAL("COMPONENT       NEEDED               founder-1\n"
                 "postgres        postgres:17.2        17.2\n"
                 "ovn-central     ovn-central:25.03.1  25.03.1\n"
                 "ovn-controller  >=25.03 <26.00       25.03.0\n"
                 "ceph            >=17                 not installed\n"
                 "\n"
                 "overall: ok\n",
                 render_doctor(fleet, style).c_str());
    LONGS_EQUAL(0, doctor_exit_code(fleet));
}

TEST(CompatDoctor, TheNodeOutOfStepIsNamedWithBothVersionsAndComesFirst) {
    add_node("node-2", "25.03.0");
    add_node("node-3", "25.09.1");
    const std::string text = render_doctor(fleet, style);
    STRCMP_CONTAINS("COMPONENT       NEEDED               founder-1      node-3         node-2\n",
                    text.c_str());
    STRCMP_CONTAINS("unsupported  ovn-central-controller-match on node-3: ovn-central is 25.03.1, "
                    "ovn-controller is 25.09.1",
                    text.c_str());
    STRCMP_CONTAINS("bring both to one minor release", text.c_str());
    CHECK_TRUE(text.find("on node-2") == std::string::npos);
    LONGS_EQUAL(2, doctor_exit_code(fleet));
}

TEST(CompatDoctor, WhatDiffersBetweenNodesStandsAboveWhatDoesNot) {
    add_node("node-3", "25.09.1");
    const std::string text = render_doctor(fleet, style);
    CHECK_TRUE(text.find("\novn-controller ") < text.find("\npostgres "));
}

TEST(CompatDoctor, NodesThatReadTheSameShareAColumn) {
    for (const char* id : {"node-2", "node-3", "node-4"}) add_node(id, "25.03.0");
    STRCMP_CONTAINS("node-2 +2\n", render_doctor(fleet, style).c_str());
}

TEST(CompatDoctor, ColumnsThatDoNotFitAreSaid) {
    style.columns = 60;
    add_node("a-node-with-a-long-name", "25.03.0");
    add_node("another-node-of-that-kind", "25.09.0");
    add_node("yet-another-node", "25.04.0");
    const std::string text = render_doctor(fleet, style);
    STRCMP_CONTAINS("more columns that do not fit; --json has them all", text.c_str());
    std::size_t at = 0;
    for (std::size_t end = text.find("\nand "); at < end; at = text.find('\n', at) + 1)
        CHECK_TRUE(text.find('\n', at) - at <= 60);
}

TEST(CompatDoctor, ASampleOfThreePeriodsIsStaleAndAnEarlierOneIsNot) {
    add_node("node-2", "25.03.0", 540);
    CHECK_TRUE(render_doctor(fleet, style).find("stale") == std::string::npos);
    add_node("node-3", "25.03.0", 541);
    STRCMP_CONTAINS("stale  node-3: its sample is 9 minutes old",
                    render_doctor(fleet, style).c_str());
}

TEST(CompatDoctor, ColoursOnlyWhereAsked) {
    add_node("node-3", "25.09.1");
    CHECK_TRUE(render_doctor(fleet, style).find('\x1b') == std::string::npos);
    style.colour = true;
    STRCMP_CONTAINS("\x1b[31m", render_doctor(fleet, style).c_str());
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
