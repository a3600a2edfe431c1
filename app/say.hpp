// How a command says what went wrong: on standard error, in one form.
#pragma once

#include <string>

#include "common/base/command_line.hpp"
#include "common/base/findings.hpp"

namespace stratum::app {

// "firstboot: message"; returns the exit code, to be returned at once.
int say_failure(const std::string& message, int exit_code = kExitFailed);
// One line each: "FILE:LINE:COLUMN: field: message".
void say_findings(const std::string& file, const Findings& findings);
// A line of a program's own log: standard error, whole lines, any thread.
void log_line(const std::string& line);

} // namespace stratum::app
