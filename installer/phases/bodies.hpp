// The phases' functions, one file each; phases.cpp is the list.
#pragma once

#include "installer/phases/phase.hpp"

namespace stratum::installer {

Status run_verify(PhaseContext& context);
Status run_identity(PhaseContext& context);
Status run_network(PhaseContext& context);
Status run_time(PhaseContext& context);
Status run_storage(PhaseContext& context);
Status run_finish(PhaseContext& context);

} // namespace stratum::installer
