// Everything about a joiner that a person chooses on the founder: it becomes the joiner's node.yaml
// and its member row. The same values before the defaults (fields absent) and after (all there).
// Field names are the API's; the decoder is strict and tells every problem at its field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/findings.hpp"

namespace stratum::config {

struct Bond {
    std::optional<std::string> mode; // active-backup, 802.3ad, balance-xor, …
    std::optional<std::string> xmit_hash_policy;
    std::optional<std::int64_t> miimon_ms;
    std::optional<std::string> lacp_rate; // slow, fast
    friend bool operator==(const Bond&, const Bond&) = default;
};

struct Link {
    std::string name;
    std::optional<std::string> kind; // ethernet (default), bond, vlan
    std::string interface;           // the device's name
    std::optional<std::string> parent;
    std::optional<std::int64_t> vlan_id;
    std::optional<std::string> controller;
    std::optional<Bond> bond;
    std::vector<std::string> addresses; // CIDRs as given
    bool addresses_allocated = false;   // read only: the founder picked them
    std::optional<std::int64_t> mtu;
    std::vector<std::string> purposes; // oob, mgmt, storage, overlay, provider
    friend bool operator==(const Link&, const Link&) = default;
};

struct DiskChoice {
    std::string key;                 // WWN or by-id path
    std::optional<std::string> role; // compute (default), ceph-osd
    std::optional<std::string> pool;
    std::optional<std::string> storage_class;
    std::optional<std::string> confirm; // the key again, for a disk that holds data
    friend bool operator==(const DiskChoice&, const DiskChoice&) = default;
};

struct Mgmt {
    std::optional<std::string> interface;
    std::optional<std::string> address; // IP, or CIDR when new on that NIC
    std::optional<std::string> gateway;
    std::optional<std::vector<std::string>> dns;
    friend bool operator==(const Mgmt&, const Mgmt&) = default;
};

struct ProviderChoice {
    std::optional<std::string> topology; // bridged, routed
    std::optional<std::string> upstream_interface;
    std::optional<std::int64_t> vlan;
    friend bool operator==(const ProviderChoice&, const ProviderChoice&) = default;
};

struct Assignment {
    std::optional<std::string> name;
    std::optional<std::string> role;
    std::optional<std::string> rack;
    std::optional<std::string> az;
    Mgmt mgmt;
    std::optional<std::vector<Link>> links; // absent and empty differ: [] turns the copy off
    std::optional<std::vector<DiskChoice>> disks;
    std::optional<std::vector<std::string>> ntp_servers;
    ProviderChoice provider;
    std::string copied_from;             // read only
    std::vector<std::string> copy_notes; // read only
    friend bool operator==(const Assignment&, const Assignment&) = default;
};

// The body of an approval.
struct ApprovalRequest {
    Assignment assignment;
    std::optional<std::string> copy_from;
    std::optional<std::string> pairing_code;
};

// Strict; fields of the assignment are named without "assignment." in front. A value's range and
// everything that needs the hardware is not judged here.
ApprovalRequest read_approval(const Node& body, Findings& findings);
// The same from the body's text: what is wrong with the JSON itself (duplicate members, …) is told
// with the same paths. `limits` are the listener's.
ApprovalRequest parse_approval(std::string_view text, Findings& findings,
                               const DocumentLimits& limits = {});
// A stored assignment. Reads what to_node wrote, read-only members included.
Assignment read_assignment(const Node& node, const FieldPath& path, Findings& findings);
Node to_node(const Assignment& assignment);

} // namespace stratum::config
