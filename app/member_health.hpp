// The health checks of a member, kept up to date beside its heartbeats.
#pragma once

#include <string>
#include <vector>

#include "common/health/monitor.hpp"

namespace stratum::app {

class MemberHealth {
public:
    // The checks are in health.yaml of the state folder; without that file there are none.
    explicit MemberHealth(const std::string& state_folder);
    [[nodiscard]] std::vector<std::string> complaints() const;

private:
    health::Board board_;
    health::Monitor monitor_;
};

} // namespace stratum::app
