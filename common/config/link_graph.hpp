// How the links of one assignment stand on each other: bonds and their members, VLANs and their
// parents. Works on whatever was asked for, right or wrong; the rules say what is wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/assignment.hpp"

namespace stratum::config {

inline bool is_ethernet(const Link& link) {
    return link.kind.value_or("ethernet") == "ethernet";
}
inline bool is_bond(const Link& link) {
    return link.kind == "bond";
}
inline bool is_vlan(const Link& link) {
    return link.kind == "vlan";
}
inline bool is_bond_member(const Link& link) {
    return is_ethernet(link) && link.controller;
}
bool carries(const Link& link, std::string_view purpose);
// Storage or overlay: it has addresses of the cluster's networks.
bool carries_network(const Link& link);

class LinkGraph {
public:
    // `links` must outlive the graph.
    explicit LinkGraph(const std::vector<Link>& links) : links_(links) {}

    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    // The first link of that device.
    [[nodiscard]] const Link* by_device(std::string_view interface) const;
    [[nodiscard]] const Link* bond(std::string_view interface) const;
    // Indices of the ethernet links that name this bond, of the VLANs that name this parent.
    [[nodiscard]] std::vector<std::size_t> members_of(std::string_view bond) const;
    [[nodiscard]] std::vector<std::size_t> vlans_on(std::string_view parent) const;
    // The bond (its device) that a link makes this NIC a member of.
    [[nodiscard]] std::optional<std::string> bond_of_nic(std::string_view nic) const;
    // The NICs below a device of the assignment, in the order of the links; a name that no link has
    // stands for itself.
    [[nodiscard]] std::vector<std::string> nics_below(std::string_view device) const;

private:
    const std::vector<Link>& links_;
};

} // namespace stratum::config
