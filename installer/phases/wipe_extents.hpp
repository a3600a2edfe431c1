// Where on an ordered disk something stands: its partitions, and signatures inside those that the
// kernel shows no device for. Noted beside the joiner's state before the first write, because the
// marker that says "this join wipes it" takes the partition table's place: after a power cut
// nothing on the disk says where the old partitions were, and what they held would come back.
#pragma once

#include <cstdint>
#include <vector>

#include "installer/phases/phase.hpp"
#include "installer/phases/storage_plan.hpp"

namespace stratum::installer {

// Bytes of the disk itself.
struct Extent {
    std::uint64_t start_bytes = 0;
    std::uint64_t size_bytes = 0;
    friend auto operator<=>(const Extent&, const Extent&) = default;
};

// Cut at the disk's end. Pure.
std::vector<Extent> extents_of(const facts::Disk& disk);

// Adds what the disk shows now to what is noted for this plan, stores it, and gives back all of it.
Result<std::vector<Extent>> note_extents(PhaseContext& context, const PlannedDisk& planned,
                                         const facts::Disk& disk);
Status forget_extents(PhaseContext& context, const PlannedDisk& planned);

} // namespace stratum::installer
