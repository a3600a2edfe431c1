// The files of this machine, or of a captured one below a folder.
#pragma once

#include <memory>
#include <string>

#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// `root` is put in front of every path; empty: this machine. Safe from any thread.
std::unique_ptr<Tree> open_tree(const std::string& root);

} // namespace stratum::hw
