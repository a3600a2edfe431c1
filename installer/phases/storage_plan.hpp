// What the storage phase will do to each ordered disk, decided before anything is written: every
// disk of node.yaml found again on this machine, compared with what was approved, and judged. Pure.
//
// A disk whose identity or contents differ from the approved digest is refused, untouched. The one
// exception is what this join wrote itself: the journal says that it began, and the disk shows our
// own marker, nothing at all, or a physical volume in the group that carries this join's tag.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/config/node_config.hpp"
#include "common/facts/disk_verdict.hpp"
#include "installer/journal.hpp"
#include "installer/phases/volume_groups.hpp"

namespace stratum::installer {

enum class DiskWork {
    kFresh,    // as approved: wipe it, then build
    kContinue, // this join began to write it: go on
    kDone,     // this join finished it, and it still looks so
};

struct PlannedDisk {
    config::NodeDisk order;
    facts::Disk disk; // as found now
    std::string plan; // hex: what is ordered, and by which join
    DiskWork work = DiskWork::kFresh;
    bool is_in_group = false; // already a volume of this join's own group: never wiped again
};

struct StoragePlan {
    std::vector<PlannedDisk> disks; // in node.yaml's order
};

// Hex of SHA-256 over the join id and the disk's order. The attempt does not count: a retry goes on
// with what the attempt before it began.
std::string plan_digest(const std::string& join_id, const config::NodeDisk& order);

// The first 512 bytes of a disk whose wiping has begun: text, padded with zeros.
std::string wipe_marker(const std::string& join_id, const std::string& plan);
// The plan that a marker names; empty for anything else.
std::string marked_plan(std::string_view first_sector);

// The volume group of a compute pool.
std::string group_name(const std::string& pool);

// May this disk, as it is at this very moment, be wiped for that order: it holds what was approved,
// or bears our marker, or nothing is left on it (it may be known for blank only since what stood on
// it was taken down).
bool may_be_wiped(const PlannedDisk& planned, const facts::Disk& now,
                  std::string_view first_sector);

using ReadFirstSector = std::function<std::string(const std::string& path)>;

// What this join has done so far, by the journal, by LVM and by the disks themselves.
struct OwnTraces {
    const JournalState& journal;
    const std::vector<PhysicalVolume>& volumes; // all that the machine shows
    ReadFirstSector first_sector;
};

// The plan, or every reason why nothing may be written, each naming its disk.
tl::expected<StoragePlan, std::vector<std::string>> plan_storage(const config::NodeConfig& node,
                                                                 const facts::Inventory& machine,
                                                                 const OwnTraces& traces);

// The same for this machine as it is: asks LVM and reads first sectors, writes nothing.
tl::expected<StoragePlan, std::vector<std::string>>
plan_storage_now(PhaseContext& context, const facts::Inventory& machine);

// What no plan of this release can do, before any disk is looked at.
Status can_be_built(const PhaseContext& context);

} // namespace stratum::installer
