// What the rules of an approval are handed: the cluster, the machine, the merged assignment with
// its defaults, and what was looked up once for all of them. Read only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/address_book.hpp"
#include "common/config/approval.hpp"
#include "common/config/defaults.hpp"
#include "common/config/link_graph.hpp"
#include "common/config/machine_view.hpp"
#include "common/config/places.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::config {

// A disk that the assignment names, as it was found.
struct NamedDisk {
    Result<const facts::Disk*> found;
    std::optional<facts::DiskVerdict> verdict; // where it was found
};

// Storage and overlay networks among these that the link carries, each once.
std::vector<const Network*> networks_carried(const std::vector<Network>& networks,
                                             const Link& link);
// What is wrong with an address of a link that carries these networks.
Fault outside_networks_fault(std::string_view address, const std::vector<const Network*>& networks);

struct ApprovalContext {
    // All of it must outlive the context; `assignment` has its links, disks and NTP servers.
    ApprovalContext(const ClusterView& cluster_, const JoinFacts& join_,
                    const ApprovalRequest& request_, const Assignment& assignment_,
                    const MachineView& machine_);

    [[nodiscard]] const std::vector<Link>& link_list() const { return links.links(); }
    [[nodiscard]] const Link& link(Place at) const { return links.links()[at.i]; }
    [[nodiscard]] const DiskChoice& disk(Place at) const { return (*assignment.disks)[at.i]; }
    // The disk at that place; nullptr where its key names none.
    [[nodiscard]] const facts::Disk* disk_found(std::size_t i) const;
    [[nodiscard]] std::vector<const Network*> networks_of(const Link& link) const;
    // The mgmt address with its prefix, where it has one; the address alone.
    [[nodiscard]] std::optional<Cidr> mgmt_cidr() const;
    [[nodiscard]] std::optional<IpAddress> mgmt_ip() const;
    // It stands where it is to stand, or on what the mgmt device is made over.
    [[nodiscard]] bool is_mgmt_address_in_place() const;

    // It is the stage-1 NIC, and mgmt is not on it.
    [[nodiscard]] bool is_oob(std::string_view nic) const;

    const ClusterView& cluster;
    const JoinFacts& join;
    const ApprovalRequest& request;
    const Assignment& assignment;
    const MachineView& machine;
    LinkGraph links;
    AddressBook book;
    std::vector<NamedDisk> disks;          // beside assignment.disks
    std::optional<std::string> copy_fault; // what copying found
    Follows follows;                       // which defaults follow which field
    // Beside the links: which networks had no address left for it, each a sentence.
    std::vector<std::vector<std::string>> full_networks;
};

} // namespace stratum::config
