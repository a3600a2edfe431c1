// Progress values that the tests of the console draw.
#pragma once

#include "installer/progress.hpp"

namespace stratum::ui::examples {

installer::JoinProgress needs_code();
installer::JoinProgress waiting();
installer::JoinProgress unreachable();
installer::JoinProgress installing();
installer::JoinProgress failed();

} // namespace stratum::ui::examples
