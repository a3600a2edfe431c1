// A screen as blocks of lines in order, and which of them give way first when there are too many.
#pragma once

#include <string>
#include <vector>

namespace stratum::ui {

// What gives way, the first first; kFixed never does.
enum class GiveWay { kLog, kMachine, kDoneSteps, kBlank, kMessage, kSteps, kLetters, kFixed };

struct Block {
    std::vector<std::string> lines;
    GiveWay give_way = GiveWay::kFixed;
    bool from_top = false; // loses its first lines (a log), else its last
};

// At most `rows` lines.
std::vector<std::string> stack(std::vector<Block> blocks, int rows);

} // namespace stratum::ui
