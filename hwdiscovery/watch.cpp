#include "hwdiscovery/watch.hpp"

#include <algorithm>

namespace stratum::hw {
namespace {

// One plugged cable or disk makes many events: they are waited for together, but not for ever.
constexpr std::int64_t kQuietMs = 150, kLongestMs = 500;
constexpr std::int64_t kStaleMs = 500;
constexpr std::int64_t kLookEveryMs = 60'000;

class Watcher {
public:
    explicit Watcher(const WatchSeams& seams) : seams_(seams) {}

    void run() {
        inventory_ = seams_.look();
        bool goes_on = seams_.show(inventory_);
        while (goes_on) goes_on = wait_for_change() && look_again();
    }

private:
    // False: a stop.
    bool wait_for_change() {
        const std::int64_t until = seams_.clock.steady_ms() + kLookEveryMs;
        for (;;) {
            const std::int64_t left = until - seams_.clock.steady_ms();
            if (left <= 0) return true;
            const Woken woken =
                seams_.events.wait(seams_.is_stale ? std::min(left, kStaleMs) : left);
            if (woken == Woken::kStop) return false;
            if (woken == Woken::kChange) return settle();
            if (seams_.is_stale && seams_.is_stale() && !seams_.show(inventory_)) return false;
        }
    }

    bool settle() {
        const std::int64_t until = seams_.clock.steady_ms() + kLongestMs;
        for (;;) {
            const std::int64_t left = until - seams_.clock.steady_ms();
            if (left <= 0) return true;
            const Woken woken = seams_.events.wait(std::min(left, kQuietMs));
            if (woken != Woken::kChange) return woken != Woken::kStop;
        }
    }

    bool look_again() {
        facts::Inventory now = seams_.look();
        if (now == inventory_) return true;
        inventory_ = std::move(now);
        return seams_.show(inventory_);
    }

    const WatchSeams& seams_;
    facts::Inventory inventory_;
};

} // namespace

void watch(const WatchSeams& seams) {
    Watcher(seams).run();
}

} // namespace stratum::hw
