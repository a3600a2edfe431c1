// Small helpers that every phase uses: paths inside the target root, and tools that must succeed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "installer/phases/phase.hpp"

namespace stratum::installer {

// `absolute` (begins with /) inside the target root.
std::string in_target(const PhaseContext& context, std::string_view absolute);

// Runs a tool whose failure is the phase's: its last words are in the error. Its output goes to the
// log only when it fails.
Status run_tool(PhaseContext& context, const std::vector<std::string>& argv,
                std::int64_t timeout_ms = 60'000);
// The same, and what it said on standard output.
Result<std::string> ask_tool(PhaseContext& context, const std::vector<std::string>& argv,
                             std::int64_t timeout_ms = 60'000);

// Writes a file of the target, its folder made first; logs "wrote /etc/hostname".
Status write_target(PhaseContext& context, std::string_view absolute, std::string_view content,
                    unsigned mode = 0644);

} // namespace stratum::installer
