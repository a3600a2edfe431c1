#include "hwdiscovery/array_health.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

TEST_GROUP(HwArrayHealth){};

TEST(HwArrayHealth, an_array_that_resyncs_recovers_checks_repairs_or_reshapes_is_at_work) {
    for (const char* action : {"resync", "recover", "check", "repair", "reshape"})
        CHECK_TEXT(is_array_work(action), action);
    for (const char* action : {"", "idle", "frozen", "none"})
        CHECK_TEXT(!is_array_work(action), action);
}

TEST(HwArrayHealth, what_is_done_is_said_in_whole_percent) {
    LONGS_EQUAL(6, percent_done("4096 / 65536").value_or(-1));
    LONGS_EQUAL(0, percent_done("0 / 65536").value_or(-1));
    LONGS_EQUAL(100, percent_done("65536 / 65536").value_or(-1));
}

TEST(HwArrayHealth, what_makes_no_sense_is_no_percentage) {
    for (const char* text : {"", "none", "delayed", "1 / 0", "2 / 1", "1/2", "1 / 2 / 3", "-1 / 2",
                             "99999999999999999999 / 1", "1 / 18446744073709551615"})
        CHECK_TEXT(!percent_done(text).has_value(), text);
}

TEST(HwArrayHealth, dm_raid_names_dead_legs_and_progress) {
    const auto whole = parse_dm_raid("raid1 2 AA 131072/131072 idle 0 0 -");
    STRCMP_EQUAL("raid1", whole->level.c_str());
    CHECK(whole->failed.empty());
    STRCMP_EQUAL("", whole->sync.c_str());
    const auto hurt = parse_dm_raid("raid6_zr 4 AaDA 32768/131072 recover 0 0 -");
    CHECK(hurt->failed == std::vector<std::size_t>{2});
    STRCMP_EQUAL("recover", hurt->sync.c_str());
    LONGS_EQUAL(25, hurt->sync_percent.value_or(-1));
}

TEST(HwArrayHealth, other_words_are_no_health) {
    for (const char* text : {"", "0 1 linear", "raid1 2 A 1/1 idle", "raid1 x AA 1/1 idle"})
        CHECK_TEXT(!parse_dm_raid(text).has_value(), text);
}

TEST(HwArrayHealth, multipath_names_the_paths_it_gave_up) {
    CHECK(parse_failed_paths("2 0 0 0 2 1 A 0 1 2 8:0 A 0 0 1 E 0 1 2 8:16 F 1 0 1") ==
          std::vector<std::string>{"8:16"});
    CHECK(parse_failed_paths("2 0 0 0 1 1 A 0 1 2 8:0 A 0 0 1").empty());
    CHECK(parse_failed_paths("").empty());
}
