#include "app/commands.hpp"

namespace stratum::app {

const std::vector<CommandSpec>& firstboot_commands() {
    static const std::vector<CommandSpec> commands = {
        join_command(),   founder_command(),    founder_init_command(),
        member_command(), health_command(),     discover_command(),
        doctor_command(), completion_command(), man_command(),
    };
    return commands;
}

} // namespace stratum::app
