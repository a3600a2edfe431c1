// What a member watches of its own machine beside its heartbeats: its health checks, and its
// substrate.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/compat/keeper.hpp"
#include "common/health/monitor.hpp"

namespace stratum::app {

class MemberHealth {
public:
    // The checks are in health.yaml of the state folder, a site's own pins in pins.yaml; without
    // those files there are no checks, and the build's pins alone. A pins.yaml that is wrong is
    // logged, whole, and complained of as long as this runs.
    explicit MemberHealth(const std::string& state_folder);
    [[nodiscard]] std::vector<std::string> complaints() const;
    // Does not wait: nothing before the first look has ended.
    [[nodiscard]] std::optional<compat::Held> last_look() const { return keeper_->seen(); }

private:
    health::Board board_;
    health::Monitor monitor_;
    std::string pins_complaint_; // empty: none
    std::unique_ptr<compat::Keeper> keeper_;
};

} // namespace stratum::app
