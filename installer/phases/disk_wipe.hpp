// Emptying one ordered disk, and nothing else: what udev has assembled on it is taken down, then
// every old partition's both ends, then the disk's own. Afterwards the disk is looked at again and
// must be proved blank.
#pragma once

#include "installer/phases/phase.hpp"
#include "installer/phases/storage_plan.hpp"

namespace stratum::installer {

// Can be cut off anywhere and run again: the marker in the first sector says that the rest is ours
// to wipe. Looks again right before the first write: kConflict for a disk that no longer is, or no
// longer holds, what was approved. Leaves the disk blank but for that marker.
Status wipe_disk(PhaseContext& context, const PlannedDisk& planned);

// The path of a disk that was wiped just now, found again by its key: kConflict unless our marker
// is on it.
Result<std::string> wiped_path(PhaseContext& context, const PlannedDisk& planned);

// Removes the marker, if it is there, and proves what is left: a blank disk, or the physical
// volume.
enum class Leaves { kBlankDisk, kOurVolume };
Status clear_marker(PhaseContext& context, const PlannedDisk& planned, Leaves leaves);

} // namespace stratum::installer
