// LVM as the storage phase needs it: which physical volumes there are, and one group per pool.
// Every writing command is limited to the ordered devices (--devices). Disks are told apart by the
// uuid of their physical volume (one device has many paths), groups by their uuid and by the tag
// that says which join made them, never by name alone.
#pragma once

#include <string>
#include <vector>

#include "installer/phases/phase.hpp"

namespace stratum::installer {

// A row of `pvs`. A volume that is in no group yet has none of the group's fields.
struct PhysicalVolume {
    std::string path; // as LVM likes to call it; [unknown] for one that a group misses
    std::string uuid; // as libblkid spells it, too
    std::string group, group_uuid;
    std::vector<std::string> tags; // of the group
    friend bool operator==(const PhysicalVolume&, const PhysicalVolume&) = default;
};

// The tag that says which join made a group.
std::string join_tag(const std::string& join_id);
// Is it in the group of this name that this join made.
bool is_in_our_group(const PhysicalVolume& volume, const std::string& name, const std::string& tag);

// lvm's JSON report of `pvs`: pure.
Result<std::vector<PhysicalVolume>> parse_volumes(std::string_view report);
// The physical volumes that this machine shows, read-only: of these devices, or (empty) of all.
Result<std::vector<PhysicalVolume>> list_volumes(PhaseContext& context,
                                                 const std::vector<std::string>& devices);

struct GroupOrder {
    std::string name;
    std::vector<std::string> devices; // paths of all that shall be in it
    std::vector<std::string> missing; // those of them that are not yet in it: they are blank
};

// Makes the group, or completes the one that this join began; refuses a group of this name that
// another made. Read back: exactly the ordered devices, and no other.
Status make_group(PhaseContext& context, const GroupOrder& order);

} // namespace stratum::installer
