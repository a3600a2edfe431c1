#include <iostream>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "common/base/files.hpp"
#include "common/base/text.hpp"
#include "founder/init.hpp"
#include "hwdiscovery/discover.hpp"

namespace stratum::app {
namespace {

// The token must have reached whoever asked before it is the only way in.
Status announce_for_people(const founder::MadeFounder& made) {
    std::cout << "founder made\n"
              << "  key      " << made.fingerprint << "\n"
              << "  joiners  " << join(made.advertise, ", ") << "\n"
              << "  token    " << made.token << "\n"
              << "The token is shown this once: keep it in a file of mode 0600.\n"
              << std::flush;
    return std::cout.good() ? Status() : fail(ErrorCode::kIo, "the token could not be printed");
}

Status announce_as_json(const founder::MadeFounder& made) {
    Node answer = Node::object();
    answer.set("key", made.fingerprint);
    answer.set("token", made.token);
    Node advertise = Node::array();
    for (const std::string& address : made.advertise) advertise.push(Node::string(address));
    answer.set("advertise", std::move(advertise));
    std::cout << write_json(answer) << "\n" << std::flush;
    return std::cout.good() ? Status() : fail(ErrorCode::kIo, "the token could not be printed");
}

Result<std::string> inventory_of(const Arguments& arguments) {
    if (arguments.has("--inventory")) return system_files().read(arguments.value("--inventory"));
    return write_json(facts::to_node(hw::discover({})));
}

int refused(const std::string& file, const founder::InitRefusal& refusal) {
    if (refusal.findings.empty()) return say_failure(refusal.message);
    say_findings(file, refusal.findings);
    return kExitUsage;
}

int run(const Arguments& arguments) {
    const std::string config = arguments.value("--config");
    const auto text = system_files().read(config);
    if (!text) return say_failure(text.error().message, kExitUsage);
    const auto inventory = inventory_of(arguments);
    if (!inventory) return say_failure(inventory.error().message, kExitUsage);

    founder::InitOptions options;
    options.inventory_json = *inventory;
    for (const std::string& address : arguments.all("--advertise")) {
        const auto parsed = HostPort::parse(address);
        if (!parsed) return say_failure("--advertise: " + parsed.error().message, kExitUsage);
        options.advertise.push_back(*parsed);
    }
    options.announce = arguments.has("--json") ? announce_as_json : announce_for_people;
    const auto made = founder::make_founder(arguments.value("--state"), *text, options);
    return made ? kExitOk : refused(config, made.error());
}

} // namespace

CommandSpec founder_init_command() {
    return {.path = "founder init",
            .summary = "Make this machine the founder of a cluster",
            .details = "Makes the store, the TLS key and the first admin token, which is printed "
                       "once. The state folder must not hold a founder yet.",
            .arguments = {},
            .options = {{"--state", "DIR", "Where the founder keeps everything", true},
                        {"--config", "FILE", "The founder's own node.yaml, with its cluster", true},
                        {"--advertise", "HOST:PORT",
                         "Where joiners find the join listener; the mgmt address by default", false,
                         true},
                        {"--inventory", "FILE",
                         "The founder's inventory, where this is not its machine"},
                        {"--json", "", "Key, token and addresses as one line of JSON"}},
            .example = "firstboot founder init --state /var/lib/stratum/founder --config node.yaml",
            .run = run};
}

} // namespace stratum::app
