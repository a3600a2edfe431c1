#include "common/compat/output_pattern.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

std::string found(const char* pattern, const std::string& output) {
    const auto parsed = OutputPattern::parse(pattern);
    CHECK_TRUE_TEXT(parsed.has_value(), pattern);
    const auto version = parsed->find(output);
    return version ? version->str() : "none";
}

} // namespace

TEST_GROUP(CompatOutputPattern){};

TEST(CompatOutputPattern, FindsTheVersionsOfRealPrograms) {
    STRCMP_EQUAL("3.1.0", found("ovs-vswitchd (Open vSwitch) {version}",
                                "ovs-vswitchd (Open vSwitch) 3.1.0\nDPDK 22.11.3\n")
                              .c_str());
    STRCMP_EQUAL(
        "252.39-1~deb12u1",
        found("systemd * ({version})", "systemd 252 (252.39-1~deb12u1)\n+PAM +AUDIT\n").c_str());
    STRCMP_EQUAL(
        "2.03.16",
        found("LVM version: {version}(2)", "  LVM version:     2.03.16(2) (2022-05-18)\n").c_str());
    STRCMP_EQUAL("4.2",
                 found("mdadm - {version}", "mdadm - v4.2 - 2021-12-30 - Debian 4.2-5\n").c_str());
    STRCMP_EQUAL("6.1.0-50-amd64", found("{version}", "6.1.0-50-amd64\n").c_str());
    STRCMP_EQUAL("7.2.22", found("QEMU emulator version {version}",
                                 "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)\r\n")
                               .c_str());
}

TEST(CompatOutputPattern, AnotherProgramsVersionIsNotTaken) {
    STRCMP_EQUAL("none",
                 found("ovn-controller {version}", "ovs-vswitchd (Open vSwitch) 3.1.0\n").c_str());
    STRCMP_EQUAL("none", found("ovn-controller {version}", "my ovn-controller 25.03.0\n").c_str());
}

TEST(CompatOutputPattern, ALaterLineMayHoldIt) {
    STRCMP_EQUAL("25.03.0",
                 found("ovn-controller {version}", "warning: x\novn-controller 25.03.0\n").c_str());
}

TEST(CompatOutputPattern, TwoVersionsInLinesThatFitAreBothGiven) {
    const auto both = [](const char* pattern, const std::string& output) {
        std::string text;
        for (const auto& one : OutputPattern::parse(pattern)->find_two(output))
            text += one.str() + " ";
        return text;
    };
    const char* const pattern = "ovn-controller {version}";
    STRCMP_EQUAL("25.03.1 24.09.1 ",
                 both(pattern, "ovn-controller 25.03.1\nelse\novn-controller 24.09.1\n").c_str());
    STRCMP_EQUAL("25.03.1 24.09.1 ",
                 both(pattern, "ovn-controller 25.03.1\novn-controller 25.03.1\n"
                               "ovn-controller 24.09.1\novn-controller 9\n")
                     .c_str());
    STRCMP_EQUAL("25.03.1 ", both(pattern, "ovn-controller 25.03.1\nDPDK 24.09\n").c_str());
    STRCMP_EQUAL("", both(pattern, "nothing\n").c_str());
    // It does not say whose version it is.
    STRCMP_EQUAL("8.4.4 ", both("{version}", "8.4.4\n2023 by its authors\n").c_str());
}

TEST(CompatOutputPattern, WhatIsNoVersionIsNotTaken) {
    STRCMP_EQUAL("none", found("ovn-controller {version}", "ovn-controller unknown\n").c_str());
    STRCMP_EQUAL("none", found("ovn-controller {version}", "ovn-controller \n").c_str());
    STRCMP_EQUAL("none", found("ovn-controller {version}", "").c_str());
    STRCMP_EQUAL("none", found("x {version}", std::string("x \0\xff\xfe", 5)).c_str());
}

TEST(CompatOutputPattern, AStopBehindTheVersionIsNoPartOfIt) {
    STRCMP_EQUAL("1.2.3", found("x {version}", "x 1.2.3.\n").c_str());
}

TEST(CompatOutputPattern, ALineOfAnyLengthIsReadOnlySoFar) {
    STRCMP_EQUAL("none", found("x {version}", std::string(5'000'000, ' ') + "x 1\n").c_str());
    STRCMP_EQUAL("none", found("a* b* c* {version}", std::string(900, 'a') + "\n").c_str());
}

TEST(CompatOutputPattern, AVersionAtTheCutOfALineIsNotTaken) {
    const std::string before = std::string(996, ' ').replace(0, 1, "a");
    STRCMP_EQUAL("none", found("a* {version}", before + "25.03\n").c_str());
    STRCMP_EQUAL("25.0", found("a* {version}", before + "25.0\n").c_str());
}

TEST(CompatOutputPattern, AStarTakesTheFirstPlaceWhereTheRestFits) {
    STRCMP_EQUAL("1", found("a* {version}", "a x 1 y 2\n").c_str());
    STRCMP_EQUAL("2", found("a*y {version}", "a y x y 2 y 3\n").c_str());
    STRCMP_EQUAL("252.39", found("a * ({version})", "a (b) (252 (252.39)\n").c_str());
    STRCMP_EQUAL("none", found("a*b*c {version}", "a c b 1\n").c_str());
}

TEST(CompatOutputPattern, WhatManyStarsCouldTryWithoutEndIsTriedOnce) {
    std::string lines;
    for (int i = 0; i < 1000; ++i) lines += std::string(999, 'a') + "\n";
    STRCMP_EQUAL("none", found("a*a*a*ab {version}", lines).c_str());
}

TEST(CompatOutputPattern, AKernelOfAnRpmIsReadWhole) {
    STRCMP_EQUAL("5.14.0-503.11.1.el9_5.x86_64",
                 found("{version}", "5.14.0-503.11.1.el9_5.x86_64\n").c_str());
}

TEST(CompatOutputPattern, AKernelOfChangedSourcesKeepsItsPlus) {
    STRCMP_EQUAL("6.1.0+", found("{version}", "6.1.0+\n").c_str());
}

TEST(CompatOutputPattern, RefusesPatternsThatSayNothing) {
    CHECK_FALSE(OutputPattern::parse("").has_value());
    CHECK_FALSE(OutputPattern::parse("ovs").has_value());
    CHECK_FALSE(OutputPattern::parse("*{version}").has_value());
    CHECK_FALSE(OutputPattern::parse("{version} {version}").has_value());
    CHECK_FALSE(OutputPattern::parse(std::string(300, 'x') + "{version}").has_value());
    CHECK_FALSE(OutputPattern::parse("a*b*c*d* {version}").has_value());
}
