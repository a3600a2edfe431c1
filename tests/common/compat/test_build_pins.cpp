#include "common/compat/build_pins.hpp"

#include <cstdlib>
#include <fstream>

#include "common/base/files.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::compat;

TEST_GROUP(CompatBuildPins) {
    std::string folder;

    void setup() override {
        char name[] = "/tmp/compat-pins-XXXXXX";
        folder = mkdtemp(name);
    }
    void teardown() override {
        (void)system_files().remove(folder + "/site.yaml");
        (void)std::remove(folder.c_str());
    }
    Result<Pins> with_site(const char* text) {
        CHECK_TRUE(system_files().write(folder + "/site.yaml", text).has_value());
        return load_pins(folder + "/site.yaml");
    }
};

TEST(CompatBuildPins, TheBuildsOwnAreGood) {
    const auto pins = load_pins("");
    if (!pins) FAIL(pins.error().message.c_str());
    STRCMP_EQUAL("ovn-central-controller-match", pins->constraints[0].id.c_str());
}

TEST(CompatBuildPins, ASitesFileIsLaidOver) {
    const auto pins = with_site("version: 1\ncomponents:\n  - {id: ceph, drop: true}\n");
    CHECK_TRUE(pins.has_value());
    LONGS_EQUAL(load_pins("")->components.size() - 1, pins->components.size());
}

TEST(CompatBuildPins, AWrongFileIsToldWithItsLines) {
    const auto pins = with_site("version: 1\nconstraints:\n  - {id: a, rule: ovs = 3}\n");
    CHECK_FALSE(pins.has_value());
    STRCMP_CONTAINS("site.yaml:3:", pins.error().message.c_str());
    STRCMP_CONTAINS("constraints[0].rule", pins.error().message.c_str());
}

TEST(CompatBuildPins, AnEmptyFileIsNotTakenForNone) {
    const auto pins = with_site("");
    CHECK_FALSE(pins.has_value());
    STRCMP_CONTAINS("the file is empty", pins.error().message.c_str());
}

TEST(CompatBuildPins, AFileThatIsNotThereIsToldByName) {
    const auto pins = load_pins(folder + "/none.yaml");
    CHECK_FALSE(pins.has_value());
    STRCMP_CONTAINS("none.yaml", pins.error().message.c_str());
}
