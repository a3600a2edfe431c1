// The real background: the one place where a thread runs by the clock on the wall.
#include <atomic>
#include <chrono>
#include <thread>

#include "installer/join.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::installer;

TEST_GROUP(BackgroundThread){};

TEST(BackgroundThread, TicksUntilItIsDestroyedAndNotAfter) {
    std::atomic<int> ticks = 0;
    {
        const auto background = start_thread([&] { ++ticks; }, 1);
        for (int at = 0; at < 5000 && ticks < 3; ++at) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    const int after = ticks;
    CHECK(after >= 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    LONGS_EQUAL(after, ticks);
}

TEST(BackgroundThread, EndsAtOnceInTheMiddleOfALongPeriod) {
    const auto began = std::chrono::steady_clock::now();
    {
        const auto background = start_thread([] {}, 3'600'000);
    }
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(30));
}
