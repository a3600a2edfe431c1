// The list of phases: each with a name once, and a title from the one table of titles.

#include <set>

#include "common/link/step_titles.hpp"
#include "installer/phases/phase.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::installer {
namespace {

// Made once for the life of the program, before the first test counts what it leaves behind.
const std::vector<Phase>& kBeforeJoin = phases_before_join();
const std::vector<Phase>& kAfterJoin = phases_after_join();

} // namespace

TEST_GROUP(Phases){};

TEST(Phases, each_has_its_name_once_and_a_title_that_people_can_read) {
    std::set<std::string_view> names;
    for (const auto* list : {&kBeforeJoin, &kAfterJoin})
        for (const Phase& phase : *list) {
            CHECK_TRUE(names.insert(phase.name).second);
            CHECK_FALSE(phase.title.empty());
            CHECK_TRUE(phase.title == link::known_step_title(phase.name));
        }
    LONGS_EQUAL(6, names.size());
}

} // namespace stratum::installer
