// Keeps a board up to date: reads the checks' file anew when it changed, runs what is due, side by
// side, and says when an outcome changed. `look` is one round; `start` has a thread do it each
// second.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "common/base/clock.hpp"
#include "common/health/board.hpp"

namespace stratum::health {

struct MonitorOptions {
    std::string path;        // the checks' file
    bool must_exist = false; // else a file that is not there means no checks
};

struct MonitorSeams {
    Clock& clock;
    RunSeams run;
    std::function<void()> on_news;                    // an outcome, or the file, changed
    std::function<void(const std::string& line)> log; // may be empty
};

class Monitor {
public:
    // The board and what the seams refer to must outlive it. Reads the file at once: the board has
    // its checks, none of them run yet.
    Monitor(MonitorOptions options, MonitorSeams seams, Board& board);
    ~Monitor(); // stops; waits for a check that runs, at most its time limit
    Monitor(const Monitor&) = delete;
    Monitor& operator=(const Monitor&) = delete;

    void look();
    void start();
    void stop();

private:
    void read_file();
    void run_due();
    void tell_news();

    const MonitorOptions options_;
    const MonitorSeams seams_;
    Board& board_;
    std::optional<std::string> text_; // of the file, as last read
    bool was_read_ = false;
    std::map<std::string, std::int64_t> due_ms_; // steady, by a check's name
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable stopped_;
    bool stopping_ = false;
};

} // namespace stratum::health
