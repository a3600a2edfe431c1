#include "ui-tty/blocks.hpp"

#include <algorithm>

namespace stratum::ui {
namespace {

std::size_t height(const std::vector<Block>& blocks) {
    std::size_t lines = 0;
    for (const Block& block : blocks) lines += block.lines.size();
    return lines;
}

} // namespace

std::vector<std::string> stack(std::vector<Block> blocks, int rows) {
    const auto most = static_cast<std::size_t>(std::max(rows, 0));
    constexpr GiveWay kOrder[] = {GiveWay::kLog,    GiveWay::kMachine, GiveWay::kDoneSteps,
                                  GiveWay::kBlank,  GiveWay::kMessage, GiveWay::kSteps,
                                  GiveWay::kLetters};
    for (const GiveWay kind : kOrder) {
        for (Block& block : blocks) {
            while (block.give_way == kind && !block.lines.empty() && height(blocks) > most) {
                if (block.from_top) block.lines.erase(block.lines.begin());
                if (!block.from_top) block.lines.pop_back();
            }
        }
    }
    std::vector<std::string> lines;
    for (const Block& block : blocks) {
        lines.insert(lines.end(), block.lines.begin(), block.lines.end());
    }
    // What never gives way is more than this screen holds: its end, with the prompt, stays.
    if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<long>(most));
    return lines;
}

} // namespace stratum::ui
