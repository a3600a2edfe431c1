// The joiner's seams, wired to this machine.
#pragma once

#include <string>

#include "installer/join.hpp"
#include "ui-tty/console.hpp"

namespace stratum::app {

struct JoinWorld {
    ui::Console& console;
    int stop;            // readable: the program should end
    std::string machine; // a captured machine's folder; empty: this one
    bool is_real = true; // false with a target root: the clock is not set
};

// The console must outlive the seams.
installer::JoinSeams join_seams(const JoinWorld& world);

} // namespace stratum::app
