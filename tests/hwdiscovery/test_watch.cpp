#include <deque>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "hwdiscovery/edge/device_events.hpp"
#include "hwdiscovery/watch.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/temp_folder.hpp"
#include "tests/hwdiscovery/network_namespace.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

// Something at a moment, or the time goes by; after the last thing comes a stop.
class ScriptedEvents final : public DeviceEvents {
public:
    ScriptedEvents(fakes::FakeClock& clock, std::deque<std::int64_t> at_ms)
        : clock_(clock), at_ms_(std::move(at_ms)) {}
    std::int64_t stop_at_ms = 600'000;
    Woken wait(std::int64_t wait_ms) override {
        const std::int64_t next = at_ms_.empty() ? stop_at_ms : at_ms_.front();
        const std::int64_t left = next - clock_.steady_ms();
        if (wait_ms >= 0 && left > wait_ms) {
            clock_.advance_ms(wait_ms);
            return Woken::kNothing;
        }
        if (left > 0) clock_.advance_ms(left);
        if (at_ms_.empty()) return Woken::kStop;
        at_ms_.pop_front();
        return Woken::kChange;
    }

private:
    fakes::FakeClock& clock_;
    std::deque<std::int64_t> at_ms_;
};

facts::Inventory named(const std::string& name) {
    facts::Inventory inventory;
    inventory.hostname = name;
    return inventory;
}

} // namespace

TEST_GROUP(HwWatch) {
    fakes::FakeClock clock;
    std::int64_t began = 0;
    std::vector<std::int64_t> looks;                           // since the beginning
    std::vector<std::pair<std::int64_t, std::string>> shown;   // likewise
    std::function<std::string()> machine = [] { return "a"; }; // how the machine is now

    void run(std::deque<std::int64_t> at_ms, std::int64_t stop_at_ms,
             std::function<bool()> is_stale = {}) {
        began = clock.steady_ms();
        for (auto& at : at_ms) at += began;
        ScriptedEvents events(clock, std::move(at_ms));
        events.stop_at_ms = began + stop_at_ms;
        watch({events, clock,
               [&] {
                   looks.push_back(clock.steady_ms() - began);
                   return named(machine());
               },
               [&](const facts::Inventory& inventory) {
                   shown.emplace_back(clock.steady_ms() - began, inventory.hostname);
                   return true;
               },
               std::move(is_stale)});
    }
};

TEST(HwWatch, a_change_is_shown_within_half_a_second_of_it) {
    machine = [&] { return clock.steady_ms() - began >= 2000 ? "b" : "a"; };
    run({2000}, 5000);
    LONGS_EQUAL(2, shown.size());
    STRCMP_EQUAL("a", shown[0].second.c_str());
    STRCMP_EQUAL("b", shown[1].second.c_str());
    CHECK(shown[1].first <= 2500);
}

TEST(HwWatch, an_event_that_changed_nothing_shows_nothing) {
    run({1000, 3000}, 5000);
    LONGS_EQUAL(3, looks.size());
    LONGS_EQUAL(1, shown.size());
}

TEST(HwWatch, a_burst_is_one_look_and_one_without_end_is_not_waited_out) {
    run({1000, 1050, 1100, 1150}, 5000);
    LONGS_EQUAL(2, looks.size());
    std::deque<std::int64_t> storm;
    for (std::int64_t at = 1000; at < 3000; at += 50) storm.push_back(at);
    looks.clear();
    run(std::move(storm), 5000);
    CHECK(looks.size() >= 4 && looks.size() <= 6);
    CHECK(looks[1] <= 1500);
}

TEST(HwWatch, without_an_event_the_machine_is_looked_at_once_a_minute) {
    machine = [&] { return clock.steady_ms() - began >= 30'000 ? "b" : "a"; };
    run({}, 150'000);
    LONGS_EQUAL(3, looks.size());
    LONGS_EQUAL(2, shown.size());
}

TEST(HwWatch, another_size_of_the_terminal_draws_again_without_a_look) {
    int asked = 0;
    run({}, 3000, [&] { return ++asked == 2; });
    LONGS_EQUAL(1, looks.size());
    LONGS_EQUAL(2, shown.size());
    CHECK(asked >= 4);
}

TEST(HwWatch, it_ends_where_nobody_reads) {
    ScriptedEvents events(clock, {clock.steady_ms() + 1000});
    int looked = 0, drawn = 0;
    watch({events,
           clock,
           [&] { return named(std::to_string(++looked)); },
           [&](const facts::Inventory&) { return ++drawn < 2; },
           {}});
    LONGS_EQUAL(2, drawn);
    CHECK(clock.steady_ms() < events.stop_at_ms);
}

TEST(HwWatch, a_stop_while_changes_still_come_is_a_stop) {
    run({1000}, 1100);
    LONGS_EQUAL(1, looks.size());
}

TEST_GROUP(HwDeviceEvents){};

TEST(HwDeviceEvents, a_new_network_device_and_one_without_carrier_wake_and_nothing_does_not) {
    const std::string answer = in_network_namespace([]() -> std::string {
        const auto events = open_device_events({});
        // Of what the rest of the machine does meanwhile nothing is said here.
        while (events->wait(0) != Woken::kNothing) {
        }
        if (!add_veth_pair("one", "two")) return "no veth pair";
        if (events->wait(10'000) != Woken::kChange) return "a new device woke nobody";
        while (events->wait(300) != Woken::kNothing) {
        }
        if (!set_link("two", false)) return "no link that goes down";
        if (events->wait(10'000) != Woken::kChange) return "a carrier that went woke nobody";
        return "";
    });
    STRCMP_EQUAL("", answer.c_str());
}

TEST(HwDeviceEvents, a_stop_and_a_reader_who_left_are_stops_at_once) {
    int stop[2] = {-1, -1}, reader[2] = {-1, -1};
    CHECK_EQUAL(0, ::pipe(stop));
    CHECK_EQUAL(0, ::pipe(reader));
    fakes::TempFolder folder;
    const auto events = open_device_events({folder.path(), stop[0], reader[1]});
    CHECK(events->wait(0) == Woken::kNothing);
    ::close(reader[0]);
    CHECK(events->wait(10'000) == Woken::kStop);
    const auto others = open_device_events({folder.path(), stop[0], -1});
    CHECK(others->wait(0) == Woken::kNothing);
    CHECK_EQUAL(1, ::write(stop[1], "x", 1));
    CHECK(others->wait(10'000) == Woken::kStop);
    for (int end : {stop[0], stop[1], reader[1]}) ::close(end);
}

TEST(HwDeviceEvents, of_a_captured_machine_a_file_at_the_top_wakes) {
    fakes::TempFolder folder;
    const auto events = open_device_events({folder.path()});
    CHECK(events->wait(0) == Woken::kNothing);
    std::ofstream(folder.path() + "/ip-addr.json") << "[]";
    CHECK(events->wait(10'000) == Woken::kChange);
    CHECK(events->wait(0) == Woken::kNothing);
}
