// Every command of `stratumctl`, one row each.
#pragma once

#include <vector>

#include "common/base/command_line.hpp"

namespace stratum::ctl {

const std::vector<CommandSpec>& commands();

} // namespace stratum::ctl
