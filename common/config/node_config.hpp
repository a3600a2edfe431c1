// node.yaml, version 1: what a machine is told to become. The founder renders it, the checker
// (`firstboot --config`) and the joiner read it, a founder's own file also says what its cluster
// decided. docs/node-yaml.md describes every field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/findings.hpp"
#include "common/config/assignment.hpp"
#include "common/config/cluster_view.hpp"
#include "common/facts/member.hpp"

namespace stratum::config {

// A NIC by what does not move. `interface` is its name at approval; the permanent MAC finds it.
struct NicRef {
    std::string interface;
    std::string mac; // empty for a bond or VLAN
    friend bool operator==(const NicRef&, const NicRef&) = default;
};

struct NodeMgmt {
    NicRef nic;
    std::string address; // CIDR
    std::string gateway; // empty: none
    std::vector<std::string> dns;
    std::optional<std::int64_t> mtu; // raised for what hangs on it
    friend bool operator==(const NodeMgmt&, const NodeMgmt&) = default;
};

// network.connections[]: a link of the assignment, complete, with its NIC's MAC.
struct Connection {
    Link link;
    std::string mac; // ethernet only
    friend bool operator==(const Connection&, const Connection&) = default;
};

// A disk as it was approved: identity and the digest of what was on it.
struct NodeDisk {
    DiskChoice choice;
    std::string path; // at approval, for people
    std::string serial;
    std::uint64_t size_bytes = 0;
    std::string digest; // hex of facts::contents_digest
    friend bool operator==(const NodeDisk&, const NodeDisk&) = default;
};

// What the cluster decides; the free-form parts are passed through as the founder has them.
struct ClusterSection {
    std::string name;
    std::int64_t planned_size = 3;
    std::int64_t generation = 0;
    std::vector<Network> networks;
    std::vector<std::string> vips;
    std::string default_pool = "default";
    bool allow_emulation = false;
    bool allow_no_compute = false;
    std::vector<facts::Member> members;
    Node passed_through; // parentDomain, upstreamDns, floatingIps, firstAdmin, services, baseImages
    friend bool operator==(const ClusterSection&, const ClusterSection&) = default;
};

struct FounderRef {
    std::vector<std::string> addresses; // HOST:PORT of the join listener
    std::string key;                    // fingerprint, hex
    friend bool operator==(const FounderRef&, const FounderRef&) = default;
};

struct NodeConfig {
    std::int64_t version = 1;
    std::string node_id;
    std::string name;
    std::string role;
    std::string region, az, rack; // topology
    std::string oob_interface;
    NodeMgmt mgmt;
    std::vector<Connection> connections;
    ProviderChoice provider;
    std::string provider_upstream_purpose;
    std::string provider_mac; // of the uplink where it is a NIC; empty for a bond, or not known
    std::vector<NodeDisk> disks;
    std::string os_disk_layout;    // compute-tail, whole-disk; empty: not known
    std::string compute_tail_pool; // with compute-tail
    std::vector<std::string> ntp_servers;
    std::optional<ClusterSection> cluster;
    std::optional<FounderRef> founder;
    std::string join_id; // a joiner's file: the join and the attempt it was rendered for
    std::int64_t attempt = 0;
    friend bool operator==(const NodeConfig&, const NodeConfig&) = default;
};

// Every field's path, in the order of the table: mgmt.address, network.connections[].mtu, ….
std::vector<std::string> node_yaml_fields();

Node to_node(const NodeConfig& config);
std::string render_node_yaml(const NodeConfig& config);

// Reads and checks one file's text: the document's rules, every problem with path, line and column.
// The value is there exactly when there is no finding.
struct CheckedNodeConfig {
    std::optional<NodeConfig> config;
    Findings findings;
};
CheckedNodeConfig check_node_yaml(std::string_view text);
// Besides: what only a founder's own file must have (cluster, IPv4 storage and overlay networks,
// …).
CheckedNodeConfig check_founder_yaml(std::string_view text);

} // namespace stratum::config
