#include "common/config/link_graph.hpp"

#include "common/config/words.hpp"

namespace stratum::config {

bool carries(const Link& link, std::string_view purpose) {
    return has_word(link.purposes, purpose);
}

bool carries_network(const Link& link) {
    return carries(link, "storage") || carries(link, "overlay");
}

const Link* LinkGraph::by_device(std::string_view interface) const {
    for (const Link& link : links_)
        if (!interface.empty() && link.interface == interface) return &link;
    return nullptr;
}

const Link* LinkGraph::bond(std::string_view interface) const {
    for (const Link& link : links_)
        if (is_bond(link) && !interface.empty() && link.interface == interface) return &link;
    return nullptr;
}

std::vector<std::size_t> LinkGraph::members_of(std::string_view bond) const {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < links_.size(); ++i)
        if (is_ethernet(links_[i]) && links_[i].controller == bond) members.push_back(i);
    return members;
}

std::vector<std::size_t> LinkGraph::vlans_on(std::string_view parent) const {
    std::vector<std::size_t> vlans;
    for (std::size_t i = 0; i < links_.size(); ++i)
        if (is_vlan(links_[i]) && links_[i].parent == parent) vlans.push_back(i);
    return vlans;
}

std::optional<std::string> LinkGraph::bond_of_nic(std::string_view nic) const {
    for (const Link& link : links_)
        if (is_bond_member(link) && link.interface == nic) return link.controller;
    return {};
}

std::vector<std::string> LinkGraph::nics_below(std::string_view device) const {
    const Link* link = by_device(device);
    // A VLAN's parent is a NIC or a bond; anything else is a mistake that a rule reports, and must
    // not lead in a circle.
    if (link && is_vlan(*link)) {
        const std::string parent = link->parent.value_or("");
        link = by_device(parent);
        if (!link || !is_bond(*link)) return {parent};
        device = link->interface;
    }
    if (!link || !is_bond(*link)) return {std::string(device)};
    std::vector<std::string> nics;
    for (const std::size_t i : members_of(device)) nics.push_back(links_[i].interface);
    return nics;
}

} // namespace stratum::config
