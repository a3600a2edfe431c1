#include "common/compat/keeper.hpp"

#include <algorithm>
#include <chrono>

#include "common/compat/probe.hpp"

namespace stratum::compat {

Keeper::Keeper(Pins pins, World world)
    : pins_(std::move(pins)), world_(std::move(world)), thread_([this] { run(); }) {}

Keeper::~Keeper() {
    {
        const std::lock_guard lock(mutex_);
        is_stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Keeper::run() {
    std::unique_lock lock(mutex_);
    while (!is_stopping_) {
        const std::uint64_t look = ++started_;
        lock.unlock();
        Held seen{judge(pins_, detect_all(pins_, world_.processes), world_.stratum_version),
                  world_.clock.unix_seconds()};
        lock.lock();
        held_ = std::move(seen);
        done_ = look;
        changed_.notify_all();
        changed_.wait_for(lock, std::chrono::milliseconds(world_.period_ms),
                          [this] { return is_stopping_ || asked_ > started_; });
    }
}

Held Keeper::wait_for(std::uint64_t look) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_stopping_ || done_ >= look; });
    return held_;
}

Held Keeper::latest() {
    return wait_for(1);
}

std::optional<Held> Keeper::seen() {
    const std::lock_guard lock(mutex_);
    return done_ == 0 ? std::nullopt : std::optional(held_);
}

Held Keeper::refresh() {
    std::uint64_t look = 0;
    {
        const std::lock_guard lock(mutex_);
        // The look that runs now may have passed the program that has just been changed.
        look = started_ + 1;
        asked_ = std::max(asked_, look);
    }
    changed_.notify_all();
    return wait_for(look);
}

} // namespace stratum::compat
