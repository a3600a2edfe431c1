// The table of arrows, walked.

#include <algorithm>
#include <set>

#include "founder/states.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(States){};

TEST(States, every_state_stands_at_its_own_place_in_the_table) {
    int at = 0;
    for (const StateInfo& info : states()) {
        CHECK_EQUAL(at, static_cast<int>(info.state));
        ++at;
    }
    CHECK_EQUAL(9, at);
}

TEST(States, no_pair_of_state_and_event_stands_twice) {
    std::set<std::pair<int, int>> seen;
    for (const Arrow& arrow : arrows()) {
        const int from = arrow.from ? static_cast<int>(*arrow.from) : -1;
        CHECK_TRUE(seen.emplace(from, static_cast<int>(arrow.event)).second);
    }
}

TEST(States, every_state_can_be_reached) {
    std::set<JoinState> reached;
    for (bool grew = true; grew;) {
        grew = false;
        for (const Arrow& arrow : arrows())
            if (!arrow.from || reached.contains(*arrow.from))
                grew |= reached.insert(arrow.to).second;
    }
    CHECK_EQUAL(states().size(), reached.size());
}

TEST(States, every_state_has_a_way_out_or_is_terminal) {
    for (const StateInfo& info : states()) {
        const bool way_out = std::any_of(arrows().begin(), arrows().end(), [&](const Arrow& arrow) {
            return arrow.from == info.state && arrow.event != JoinEvent::kLeft;
        });
        CHECK_EQUAL(!info.is_terminal, way_out);
        CHECK_EQUAL(info.is_terminal, info.resume == Resume::kOver);
    }
}

TEST(States, from_every_state_the_end_can_be_reached) {
    for (const StateInfo& info : states()) {
        std::set<JoinState> reached{info.state};
        for (bool grew = true; grew;) {
            grew = false;
            for (const Arrow& arrow : arrows())
                if (arrow.from && reached.contains(*arrow.from))
                    grew |= reached.insert(arrow.to).second;
        }
        CHECK_TRUE(std::any_of(reached.begin(), reached.end(),
                               [](JoinState state) { return info_of(state).is_terminal; }));
    }
}

TEST(States, every_event_leads_somewhere) {
    for (int event = 0; event <= static_cast<int>(JoinEvent::kLeft); ++event)
        CHECK_TRUE(std::any_of(arrows().begin(), arrows().end(), [&](const Arrow& arrow) {
            return static_cast<int>(arrow.event) == event;
        }));
}

TEST(States, only_a_joined_node_can_leave) {
    for (const StateInfo& info : states())
        CHECK_EQUAL(info.state == JoinState::kJoined,
                    next_state(info.state, JoinEvent::kLeft).has_value());
    CHECK_TRUE(next_state(JoinState::kJoined, JoinEvent::kLeft) == JoinState::kRejected);
}

TEST(States, names_are_the_apis_and_read_back) {
    std::string all;
    for (const StateInfo& info : states()) {
        CHECK_TRUE(parse_state(info.name) == info.state);
        all += std::string(info.name) + " ";
    }
    STRCMP_EQUAL("needs-upgrade pending approved delivering installing joined failed rejected "
                 "expired ",
                 all.c_str());
    CHECK_FALSE(parse_state("sleeping").has_value());
}

TEST(States, an_arrow_that_is_not_there_leads_nowhere) {
    CHECK_FALSE(next_state(JoinState::kJoined, JoinEvent::kRejectedBy).has_value());
    CHECK_FALSE(next_state(JoinState::kNeedsUpgrade, JoinEvent::kApprovedBy).has_value());
    CHECK_FALSE(next_state(JoinState::kInstalling, JoinEvent::kRejectedBy).has_value());
    CHECK_FALSE(next_state(std::nullopt, JoinEvent::kApprovedBy).has_value());
    CHECK_TRUE(next_state(JoinState::kApproved, JoinEvent::kApprovedBy) == JoinState::kApproved);
}

} // namespace stratum::founder
