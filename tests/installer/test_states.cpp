#include <algorithm>
#include <set>
#include <utility>

#include "installer/states.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::installer;

TEST_GROUP(JoinStates){};

TEST(JoinStates, EveryStateHasItsRowInTheOrderOfTheEnum) {
    LONGS_EQUAL(kJoinStateCount, join_states().size());
    std::set<std::string_view> names;
    for (int at = 0; at < kJoinStateCount; ++at) {
        const StateRow& row = join_states()[static_cast<std::size_t>(at)];
        LONGS_EQUAL(at, static_cast<int>(row.state));
        CHECK(!row.headline.empty());
        CHECK(names.insert(row.name).second);
        CHECK(join_state_named(row.name) == row.state);
    }
    CHECK(!join_state_named("no-such-state"));
}

TEST(JoinStates, NoArrowStandsTwice) {
    std::set<std::pair<int, int>> seen;
    for (const Arrow& arrow : join_arrows()) {
        CHECK(seen.insert({static_cast<int>(arrow.from), static_cast<int>(arrow.event)}).second);
        CHECK(next_state(arrow.from, arrow.event) == arrow.to);
    }
}

TEST(JoinStates, EveryStateIsReachedFromTheFirst) {
    std::set<JoinerState> reached{JoinerState::kNeedsCode};
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const Arrow& arrow : join_arrows()) {
            if (reached.contains(arrow.from)) reached.insert(arrow.to);
        }
    }
    LONGS_EQUAL(kJoinStateCount, reached.size());
}

TEST(JoinStates, EveryStateButTheFinalOneHasAWayToTheFinalOne) {
    for (const StateRow& row : join_states()) {
        std::set<JoinerState> reached{row.state};
        for (std::size_t before = 0; before != reached.size();) {
            before = reached.size();
            for (const Arrow& arrow : join_arrows()) {
                if (reached.contains(arrow.from)) reached.insert(arrow.to);
            }
        }
        CHECK(reached.contains(JoinerState::kJoined));
        const bool has_way_out = std::ranges::any_of(join_arrows(), [&](const Arrow& arrow) {
            return arrow.from == row.state && arrow.to != row.state;
        });
        CHECK(has_way_out != row.is_final);
    }
}

TEST(JoinStates, EveryStateOfTheFounderIsAnEventAndNoOtherWordIs) {
    for (const char* state : {"needs-upgrade", "pending", "approved", "delivering", "installing",
                              "joined", "failed", "rejected", "expired"}) {
        CHECK(event_of_view(state).has_value());
    }
    CHECK(!event_of_view("Pending"));
    CHECK(!event_of_view(""));
}

TEST(JoinStates, AnEventThatDoesNotConcernAStateChangesNothing) {
    CHECK(!next_state(JoinerState::kJoined, JoinerEvent::kCodeGiven));
    CHECK(!next_state(JoinerState::kNeedsCode, JoinerEvent::kSeenApproved));
    CHECK(!next_state(JoinerState::kInstalling, JoinerEvent::kCodeGiven));
    CHECK(!next_state(JoinerState::kWaiting, JoinerEvent::kSeenJoined));
}
