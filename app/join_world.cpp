#include "app/join_world.hpp"

#include <memory>

#include "app/say.hpp"
#include "app/set_clock.hpp"
#include "common/base/hash.hpp"
#include "common/base/net.hpp"
#include "common/base/terminal.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/edge/device_events.hpp"

namespace stratum::app {
namespace {

Result<facts::Inventory> look_at(const std::string& machine, const std::string& founder_host) {
    hw::DiscoverOptions options;
    options.root = machine;
    if (const auto address = IpAddress::parse(founder_host)) options.founder_address = *address;
    return hw::discover(options);
}

bool has_changed(hw::DeviceEvents& events) {
    return events.wait(0) == hw::Woken::kChange;
}

std::uint32_t random_number_below(std::uint32_t below) {
    const Bytes bytes = random_bytes(4);
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    return below == 0 ? 0 : value % below; // for jitter: an even spread is not needed
}

installer::Waited wait_at(ui::Console& console, std::int64_t wait_ms) {
    const ui::ConsoleEvent event = console.wait(wait_ms);
    return {event.stop, event.line};
}

} // namespace

installer::JoinSeams join_seams(const JoinWorld& world) {
    ui::Console* console = &world.console;
    const int stop = world.stop;
    installer::JoinSeams seams{
        .files = system_files(),
        .processes = system_processes(),
        .clock = system_clock(),
        .make_client = link::make_client,
        .ask_key = [](const HostPort& founder) { return link::ask_key(founder); },
        .look = [machine =
                     world.machine](const std::string& host) { return look_at(machine, host); },
        .hardware_changed = [events = std::shared_ptr<hw::DeviceEvents>(hw::open_device_events(
                                 {.root = world.machine}))] { return has_changed(*events); },
        .wait = [console](std::int64_t wait_ms) { return wait_at(*console, wait_ms); },
        .stopping = [stop] { return wait_for_stop(stop, 0); },
        .publish = [console](const installer::JoinProgress& now) { console->show(now); },
        .log = log_line,
        .set_clock = {},
        .random_below = random_number_below,
        .start_background = installer::start_thread,
        .steps = {}};
    if (world.is_real) seams.set_clock = set_machine_clock;
    return seams;
}

} // namespace stratum::app
