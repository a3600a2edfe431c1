// When the joiner looks at its hardware.
#include <algorithm>

#include "installer/session.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kLookEveryMs = 60'000;
// A plugged cable or disk stirs more than once; and what stirs all the time must not read every
// disk all the time.
constexpr std::int64_t kSettleMs = 500, kBetweenLooksMs = 5000;

} // namespace

Result<facts::Inventory> Session::look() {
    const std::string host = wire().host();
    stirred_at_ms_.reset(); // what changes from here on may be missed by this look
    auto inventory = during([&] { return seams_.look(host); });
    looked_at_ms = seams_.clock.steady_ms();
    if (inventory) {
        std::vector<std::string>& warnings = inventory->warnings;
        warnings.insert(warnings.end(), options_.notes.begin(), options_.notes.end());
        shown_.machine = summary_of(*inventory);
        publish();
    }
    return inventory;
}

std::optional<std::int64_t> Session::look_due_in_ms() {
    const std::int64_t now = seams_.clock.steady_ms();
    const bool is_new = seams_.hardware_changed && seams_.hardware_changed();
    if (is_new && !stirred_at_ms_) stirred_at_ms_ = now;
    if (!looked_at_ms) return 0;
    if (now - *looked_at_ms >= kLookEveryMs) return 0;
    if (!stirred_at_ms_) return std::nullopt;
    return std::max({std::int64_t{0}, *stirred_at_ms_ + kSettleMs - now,
                     *looked_at_ms + kBetweenLooksMs - now});
}

} // namespace stratum::installer
