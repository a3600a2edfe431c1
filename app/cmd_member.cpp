#include "app/commands.hpp"
#include "app/member_health.hpp"
#include "app/say.hpp"
#include "common/base/terminal.hpp"
#include "common/link/http_client.hpp"
#include "member/member.hpp"

namespace stratum::app {
namespace {

int run(const Arguments& arguments) {
    const int stop = stop_descriptor();
    member::MemberOptions options;
    options.state_folder = arguments.value("--state");
    const MemberHealth health(options.state_folder);
    member::MemberSeams seams{.files = system_files(),
                              .clock = system_clock(),
                              .make_client = link::make_client,
                              .sleep_ms =
                                  [stop](std::int64_t wait_ms) {
                                      return !wait_for_stop(stop, static_cast<long>(wait_ms));
                                  },
                              .publish = {},
                              .log = log_line,
                              .complaints = [&health] { return health.complaints(); },
                              .last_look = [&health] { return health.last_look(); }};
    const auto ended = member::run_member(options, seams);
    if (!ended) return say_failure(ended.error().message);
    if (*ended == member::MemberEnd::kRemoved)
        log_line("to bring this machine back, join it anew: firstboot join");
    return kExitOk;
}

} // namespace

CommandSpec member_command() {
    return {.path = "member",
            .summary = "Be a member: heartbeat, and the cluster's member list",
            .details = "Runs on every node after its join; `firstboot join` goes on as this by "
                       "itself once the machine is joined. Health checks in health.yaml of the "
                       "state folder are run beside it, and what fails is told with each "
                       "heartbeat. Every 3 minutes the versions of this machine's programs are "
                       "looked at, by the build's pins and those in pins.yaml of the state "
                       "folder, and told too.",
            .arguments = {},
            .options = {{"--state", "DIR", "The joiner's state folder", true}},
            .example = "firstboot member --state /var/lib/stratum",
            .run = run};
}

} // namespace stratum::app
