// `firstboot join`: wires the joiner, and afterwards the member, to this machine.
#include <functional>

#include "app/commands.hpp"
#include "app/join_world.hpp"
#include "app/member_health.hpp"
#include "app/say.hpp"
#include "app/version.hpp"
#include "common/base/terminal.hpp"
#include "installer/join.hpp"
#include "installer/state_note.hpp"
#include "member/member.hpp"
#include "ui-tty/console.hpp"

namespace stratum::app {
namespace {

constexpr const char* kDefaultState = "/var/lib/stratum";

std::vector<ui::ConsoleChoice> consoles_of(const Arguments& arguments) {
    std::vector<ui::ConsoleChoice> choices;
    for (const std::string& path : arguments.all("--console")) {
        const bool own = path == "-";
        choices.push_back({path, ui::ConsoleMode::kAuto, own && standard_output().utf8});
    }
    if (choices.empty()) {
        choices.push_back({"-", ui::ConsoleMode::kAuto, standard_output().utf8});
    }
    return choices;
}

installer::JoinOptions options_of(const Arguments& arguments) {
    installer::JoinOptions options;
    options.state_folder = arguments.value_or("--state", kDefaultState);
    options.root = arguments.value_or("--root", "/");
    options.release = std::string(product_version());
    options.code.argument = arguments.value("--code");
    options.code.founder = arguments.value("--founder");
    options.code.file_path = arguments.value("--code-file");
    if (!options.code.file_path.empty()) {
        options.code.file = system_files().read(options.code.file_path).value_or("");
    }
    if (options.root == "/") {
        options.code.kernel_command_line = system_files().read("/proc/cmdline").value_or("");
        options.notes =
            installer::notes_of_state(system_files().read("/run/stratum/state").value_or(""));
    }
    return options;
}

Result<member::MemberEnd> go_on_as_member(const std::string& state_folder, ui::Console& console) {
    member::MemberOptions options;
    options.state_folder = state_folder;
    const MemberHealth health(state_folder);
    member::MemberSeams seams{
        .files = system_files(),
        .clock = system_clock(),
        .make_client = link::make_client,
        .sleep_ms = [&](std::int64_t wait_ms) { return !console.wait(wait_ms).stop; },
        .publish = [&](const member::MemberStatus& status) { console.show(status); },
        .log = log_line,
        .complaints = [&health] { return health.complaints(); },
        .last_look = [&health] { return health.last_look(); }};
    return member::run_member(options, seams);
}

int run(const Arguments& arguments) {
    if (arguments.has("--machine") && arguments.value_or("--root", "/") == "/") {
        return say_failure("--machine is for trials: it needs a --root other than /", kExitUsage);
    }
    const int stop = stop_descriptor();
    const auto console = ui::open_consoles(consoles_of(arguments), stop);
    const auto options = options_of(arguments);
    auto seams = join_seams({*console, stop, arguments.value("--machine"), options.root == "/"});
    while (true) {
        const auto outcome = installer::run_join(options, seams);
        if (!outcome) return say_failure(outcome.error().message);
        if (*outcome == installer::JoinOutcome::kStopped || arguments.has("--once")) return kExitOk;
        const auto ended = go_on_as_member(options.state_folder, *console);
        if (!ended) return say_failure(ended.error().message);
        // A member that was removed is a machine that may join anew.
        if (*ended == member::MemberEnd::kStopped) return kExitOk;
    }
}

} // namespace

CommandSpec join_command() {
    return {
        .path = "join",
        .summary = "Bring this machine into a cluster",
        .details =
            "Shows a pairing code and waits until somebody approves the machine that shows it. "
            "Without --code the join code comes from the kernel command line "
            "(stratum.join=URI), from the file, or is typed at a console. A stop and a start "
            "later it goes on where it was.",
        .arguments = {},
        .options = {{"--state", "DIR",
                     "What must survive: key, pairing, journal; /var/lib/stratum"},
                    {"--code", "CODE", "The join code: stratum-join://… or its 16 characters"},
                    {"--code-file", "FILE", "A file that holds the join code"},
                    {"--founder", "HOST:PORT", "Where the founder is, for a short code"},
                    {"--console", "DEVICE",
                     "A console to show and read; repeat it for several; - is "
                     "this terminal",
                     false, true},
                    {"--root", "DIR", "Render into this folder instead of changing the machine"},
                    {"--machine", "DIR", "With --root: a captured machine instead of this one"},
                    {"--once", "", "End when joined instead of going on as a member"}},
        .example = "firstboot join --console /dev/tty1 --console /dev/ttyS0",
        .run = run};
}

} // namespace stratum::app
