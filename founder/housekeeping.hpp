// What has to be done now and then and changes nothing that anybody waits for: rates written down,
// what is older than it has to be kept forgotten.
#pragma once

#include "founder/context.hpp"

namespace stratum::founder {

inline constexpr std::int64_t kWriteRatesEverySeconds = 5;
inline constexpr std::int64_t kForgetEverySeconds = 600;

// Takes up the rates where the founder before left them.
Status take_up_rates(Context& context);
// Does what is due, as often as the constants above say; `last` is for the end of the founder.
Status keep_house(Context& context, bool last = false);

} // namespace stratum::founder
