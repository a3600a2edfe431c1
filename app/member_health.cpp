#include "app/member_health.hpp"

#include "app/say.hpp"

namespace stratum::app {

MemberHealth::MemberHealth(const std::string& state_folder)
    : monitor_(
          {state_folder + "/health.yaml", false},
          {system_clock(), {system_files(), system_processes(), health::probe_url}, {}, log_line},
          board_) {
    monitor_.start();
}

std::vector<std::string> MemberHealth::complaints() const {
    return board_.failing(system_clock().unix_seconds());
}

} // namespace stratum::app
