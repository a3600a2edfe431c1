// A small cluster with its founder, and a machine that wants to join it: the ground on which the
// tests of this room change one thing at a time.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/approval.hpp"

namespace stratum::config::test {

inline constexpr const char* kBlankKey = "eui.0025388b71b2c4d1";
inline constexpr const char* kOldKey = "eui.0025388b71b2c4d2";
inline constexpr const char* kScsiKey = "0x5000c500a1b2c301";

// Cluster demo: founder alpha, networks storage 10.77.10.0/24 and overlay 10.77.20.0/24, bridged
// provider whose uplink follows mgmt.
ClusterView demo_cluster();
Network network(std::string name, std::string purpose, std::string_view cidr);
Holder holder(std::string name, const std::vector<std::string>& addresses = {});
IpAddress ip(std::string_view text);

// A machine with enp1s0 (mgmt, 10.77.0.50 leased), enp2s0, enp3s0, enp4s0 (down); a system disk
// whose tail is free, a blank NVMe disk, one that holds ext4, a blank SCSI disk.
facts::Inventory joiner_machine();
facts::Nic nic(std::string name);
facts::Disk blank_disk(std::string path, std::string wwn);

struct Trial {
    ClusterView cluster = demo_cluster();
    JoinFacts join;
    ApprovalRequest request;

    Trial(); // a request that is accepted: links storage and overlay, one blank disk

    Link& link(std::size_t i) { return (*request.assignment.links)[i]; }
    Link& add_link(std::string name, std::string interface);
    DiskChoice& add_disk(std::string key);
    facts::Nic& machine_nic(std::string_view name);
    facts::Disk& machine_disk(std::string_view path);
    // A bond of enp3s0 and enp4s0 that carries overlay, in place of the second link.
    void use_bond();
    // A VLAN 90 on enp3s0 that carries overlay, in place of the second link.
    Link& use_vlan();

    [[nodiscard]] tl::expected<ApprovalPlan, Refusal> plan() const;
    // "field: message" lines of a refusal; empty when it is accepted.
    [[nodiscard]] std::vector<std::string> problems() const;
    // The messages at that field, each on a line; empty where there is none.
    [[nodiscard]] std::string at(std::string_view field) const;
};

// The request of a JSON body; fails the test where it does not decode.
ApprovalRequest request_of(std::string_view json);
// "field: message" lines of what decoding finds.
std::string decode_problems(std::string_view json);

std::string read_repo_file(const std::string& path);

} // namespace stratum::config::test
