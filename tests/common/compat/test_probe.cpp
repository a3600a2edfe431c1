// Real programs, most of them bad ones.
#include "common/compat/probe.hpp"

#include "common/base/clock.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

namespace {

Component asking(const std::string& script) {
    Component component;
    component.id = "it";
    component.probe = Probe{{"/bin/sh", "-c", script}, *OutputPattern::parse("it {version}")};
    component.range = *VersionRange::parse(">=1");
    return component;
}

Detection detected(const std::string& script) {
    return detect(asking(script), system_processes());
}

void has_no_version(const std::string& script, const std::string& why) {
    const Detection detection = detected(script);
    CHECK_FALSE_TEXT(detection.version.has_value(), script.c_str());
    CHECK_FALSE_TEXT(detection.is_absent, script.c_str());
    STRCMP_CONTAINS(why.c_str(), detection.note.c_str());
    CHECK_FALSE_TEXT(detection.advice.empty(), script.c_str());
}

} // namespace

TEST_GROUP(CompatProbe){};

TEST(CompatProbe, TakesTheVersionFromEitherStream) {
    STRCMP_EQUAL("1.2", detected("echo it 1.2").version->str().c_str());
    STRCMP_EQUAL("1.2", detected("echo it v1.2 >&2").version->str().c_str());
}

TEST(CompatProbe, AnAbsentProgramIsAbsent) {
    Component component = asking("");
    component.probe->argv = {"no-such-program-of-ours"};
    const Detection detection = detect(component, system_processes());
    CHECK_TRUE(detection.is_absent);
    CHECK_FALSE(detection.version.has_value());
}

TEST(CompatProbe, AFailedRunGivesNoVersionEvenWhereItPrintsOne) {
    has_no_version("echo it 1.2; exit 1", "exit code 1");
    has_no_version("echo it 1.2; kill -SEGV $$", "signal 11");
}

TEST(CompatProbe, WhatItSaidInsteadIsShownCutAndHarmless) {
    has_no_version("echo; echo ' no such  file '>&2; exit 1",
                   "exit code 1, it said \"no such  file\"");
    has_no_version("printf '\\033[2J\\r\\n'; exit 1", "it said \"\xef\xbf\xbd[2J\"");
    has_no_version("head -c 5000 /dev/zero | tr '\\0' x", std::string(97, 'x') + "xxx...\"");
    has_no_version("exit 1", "it said nothing");
}

TEST(CompatProbe, TwoVersionsAreNone) {
    has_no_version("echo it 1.2; echo it 1.3", "names two versions, 1.2 and 1.3");
    has_no_version("echo it 1.2 >&2; echo it 1.3 >&2", "names two versions, 1.2 and 1.3");
    STRCMP_EQUAL("1.2", detected("echo it 1.2; echo it 1.2").version->str().c_str());
}

TEST(CompatProbe, OddOutputGivesNoVersion) {
    has_no_version("echo other 3.4",
                   "answered \"other 3.4\", no line of it reads \"it {version}\"");
    has_no_version("printf 'it \\377\\000\\376'", "no line of it reads");
    has_no_version("true", "no line of it reads");
}

TEST(CompatProbe, AFloodIsCutAndItsFirstLineStillRead) {
    const Detection detection = detected("echo it 1.2; head -c 10000000 /dev/zero");
    STRCMP_EQUAL("1.2", detection.version->str().c_str());
}

TEST(CompatProbe, AVersionAtTheCutOfAFloodIsNotTaken) {
    // 65,536 bytes are kept: the last of them is the first digit.
    has_no_version("yes " + std::string(127, 'x') + " | head -c 65531; echo; echo it 25.03",
                   "no line of it reads");
    STRCMP_EQUAL("25.03",
                 detected("yes " + std::string(127, 'x') + " | head -c 65500; echo; echo it 25.03")
                     .version->str()
                     .c_str());
}

TEST(CompatProbe, WhatItLeavesRunningEndsWithIt) {
    for (const char* script : {"sleep 3612 & echo it 1.2", "(setsid sleep 3612 &) ; echo it 1.2"})
        STRCMP_EQUAL("1.2", detected(script).version->str().c_str());
    Command left;
    left.argv = {"pgrep", "-f", "sleep 3612"};
    LONGS_EQUAL(1, system_processes().run(left)->exit_code);
}

TEST(CompatProbe, HangingOnesAreAskedSideBySideAndLeaveNothingBehind) {
    Pins pins;
    for (const char* script :
         {"sleep 3611", "trap '' TERM; sleep 3611; sleep 3611", "sleep 3611 & sleep 3611",
          "echo it 5.1", "echo it 6.1; sleep 3611"}) {
        pins.components.push_back(asking(script));
        pins.components.back().id = "it-" + std::to_string(pins.components.size());
    }
    const Detections detections = detect_all(pins, system_processes());
    LONGS_EQUAL(5, detections.size());
    for (const char* id : {"it-1", "it-2", "it-3"})
        STRCMP_CONTAINS("did not answer within 2 s", detections.at(id).note.c_str());
    STRCMP_CONTAINS("did not end within 2 s", detections.at("it-5").note.c_str());
    STRCMP_EQUAL("5.1", detections.at("it-4").version->str().c_str());
    Command left;
    left.argv = {"pgrep", "-f", "sleep 3611"};
    LONGS_EQUAL(1, system_processes().run(left)->exit_code);
}
