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

void has_no_version(const std::string& script, const char* why) {
    const Detection detection = detected(script);
    CHECK_FALSE_TEXT(detection.version.has_value(), script.c_str());
    CHECK_FALSE_TEXT(detection.is_absent, script.c_str());
    STRCMP_CONTAINS(why, detection.note.c_str());
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

TEST(CompatProbe, OddOutputGivesNoVersion) {
    has_no_version("echo other 3.4", "no line of it reads \"it {version}\"");
    has_no_version("printf 'it \\377\\000\\376'", "no line of it reads");
    has_no_version("true", "no line of it reads");
}

TEST(CompatProbe, AFloodIsCutAndItsFirstLineStillRead) {
    const Detection detection = detected("echo it 1.2; head -c 100000000 /dev/zero");
    STRCMP_EQUAL("1.2", detection.version->str().c_str());
}

TEST(CompatProbe, HangingOnesAreAskedSideBySideAndLeaveNothingBehind) {
    Pins pins;
    for (const char* script : {"sleep 3611", "trap '' TERM; sleep 3611; sleep 3611",
                               "sleep 3611 & sleep 3611", "echo it 5.1"}) {
        pins.components.push_back(asking(script));
        pins.components.back().id = "it-" + std::to_string(pins.components.size());
    }
    const Detections detections = detect_all(pins, system_processes());
    LONGS_EQUAL(4, detections.size());
    for (const char* id : {"it-1", "it-2", "it-3"})
        STRCMP_CONTAINS("did not answer within 2 s", detections.at(id).note.c_str());
    STRCMP_EQUAL("5.1", detections.at("it-4").version->str().c_str());
    Command left;
    left.argv = {"pgrep", "-f", "sleep 3611"};
    LONGS_EQUAL(1, system_processes().run(left)->exit_code);
}
