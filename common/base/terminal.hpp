// What this program's standard output can show, and how it is told to stop.
#pragma once

#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace stratum {

struct Terminal {
    bool is_terminal = false;
    bool colour = false; // a terminal, and neither NO_COLOR nor TERM=dumb
    bool utf8 = false;   // the locale says so
    int columns = 80;
};
Terminal standard_output();

// From here on SIGTERM, SIGINT and SIGHUP do not end the program but make this file descriptor
// readable, for good. Call once, before any thread is started. SIGPIPE is ignored.
int stop_descriptor();
// Waits up to `wait_ms` (−1: for ever) until stop was asked; true when it was.
bool wait_for_stop(int descriptor, long wait_ms);

// An environment variable; empty where it is not set.
std::string environment(const std::string& name);

// Asks on the terminal that the program was started from (not on standard input, which may be a
// file) and reads one line. kUnavailable where there is no terminal. `hidden`: what is typed is not
// shown.
Result<std::string> ask_at_terminal(const std::string& question, bool hidden = false);

} // namespace stratum
