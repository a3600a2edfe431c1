#include "app/member_health.hpp"

#include "app/say.hpp"
#include "app/site_pins.hpp"
#include "app/version.hpp"

namespace stratum::app {

MemberHealth::MemberHealth(const std::string& state_folder)
    : monitor_(
          {state_folder + "/health.yaml", false},
          {system_clock(), {system_files(), system_processes(), health::probe_url}, {}, log_line},
          board_) {
    auto pins = site_pins("", state_folder);
    if (!pins) {
        const std::string& said = pins.error().message;
        log_line(said);
        pins_complaint_ = "its pins cannot be used, it is judged by the build's alone: " +
                          said.substr(0, said.find('\n'));
        pins = compat::load_pins("");
    }
    keeper_ = std::make_unique<compat::Keeper>(
        pins ? std::move(*pins) : compat::Pins{},
        compat::Keeper::World{system_processes(), system_clock(), std::string(product_version())});
    monitor_.start();
}

std::vector<std::string> MemberHealth::complaints() const {
    auto all = board_.failing(system_clock().unix_seconds());
    if (!pins_complaint_.empty()) all.push_back(pins_complaint_);
    return all;
}

} // namespace stratum::app
