// Where two documents differ, one line each: "disks[2].model: “A” was expected, “B” found".
#pragma once

#include <string>
#include <vector>

#include "common/base/document.hpp"

namespace stratum {

std::vector<std::string> differences(const Node& expected, const Node& found,
                                     const std::string& path = "");

} // namespace stratum
