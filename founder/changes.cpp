#include "founder/changes.hpp"

#include <algorithm>
#include <chrono>

namespace stratum::founder {
namespace {

std::chrono::milliseconds waiting(std::int64_t wait_ms) {
    return std::chrono::milliseconds(std::max<std::int64_t>(wait_ms, 0));
}

} // namespace

std::uint64_t Changes::number() const {
    const std::lock_guard lock(mutex_);
    return number_;
}

void Changes::announce(const std::vector<std::string>& joins) {
    {
        const std::lock_guard lock(mutex_);
        ++number_;
        for (Watcher& watcher : watchers_) {
            if (std::find(joins.begin(), joins.end(), watcher.join) == joins.end()) continue;
            watcher.changed = true;
            watcher.condition.notify_all();
        }
    }
    condition_.notify_all();
}

bool Changes::wait(std::uint64_t seen, std::int64_t wait_ms) {
    std::unique_lock lock(mutex_);
    condition_.wait_for(lock, waiting(wait_ms), [&] { return stopping_ || number_ != seen; });
    return !stopping_ && number_ != seen;
}

void Changes::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (Watcher& watcher : watchers_) watcher.condition.notify_all();
    }
    condition_.notify_all();
}

bool Changes::is_stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

JoinWatch::JoinWatch(Changes& changes, std::string join)
    : changes_(changes), join_(std::move(join)) {
    const std::lock_guard lock(changes_.mutex_);
    watcher_ = changes_.watchers_.emplace(changes_.watchers_.end(), join_);
}

JoinWatch::~JoinWatch() {
    const std::lock_guard lock(changes_.mutex_);
    changes_.watchers_.erase(watcher_);
}

bool JoinWatch::wait(std::int64_t wait_ms) {
    std::unique_lock lock(changes_.mutex_);
    watcher_->condition.wait_for(lock, waiting(wait_ms),
                                 [&] { return changes_.stopping_ || watcher_->changed; });
    const bool changed = watcher_->changed && !changes_.stopping_;
    watcher_->changed = false;
    return changed;
}

} // namespace stratum::founder
