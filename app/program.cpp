#include "app/program.hpp"

#include "app/commands.hpp"
#include "ctl/commands.hpp"

namespace stratum::app {
namespace {

std::vector<OptionSpec> common_options() {
    return {{"--version", "", "Say what this is: version, commit, the libraries inside"},
            {"--json", "", "With --version or --config: the answer as JSON"}};
}

Program make_firstboot() {
    Program program{"firstboot", "From a bare machine to a member of the cluster, on both sides",
                    firstboot_commands(), common_options()};
    program.options.push_back({"--config", "FILE", "Check a node.yaml: 0, or every problem and 2"});
    for (CommandSpec command : ctl::commands()) {
        command.path = "ctl " + command.path;
        program.commands.push_back(std::move(command));
    }
    return program;
}

} // namespace

const Program& firstboot_program() {
    static const Program program = make_firstboot();
    return program;
}

const Program& stratumctl_program() {
    static const Program program{"stratumctl", "What an operator types: a client of the admin API",
                                 ctl::commands(), common_options()};
    return program;
}

} // namespace stratum::app
