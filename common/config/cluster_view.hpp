// The cluster as an approval sees it: what it decided when it was installed, who is in it, and what
// other joins hold. The founder fills it from its store inside the approval's transaction; the
// rules only read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/net.hpp"
#include "common/config/assignment.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::config {

struct Network {
    std::string name;
    std::string purpose; // storage, overlay, mgmt, provider
    Cidr cidr;           // address() is the network's
    std::int64_t mtu = 1500;
    std::optional<IpAddress> range_from; // absent: the whole network
    std::optional<IpAddress> range_to;
    std::optional<IpAddress> gateway;
    std::vector<std::string> reserved; // addresses, CIDRs or A-B ranges that are not handed out
    bool required = true;              // storage and overlay: each node must have a link for it
    friend bool operator==(const Network&, const Network&) = default;
};

struct Provider {
    std::string topology; // bridged, routed; empty: the cluster has none
    std::optional<std::int64_t> vlan;
    std::string upstream_interface; // the founder's
    std::string upstream_purpose;   // what the founder's uplink also carries; empty: provider only
    friend bool operator==(const Provider&, const Provider&) = default;
};

// What one node, joined or joining, holds.
struct Holder {
    std::string node_id;
    std::string join_id; // empty: a member that came by no join, such as the founder
    std::string name;
    std::string state; // the join's state, or "member"
    bool control_plane = true;
    std::vector<IpAddress> addresses;   // all of them
    std::vector<std::string> disk_keys; // WWNs of its data disks
    friend bool operator==(const Holder&, const Holder&) = default;
};

// A node whose choices can be copied.
struct CopySource {
    std::string node_id;
    bool is_first_node = false;
    bool has_plan = false; // false: a node with nothing to copy
    Assignment assignment;
    facts::Inventory inventory;
};

// The most control-plane nodes a cluster takes.
inline constexpr int kMaxControlPlane = 5;

struct ClusterView {
    std::string name;
    std::string region;
    std::vector<Network> networks;
    Provider provider;
    std::vector<std::string> ntp_servers;
    std::string default_pool = "default";
    bool allow_emulation = false;
    bool allow_no_compute = false;
    int max_control_plane = kMaxControlPlane;
    std::vector<IpAddress> vips;
    std::vector<Holder> holders; // never the join being approved
    std::vector<CopySource> sources;
};

} // namespace stratum::config
