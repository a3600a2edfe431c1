// LVM as the storage phase needs it: which groups there are, and one group per pool. Every writing
// command is limited to the ordered devices (--devices), and groups are told apart by uuid and
// tags, never by name alone.
#pragma once

#include <string>
#include <vector>

#include "installer/phases/phase.hpp"

namespace stratum::installer {

struct VolumeGroup {
    std::string name;
    std::string uuid;
    std::vector<std::string> tags;
    std::vector<std::string> devices; // paths of its physical volumes, byte order
    friend bool operator==(const VolumeGroup&, const VolumeGroup&) = default;
};

// The tag that says which join made a group.
std::string join_tag(const std::string& join_id);

// lvm's JSON report: pure.
Result<std::vector<VolumeGroup>> parse_groups(std::string_view report);
// Every group this machine shows, read-only.
Result<std::vector<VolumeGroup>> list_groups(PhaseContext& context);

// Makes the group of these devices, or completes the one that this join began. Blank devices, or
// physical volumes of our own; a group of this name that another made is refused. Read back.
Status make_group(PhaseContext& context, const std::string& name,
                  const std::vector<std::string>& devices);

} // namespace stratum::installer
