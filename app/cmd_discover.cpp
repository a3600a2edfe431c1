#include <iostream>

#include "app/commands.hpp"
#include "common/base/terminal.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/table.hpp"

namespace stratum::app {
namespace {

int run(const Arguments& arguments) {
    hw::DiscoverOptions options;
    options.root = arguments.value("--root");
    const facts::Inventory inventory = hw::discover(options);
    if (arguments.has("--json")) {
        std::cout << write_json(facts::to_node(inventory), 2) << "\n";
        return kExitOk;
    }
    const Terminal terminal = standard_output();
    std::cout << hw::render_table(inventory, terminal.columns, terminal.colour, terminal.utf8);
    return kExitOk;
}

} // namespace

CommandSpec discover_command() {
    return {.path = "discover",
            .summary = "Show this machine's disks and NICs, and what of them may be used",
            .details = "Reads only: no disk is written, no interface is changed. As root, so that "
                       "every disk can be looked into; what could not be read is said.",
            .arguments = {},
            .options = {{"--json", "", "The inventory as the founder gets it, as JSON"},
                        {"--root", "DIR", "Read a captured machine (its sys, proc, run) instead"}},
            .example = "firstboot discover",
            .run = run};
}

} // namespace stratum::app
