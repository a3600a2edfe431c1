#include <iostream>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "common/base/terminal.hpp"
#include "hwdiscovery/capture.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/table.hpp"

namespace stratum::app {
namespace {

int write_capture(const hw::DiscoverOptions& options, const std::string& folder) {
    if (const auto written = hw::capture(options, folder); !written)
        return say_failure(written.error().message);
    std::cout
        << "This machine stands in " << folder << " (for you alone). Its serial numbers, its\n"
        << "network's addresses and where things are mounted are in it, no file's content is.\n"
        << "To look at it:  firstboot discover --root " << folder << "\n"
        << "To send it:     tar -czf machine.tar.gz -C " << folder << " .\n";
    return kExitOk;
}

int run(const Arguments& arguments) {
    hw::DiscoverOptions options;
    options.root = arguments.value("--root");
    if (arguments.has("--capture")) return write_capture(options, arguments.value("--capture"));
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
    return {
        .path = "discover",
        .summary = "Show this machine's disks and NICs, and what of them may be used",
        .details = "Reads only: no disk is written, no interface is changed. As root, so that "
                   "every disk can be looked into; what could not be read is said.",
        .arguments = {},
        .options = {{"--json", "", "The inventory as the founder gets it, as JSON"},
                    {"--root", "DIR", "Read a captured machine (its sys, proc, run) instead"},
                    {"--capture", "DIR",
                     "Write down what was read, to send it to somebody; a new or empty folder"}},
        .example = "firstboot discover",
        .run = run};
}

} // namespace stratum::app
