#include "founder/changes.hpp"

#include <algorithm>
#include <chrono>

namespace stratum::founder {

std::uint64_t Changes::number() const {
    const std::lock_guard lock(mutex_);
    return number_;
}

void Changes::announce() {
    {
        const std::lock_guard lock(mutex_);
        ++number_;
    }
    condition_.notify_all();
}

bool Changes::wait(std::uint64_t seen, std::int64_t wait_ms) {
    std::unique_lock lock(mutex_);
    condition_.wait_for(lock, std::chrono::milliseconds(std::max<std::int64_t>(wait_ms, 0)),
                        [&] { return stopping_ || number_ != seen; });
    return !stopping_ && number_ != seen;
}

void Changes::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    condition_.notify_all();
}

bool Changes::is_stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

} // namespace stratum::founder
