// Every command of `firstboot`, one row each; what `stratumctl` can do is the room ctl's table.
#pragma once

#include <vector>

#include "common/base/command_line.hpp"

namespace stratum::app {

const std::vector<CommandSpec>& firstboot_commands();

// The rows, one file each.
CommandSpec join_command();
CommandSpec founder_command();
CommandSpec founder_init_command();
CommandSpec member_command();
CommandSpec health_command();
CommandSpec discover_command();
CommandSpec doctor_command();
CommandSpec completion_command();
CommandSpec man_command();

// `firstboot --config FILE`: the checker. 0, or every problem at its field on standard error and 2.
int check_config(const std::string& path, bool as_json);

} // namespace stratum::app
