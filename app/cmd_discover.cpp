#include <filesystem>
#include <iostream>
#include <optional>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "app/watch_machine.hpp"
#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "hwdiscovery/capture.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/table.hpp"

namespace stratum::app {
namespace {

constexpr int kLongestLldp = 300;

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

// Seconds of listening; 0: none was asked for. Nothing: what was typed is no such number.
std::optional<int> lldp_seconds(const Arguments& arguments) {
    if (!arguments.has("--lldp")) return 0;
    const auto seconds = parse_decimal(arguments.value("--lldp"));
    if (!seconds || *seconds < 1 || *seconds > kLongestLldp) return std::nullopt;
    return static_cast<int>(*seconds);
}

// What does not go together, in words; empty: all does.
std::string complaint(const Arguments& arguments) {
    if (!lldp_seconds(arguments))
        return "--lldp “" + arguments.value("--lldp") + "” is no number of seconds from 1 to " +
               std::to_string(kLongestLldp);
    for (const char* other : {"--watch", "--root", "--capture"})
        if (arguments.has("--lldp") && arguments.has(other))
            return std::string("--lldp does not go together with ") + other +
                   ": it listens once, on this machine";
    if (arguments.has("--watch") && arguments.has("--capture"))
        return "--watch does not go together with --capture: one machine is written down once";
    return {};
}

// Why no captured machine can be in the folder, in words; empty: one may be.
std::string complaint_of_root(const Arguments& arguments) {
    if (!arguments.has("--root")) return {};
    const std::filesystem::path root = arguments.value("--root");
    std::error_code ignored;
    if (std::filesystem::is_directory(root / "sys", ignored) ||
        std::filesystem::is_directory(root / "proc", ignored))
        return {};
    const bool is_folder = std::filesystem::is_directory(root, ignored);
    return "--root “" + root.string() + "” " +
           (is_folder ? "has neither sys nor proc in it" : "is no folder") +
           ": needed is the folder of a captured machine (see --capture)";
}

int run(const Arguments& arguments) {
    for (const auto& wrong : {complaint(arguments), complaint_of_root(arguments)})
        if (!wrong.empty()) return say_failure(wrong, kExitUsage);
    hw::DiscoverOptions options;
    options.root = arguments.value("--root");
    options.lldp_seconds = *lldp_seconds(arguments);
    if (arguments.has("--capture")) return write_capture(options, arguments.value("--capture"));
    if (arguments.has("--watch")) return watch_machine(options, arguments.has("--json"));
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
        .details =
            "Reads only: no disk is written, no interface is changed. As root, so that "
            "every disk can be looked into; what could not be read is said. With --watch and "
            "--json each change is one document on a line of its own.",
        .arguments = {},
        .options = {{"--json", "", "The inventory as the founder gets it, as JSON"},
                    {"--watch", "", "Show it again within a second of each change, until stopped"},
                    {"--lldp", "SECONDS",
                     "Listen to what switches say of themselves (LLDP), up to 300 s; nothing is "
                     "sent; most speak every 30 s"},
                    {"--root", "DIR", "Read a captured machine (its sys, proc, run) instead"},
                    {"--capture", "DIR",
                     "Write down what was read, to send it to somebody; a new or empty folder"}},
        .example = "firstboot discover\n"
                   "firstboot discover --watch\n"
                   "firstboot discover --json --lldp 35 > machine.json\n"
                   "firstboot discover --watch --json | jq -c .nics",
        .run = run};
}

} // namespace stratum::app
