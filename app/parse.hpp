// Reading what was typed against a table of commands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/base/command_line.hpp"

namespace stratum::app {

// A program: one of the binary's names, with the commands it knows.
struct Program {
    std::string name;    // "firstboot"
    std::string summary; // one sentence
    std::vector<CommandSpec> commands;
    std::vector<OptionSpec> options; // of the program itself: --version, --config
};

// What to do: a command with its arguments, or something that was already said (help, a mistake).
struct Typed {
    const CommandSpec* command = nullptr; // nullptr with `finished` absent: options of the program
    Arguments arguments;
    std::optional<int> finished; // the exit code; the text is out already
};

// Help goes to standard output (0), mistakes to standard error with the nearest help (2).
Typed parse_command_line(const Program& program, const std::vector<std::string>& words);

} // namespace stratum::app
