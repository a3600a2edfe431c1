#include "common/config/stacking.hpp"

#include "common/config/words.hpp"

namespace stratum::config::stacking {

namespace {

constexpr std::int64_t kLargestMiimonMs = 10'000;
constexpr std::string_view kHashingModes[] = {"balance-xor", "802.3ad", "balance-tlb"};

std::string kind_of(const Link& link) {
    return link.kind.value_or("ethernet");
}

const Bond* bond_of(const Link& link) {
    return is_bond(link) && link.bond ? &*link.bond : nullptr;
}

} // namespace

std::string bonds_there(const LinkGraph& graph) {
    std::vector<std::string> bonds;
    for (const Link& link : graph.links())
        if (is_bond(link) && !link.interface.empty()) bonds.push_back(link.interface);
    return "the bonds there are: " + listed(bonds);
}

Fault name_missing(const Link& link) {
    if (!link.name.empty()) return {};
    return "missing: each link needs a name of its own, such as storage";
}

Fault parent_on_other_kind(const Link& link) {
    if (is_vlan(link) || !link.parent) return {};
    return say("only a VLAN has a parent, and this link is of kind ", kind_of(link));
}

Fault parent_is_member(const LinkGraph& graph, const Link& link) {
    if (!is_vlan(link) || !link.parent) return {};
    const auto bond = graph.bond_of_nic(*link.parent);
    if (!bond) return {};
    return say(*link.parent, " is a member of ", *bond, "; put the VLAN on ", *bond);
}

Fault vlan_id_on_other_kind(const Link& link) {
    if (is_vlan(link) || !link.vlan_id) return {};
    return say("only a VLAN has an id, and this link is of kind ", kind_of(link));
}

Fault vlan_id_missing(const Link& link) {
    if (!is_vlan(link) || link.vlan_id) return {};
    return "missing: a VLAN's id, 1-4094";
}

Fault vlan_id_out_of_range(const Link& link) {
    if (!is_vlan(link) || !link.vlan_id) return {};
    return vlan_id_fault(*link.vlan_id);
}

Fault vlan_id_twice(const LinkGraph& graph, std::size_t i) {
    const Link& link = graph.links()[i];
    if (!is_vlan(link) || !link.vlan_id || !link.parent) return {};
    for (const std::size_t j : graph.vlans_on(*link.parent)) {
        const Link& other = graph.links()[j];
        if (j < i && other.vlan_id == link.vlan_id)
            return say(*link.vlan_id, " is already on ", *link.parent, ": link ", other.name);
    }
    return {};
}

Fault controller_on_other_kind(const Link& link) {
    if (is_ethernet(link) || !link.controller) return {};
    return say("only an ethernet link can be a bond's member, and this one is of kind ",
               kind_of(link));
}

Fault controller_unknown(const LinkGraph& graph, const Link& link) {
    if (!link.controller || graph.bond(*link.controller)) return {};
    return say("no bond ", *link.controller, "; ", bonds_there(graph));
}

Fault bond_missing(const Link& link) {
    if (!is_bond(link) || link.bond) return {};
    return say("missing: how the bond works; mode is one of ", listed(kBondModes));
}

Fault bond_on_other_kind(const Link& link) {
    if (is_bond(link) || !link.bond) return {};
    return say("only a link of kind bond has one, and this link is of kind ", kind_of(link));
}

Fault bond_without_member(const LinkGraph& graph, const Link& link) {
    if (!is_bond(link) || !graph.members_of(link.interface).empty()) return {};
    return say("no member: list the NICs as ethernet links with controller ", link.interface);
}

Fault bond_mode_missing(const Link& link) {
    const Bond* bond = bond_of(link);
    if (!bond || bond->mode) return {};
    return say("missing: it is one of ", listed(kBondModes));
}

Fault bond_hash_without_mode(const Link& link) {
    const Bond* bond = bond_of(link);
    if (!bond || !bond->xmit_hash_policy || !bond->mode) return {};
    if (has_word(kHashingModes, *bond->mode)) return {};
    return say("mode ", *bond->mode, " has no hash policy; it goes with ", listed(kHashingModes));
}

Fault bond_miimon_out_of_range(const Link& link) {
    const Bond* bond = bond_of(link);
    if (!bond || !bond->miimon_ms) return {};
    if (*bond->miimon_ms >= 0 && *bond->miimon_ms <= kLargestMiimonMs) return {};
    return say(*bond->miimon_ms, " is outside 0-", kLargestMiimonMs, " (milliseconds)");
}

Fault bond_lacp_without_mode(const Link& link) {
    const Bond* bond = bond_of(link);
    if (!bond || !bond->lacp_rate || !bond->mode || bond->mode == "802.3ad") return {};
    return say("mode ", *bond->mode, " speaks no LACP; it goes with 802.3ad");
}

Fault purpose_is_lifeline(std::string_view purpose) {
    if (purpose == "oob")
        return "oob is the NIC that stage 1 fixed, and is not listed; take it out";
    if (purpose == "mgmt")
        return "mgmt is set in mgmt.interface and mgmt.address, not as a link's purpose; take it "
               "out";
    return {};
}

Fault purpose_on_member(const Link& link, std::string_view purpose) {
    if (!is_bond_member(link)) return {};
    return say("a member of ", *link.controller, " carries nothing itself; give ", purpose,
               " to the bond or a VLAN on it");
}

Fault purpose_repeated(const Link& link, std::size_t j) {
    for (std::size_t earlier = 0; earlier < j; ++earlier)
        if (link.purposes[earlier] == link.purposes[j])
            return say(link.purposes[j], " is named twice");
    return {};
}

Fault address_not_wanted(const Link& link) {
    if (is_bond_member(link))
        return say("a member of ", *link.controller,
                   " has no address; the bond or a VLAN on it has");
    if (link.purposes.size() == 1 && link.purposes.front() == "provider")
        return "a link that carries provider only has no address; VM traffic passes through it";
    return {};
}

} // namespace stratum::config::stacking
