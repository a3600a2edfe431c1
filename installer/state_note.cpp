#include "installer/state_note.hpp"

#include "common/base/text.hpp"

namespace stratum::installer {

std::vector<std::string> notes_of_state(std::string_view line) {
    constexpr std::string_view kRefused = "refused ";
    constexpr std::size_t kMostBytes = 400;
    const std::string text = to_valid_utf8(trim(line)).substr(0, kMostBytes);
    const std::string lost = "it cannot continue after a power cut, and then starts again as a new "
                             "machine with a new join code.";
    if (text == "ram") return {"This machine runs from memory: " + lost};
    if (text.starts_with(kRefused)) {
        return {"The state partition is not used: " + text.substr(kRefused.size()) +
                ". This machine runs from memory: " + lost};
    }
    return {};
}

} // namespace stratum::installer
