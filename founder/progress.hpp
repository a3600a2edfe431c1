// What a joiner reports while it installs (or upgrades): steps, log lines, the result. A report
// sent again changes nothing twice; one of an older attempt is answered and ignored.
#pragma once

#include "founder/context.hpp"
#include "founder/pairing_desk.hpp"

namespace stratum::founder {

// The last log line kept of this attempt.
Answer<std::int64_t> take_progress(Context& context, const std::string& id, const Node& body,
                                   const JoinerCall& call);

} // namespace stratum::founder
