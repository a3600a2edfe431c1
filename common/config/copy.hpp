// copyFrom: another node's choices, carried over to this machine by what its NICs and disks are,
// and merged with what the request itself says. Never copied: name, mgmt, addresses, confirmations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/cluster_view.hpp"
#include "common/config/machine_view.hpp"

namespace stratum::config {

struct Copied {
    Assignment assignment; // the copied values, each replaced by what the request names
    std::string from;      // the node's id; empty: nothing was copied
    std::vector<std::string> notes;
    std::optional<std::string> fault; // what is wrong with copyFrom
};

Copied copy_and_merge(const ClusterView& cluster, const MachineView& machine,
                      const ApprovalRequest& request);

// The parts of it. What could not be carried over is left out and noted; `complete` says whether
// every link was.
struct CopiedLinks {
    std::vector<Link> links;
    std::string upstream_interface; // empty: none, or not carried over
    std::vector<std::string> notes;
    bool complete = true;
};
CopiedLinks copy_links(const CopySource& source, const MachineView& machine);

struct CopiedDisks {
    std::vector<DiskChoice> disks;
    std::vector<std::string> notes;
};
CopiedDisks copy_disks(const CopySource& source, const MachineView& machine);

// What a person calls the node: its name, else its id.
std::string name_of(const CopySource& source);

} // namespace stratum::config
