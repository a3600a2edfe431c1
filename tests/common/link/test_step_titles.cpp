// Titles of steps: what was sent, else the table's, else readable.

#include "common/link/step_titles.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::link {

TEST_GROUP(StepTitles){};

TEST(StepTitles, what_was_sent_goes_before_the_table) {
    STRCMP_EQUAL("Our own words", step_title("storage", "Our own words").c_str());
    STRCMP_EQUAL("Preparing the confirmed disks", step_title("storage").c_str());
}

TEST(StepTitles, the_known_steps_have_one) {
    for (const char* name :
         {"verify", "identity", "network", "time", "storage", "finish", "join", "upgrade"})
        CHECK_FALSE(known_step_title(name).empty());
    STRCMP_EQUAL("Upgrading to the cluster's release", step_title("upgrade").c_str());
    STRCMP_EQUAL("Joining the OpenBao raft", step_title("join/raft-openbao").c_str());
}

TEST(StepTitles, an_unknown_step_is_made_readable) {
    CHECK_TRUE(known_step_title("join/own_thing").empty());
    STRCMP_EQUAL("Join own thing", step_title("join/own_thing").c_str());
    STRCMP_EQUAL("Upgrade hold breath", step_title("upgrade/hold-breath").c_str());
    STRCMP_EQUAL("X", step_title("x").c_str());
    STRCMP_EQUAL("A b", step_title("//a--b__").c_str());
    STRCMP_EQUAL("__", step_title("__").c_str());
    STRCMP_EQUAL("", step_title("").c_str());
}

} // namespace stratum::link
