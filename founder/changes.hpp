// Tells those who wait that something changed: a number that only goes up. Who waits for one join
// is woken by that join alone: with hundreds of machines waiting, a change of one must not cost a
// look for each.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <vector>

namespace stratum::founder {

class Changes {
public:
    [[nodiscard]] std::uint64_t number() const;
    // Something changed, and of the joins these.
    void announce(const std::vector<std::string>& joins = {});
    // True when there was a change since `seen`; false after `wait_ms` of real time or at a stop.
    bool wait(std::uint64_t seen, std::int64_t wait_ms);
    void stop(); // for good
    [[nodiscard]] bool is_stopping() const;

private:
    friend class JoinWatch;
    struct Watcher {
        explicit Watcher(const std::string& its_join) : join(its_join) {}
        const std::string& join;
        bool changed = false;
        std::condition_variable condition{};
    };

    mutable std::mutex mutex_;
    std::condition_variable condition_;
    std::uint64_t number_ = 0;
    bool stopping_ = false;
    std::list<Watcher> watchers_;
};

// Listens for changes of one join from when it is made: make it, look, wait, look again. One
// thread.
class JoinWatch {
public:
    JoinWatch(Changes& changes, std::string join);
    ~JoinWatch();
    JoinWatch(const JoinWatch&) = delete;
    JoinWatch& operator=(const JoinWatch&) = delete;
    // True when the join changed since the watch was made or this was asked last; false after
    // `wait_ms` of real time or at a stop.
    bool wait(std::int64_t wait_ms);

private:
    Changes& changes_;
    std::string join_;
    std::list<Changes::Watcher>::iterator watcher_;
};

} // namespace stratum::founder
