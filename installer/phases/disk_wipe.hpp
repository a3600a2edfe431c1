// Emptying one ordered disk, and nothing else: what udev has assembled on it is taken down, then
// every old partition's both ends, then the disk's own. Afterwards the disk is looked at again and
// must be proved blank.
#pragma once

#include "installer/phases/phase.hpp"
#include "installer/phases/storage_plan.hpp"

namespace stratum::installer {

// Can be cut off anywhere and run again: the marker in the first sector says that the rest is ours
// to wipe. Leaves the disk blank but for that marker.
Status wipe_disk(PhaseContext& context, const PlannedDisk& planned);

// Removes the marker, and proves that nothing is left.
Status clear_marker(PhaseContext& context, const PlannedDisk& planned);

} // namespace stratum::installer
