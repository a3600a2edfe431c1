#include "ctl/commands.hpp"

#include <iostream>

#include "ctl/admin_client.hpp"
#include "ctl/rows.hpp"
#include "ctl/table.hpp"

namespace stratum::ctl {
namespace {

std::vector<CommandSpec> make_commands() {
    std::vector<CommandSpec> all;
    for (const auto& part : {join_code_commands(), join_commands(), cluster_commands(),
                             member_commands(), token_commands(), audit_commands()}) {
        all.insert(all.end(), part.begin(), part.end());
    }
    all.push_back(approve_command());
    all.push_back(watch_command());
    all.push_back(doctor_command());
    return all;
}

} // namespace

const std::vector<CommandSpec>& commands() {
    static const std::vector<CommandSpec> all = make_commands();
    return all;
}

std::vector<OptionSpec> with_common(std::vector<OptionSpec> own) {
    own.push_back({"--json", "", "The founder's answer as JSON"});
    for (OptionSpec& option : connection_options()) own.push_back(std::move(option));
    return own;
}

int print(const Arguments& arguments, const Node& answer, std::string (*table)(const Node&)) {
    std::cout << (arguments.has("--json") ? write_json(answer, 2) + "\n"
                                          : for_terminal(table(answer)));
    return kExitOk;
}

} // namespace stratum::ctl
