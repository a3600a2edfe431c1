// What is mounted, in every mount namespace that can be seen, and what is swapped to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hwdiscovery/records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

struct Usage {
    std::vector<MountRecord> mounts;
    std::vector<std::string> swaps; // paths of devices and files, as they were opened
    // False where something could not be looked at; then nobody may be called unused.
    bool is_complete = false;
    std::string problem = {}; // why not, where there is more to say
};

Usage read_usage(const Tree& tree);

// As the kernel writes a path whose file is no longer there, without its last word.
std::string without_deleted(std::string path);

std::vector<MountRecord> parse_mountinfo(std::string_view text);
std::vector<std::string> parse_swaps(std::string_view text);
// The kernel's \040 and the like.
std::string unescaped(std::string_view text);

} // namespace stratum::hw
