// The real background: one thread that ticks.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "installer/join.hpp"

namespace stratum::installer {
namespace {

class Thread final : public Background {
public:
    Thread(std::function<void()> tick, std::int64_t period_ms)
        : tick_(std::move(tick)), period_(period_ms), thread_([this] { run(); }) {}
    ~Thread() override {
        {
            const std::lock_guard lock(mutex_);
            ends_ = true;
        }
        wake_.notify_all();
        thread_.join();
    }

private:
    void run() {
        std::unique_lock lock(mutex_);
        while (!ends_) {
            lock.unlock();
            tick_();
            lock.lock();
            wake_.wait_for(lock, period_, [this] { return ends_; });
        }
    }

    std::function<void()> tick_;
    std::chrono::milliseconds period_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool ends_ = false;
    std::thread thread_; // last: everything above is there when it starts
};

} // namespace

std::unique_ptr<Background> start_thread(std::function<void()> tick, std::int64_t period_ms) {
    return std::make_unique<Thread>(std::move(tick), period_ms);
}

} // namespace stratum::installer
