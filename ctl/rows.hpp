// The rows of the command table, one file for each kind of thing.
#pragma once

#include <vector>

#include "common/base/command_line.hpp"
#include "common/base/document.hpp"

namespace stratum::ctl {

std::vector<CommandSpec> join_code_commands();
std::vector<CommandSpec> join_commands();
CommandSpec approve_command();
CommandSpec watch_command();
CommandSpec doctor_command();
std::vector<CommandSpec> cluster_commands();
std::vector<CommandSpec> member_commands();
std::vector<CommandSpec> token_commands();
std::vector<CommandSpec> audit_commands();

// The connection's options, --json, and the command's own.
std::vector<OptionSpec> with_common(std::vector<OptionSpec> own);

// Prints the answer as JSON, or as what `table` makes of it.
int print(const Arguments& arguments, const Node& answer, std::string (*table)(const Node&));

// One join for a person: state, code, hardware, assignment, steps, the end of the log.
std::string describe_join(const Node& join);

} // namespace stratum::ctl
