// The two names of the one binary, each with its commands.
#pragma once

#include "app/parse.hpp"

namespace stratum::app {

const Program& firstboot_program();  // `firstboot …`, with `firstboot ctl …`
const Program& stratumctl_program(); // `stratumctl …`

} // namespace stratum::app
