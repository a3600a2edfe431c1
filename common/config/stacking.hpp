// What is wrong with one link by what kind it is and what it stands on, as far as the links alone
// tell. The approval's rules and node.yaml's both answer with these sentences.
#pragma once

#include "common/config/faults.hpp"
#include "common/config/link_graph.hpp"

namespace stratum::config::stacking {

Fault name_missing(const Link& link);
Fault parent_on_other_kind(const Link& link);
Fault parent_is_member(const LinkGraph& graph, const Link& link);
Fault vlan_id_on_other_kind(const Link& link);
Fault vlan_id_missing(const Link& link);
Fault vlan_id_out_of_range(const Link& link);
Fault vlan_id_twice(const LinkGraph& graph, std::size_t i);
Fault controller_on_other_kind(const Link& link);
Fault controller_unknown(const LinkGraph& graph, const Link& link);
Fault bond_missing(const Link& link);
Fault bond_on_other_kind(const Link& link);
Fault bond_without_member(const LinkGraph& graph, const Link& link);
Fault bond_mode_missing(const Link& link);
Fault bond_hash_without_mode(const Link& link);
Fault bond_miimon_out_of_range(const Link& link);
Fault bond_lacp_without_mode(const Link& link);
Fault purpose_is_lifeline(std::string_view purpose);
Fault purpose_on_member(const Link& link, std::string_view purpose);
Fault purpose_repeated(const Link& link, std::size_t j);
Fault address_not_wanted(const Link& link);

// "the bonds there are: bond0, bond1".
std::string bonds_there(const LinkGraph& graph);

} // namespace stratum::config::stacking
