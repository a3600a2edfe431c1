#include <iostream>

#include "app/commands.hpp"
#include "app/say.hpp"
#include "app/version.hpp"
#include "common/base/clock.hpp"
#include "common/base/processes.hpp"
#include "common/base/terminal.hpp"
#include "common/compat/build_pins.hpp"
#include "common/compat/doctor.hpp"
#include "common/compat/probe.hpp"

namespace stratum::app {
namespace {

int run(const Arguments& arguments) {
    auto pins = compat::load_pins(arguments.value("--pins"));
    // (2 says "unsupported": a pins file that is wrong says nothing.)
    if (!pins) return say_failure(pins.error().message, kExitUnreachable);
    const compat::Detections detections = compat::detect_all(*pins, system_processes());
    compat::Fleet fleet;
    fleet.own = compat::judge(*pins, detections, std::string(product_version()));
    const std::int64_t now = system_clock().unix_seconds();
    if (arguments.has("--json")) {
        std::cout << write_json(compat::to_node(fleet.own), 2) << "\n";
        return compat::doctor_exit_code(fleet, now);
    }
    const Terminal terminal = standard_output();
    compat::DoctorStyle style;
    style.columns = terminal.columns;
    style.colour = terminal.colour;
    style.now = now;
    std::cout << compat::render_doctor(fleet, style);
    return compat::doctor_exit_code(fleet, now);
}

} // namespace

CommandSpec doctor_command() {
    return {.path = "doctor",
            .summary = "Show whether this machine's programs fit this release and one another",
            .details =
                "Asks each program for its version (two seconds each at most, side by "
                "side) and judges it by what this build was tested with. Needs no founder. "
                "Exits with 0 for ok, 1 for a warning, 2 for unsupported, 3 where the pins file is "
                "wrong.",
            .arguments = {},
            .options = {{"--json", "", "The report as the API gives it, as JSON"},
                        {"--pins", "FILE",
                         "A site's own components and constraints, laid over this build's by id"}},
            .example = "firstboot doctor",
            .run = run};
}

} // namespace stratum::app
