#include <iostream>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "app/site_pins.hpp"
#include "app/version.hpp"
#include "common/base/files.hpp"
#include "common/base/terminal.hpp"
#include "common/base/version.hpp"
#include "common/health/check.hpp"
#include "founder/api/admin_api.hpp"
#include "founder/serve.hpp"

namespace stratum::app {
namespace {

struct Addresses {
    HostPort admin{"0.0.0.0", 8443};
    HostPort join{"0.0.0.0", 8444};
};

Result<Addresses> addresses_of(const Arguments& arguments) {
    Addresses addresses;
    const auto read = [&](const std::string& option, HostPort& into) -> Status {
        if (!arguments.has(option)) return {};
        auto parsed = HostPort::parse(arguments.value(option));
        if (!parsed) return fail_in(option, parsed.error());
        into = std::move(*parsed);
        return {};
    };
    if (auto ok = read("--admin", addresses.admin); !ok) return tl::make_unexpected(ok.error());
    if (auto ok = read("--join", addresses.join); !ok) return tl::make_unexpected(ok.error());
    return addresses;
}

Result<founder::ServeOptions> options_of(const Arguments& arguments) {
    const auto addresses = addresses_of(arguments);
    if (!addresses) return tl::make_unexpected(addresses.error());
    founder::ServeOptions options;
    options.admin = addresses->admin;
    options.join = addresses->join;
    options.release = std::string(product_version());
    options.upgrades_from = arguments.value("--upgrades-from");
    options.upgrade_source = arguments.value("--upgrade-source");
    options.bundle_folder = arguments.value("--bundle");
    options.health_file = arguments.value("--health");
    auto pins = site_pins(arguments.value("--pins"), arguments.value("--state"));
    if (!pins) return tl::make_unexpected(pins.error());
    options.pins = std::move(*pins);
    options.admin_handler = founder::api::make_admin_handler;
    options.admin_body_limit = founder::api::admin_body_limit;
    options.log = log_line;
    if (options.upgrades_from.empty()) return options;
    if (auto range = VersionRange::parse(options.upgrades_from); !range) {
        return fail_in("--upgrades-from", range.error());
    }
    return options;
}

// A file that was named is right before anything serves; what becomes of it later is told as a
// reason why the cluster is not green.
int judge_health_file(const std::string& path) {
    if (path.empty()) return kExitOk;
    const auto text = system_files().read(path, 1u << 20);
    if (!text) return say_failure("--health: " + text.error().message, kExitUsage);
    const health::ReadChecks read = health::read_checks(*text);
    for (const std::string& line : health::fault_lines(path, read)) std::cerr << line << "\n";
    return read.findings.empty() ? kExitOk : kExitUsage;
}

int run(const Arguments& arguments) {
    const auto options = options_of(arguments);
    if (!options) return say_failure(options.error().message, kExitUsage);
    if (const int code = judge_health_file(options->health_file); code != kExitOk) return code;
    const int stop = stop_descriptor();
    auto serving = founder::serve(arguments.value("--state"), *options);
    if (!serving) return say_failure(serving.error().message);
    const HostPort admin{options->admin.host, (*serving)->admin_port()};
    const HostPort join{options->join.host, (*serving)->join_port()};
    std::cout << "admin API and console on https://" << admin.str() << "\n"
              << "join listener on https://" << join.str() << "\n"
              << std::flush;
    (void)wait_for_stop(stop, -1);
    log_line("stopping");
    return kExitOk;
}

} // namespace

CommandSpec founder_command() {
    return {.path = "founder",
            .summary = "Serve the admin API and the join listener",
            .details =
                "Prints one line for each listener once it serves. Port 0 takes any free port.",
            .arguments = {},
            .options = {{"--state", "DIR", "What `founder init` made"},
                        {"--admin", "ADDRESS:PORT", "The admin listener; 0.0.0.0:8443 by default"},
                        {"--join", "ADDRESS:PORT", "The join listener; 0.0.0.0:8444 by default"},
                        {"--bundle", "DIR", "The cluster's join steps: bundle.json and files/"},
                        {"--health", "FILE",
                         "The health checks that hold the queue; health.yaml in the state folder"},
                        {"--pins", "FILE",
                         "A site's own components and constraints over this build's; pins.yaml "
                         "in the state folder"},
                        {"--upgrades-from", "RANGE",
                         "Older releases that may upgrade themselves to this one"},
                        {"--upgrade-source", "URL", "Where joiners fetch this release from"}},
            .example = "firstboot founder --state /var/lib/stratum/founder",
            .run = run};
}

} // namespace stratum::app
