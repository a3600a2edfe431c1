// The rules of node.yaml: what can be judged from the document alone, without its machine. The
// tables are in document_rules.cpp; positions and paths are added by the checker.
#pragma once

#include "common/config/link_graph.hpp"
#include "common/config/node_config.hpp"
#include "common/config/rules.hpp"

namespace stratum::config {

struct DocumentContext {
    // `config_` must outlive the context.
    explicit DocumentContext(const NodeConfig& config_);

    [[nodiscard]] const Link& link(Place at) const { return links[at.i]; }
    [[nodiscard]] bool is_joiners() const { return !config.join_id.empty(); }
    // The storage or overlay network of that purpose, where the document has the cluster's.
    [[nodiscard]] const Network* network_for(std::string_view purpose) const;

    const NodeConfig& config;
    std::vector<Link> links; // of the connections, in their order
    LinkGraph graph;
};

namespace document {

using Context = DocumentContext;

// document_links.cpp
Sentences name_missing(const Context& c, Place at);
Sentences name_no_label(const Context& c, Place at);
Sentences name_twice(const Context& c, Place at);
Sentences device_malformed(const Context& c, Place at);
Sentences device_twice(const Context& c, Place at);
Sentences mac_missing(const Context& c, Place at);
Sentences mac_on_other_kind(const Context& c, Place at);
Sentences mac_twice(const Context& c, Place at);
Sentences parent_missing(const Context& c, Place at);
Sentences parent_on_other_kind(const Context& c, Place at);
Sentences parent_unknown(const Context& c, Place at);
Sentences parent_is_member(const Context& c, Place at);
Sentences vlan_id_missing(const Context& c, Place at);
Sentences vlan_id_on_other_kind(const Context& c, Place at);
Sentences vlan_id_out_of_range(const Context& c, Place at);
Sentences vlan_id_twice(const Context& c, Place at);
Sentences controller_on_other_kind(const Context& c, Place at);
Sentences controller_unknown(const Context& c, Place at);
Sentences bond_missing(const Context& c, Place at);
Sentences bond_on_other_kind(const Context& c, Place at);
Sentences bond_without_member(const Context& c, Place at);
Sentences bond_mode_missing(const Context& c, Place at);
Sentences bond_hash_without_mode(const Context& c, Place at);
Sentences bond_miimon_out_of_range(const Context& c, Place at);
Sentences bond_lacp_without_mode(const Context& c, Place at);
Sentences purpose_is_lifeline(const Context& c, Place at);
Sentences purpose_on_member(const Context& c, Place at);
Sentences purpose_repeated(const Context& c, Place at);
Sentences purpose_on_two_links(const Context& c, Place);
Sentences address_malformed(const Context& c, Place at);
Sentences address_not_wanted(const Context& c, Place at);
Sentences address_outside_networks(const Context& c, Place at);
Sentences address_twice(const Context& c, Place at);
Sentences mtu_out_of_range(const Context& c, Place at);
Sentences mtu_past_parent(const Context& c, Place at);
Sentences mtu_not_bonds(const Context& c, Place at);

// document_node.cpp
Sentences mgmt_device_is_member(const Context& c, Place);
Sentences mgmt_mac_missing(const Context& c, Place);
Sentences gateway_unreachable(const Context& c, Place);
Sentences dns_is_itself(const Context& c, Place at);
Sentences topology_missing(const Context& c, Place);
Sentences uplink_missing(const Context& c, Place);
Sentences uplink_malformed(const Context& c, Place);
Sentences uplink_is_vlan(const Context& c, Place);
Sentences uplink_is_member(const Context& c, Place);
Sentences uplink_carries_network(const Context& c, Place);
Sentences provider_vlan_out_of_range(const Context& c, Place);
Sentences disk_key_moves(const Context& c, Place at);
Sentences disk_twice(const Context& c, Place at);
Sentences disk_size_missing(const Context& c, Place at);
Sentences disk_digest_missing(const Context& c, Place at);
Sentences pool_missing(const Context& c, Place at);
Sentences pool_on_osd(const Context& c, Place at);
Sentences pool_no_label(const Context& c, Place at);
Sentences class_on_osd(const Context& c, Place at);
Sentences class_no_label(const Context& c, Place at);
Sentences class_differs_in_pool(const Context& c, Place at);
Sentences confirm_for_other_key(const Context& c, Place at);
Sentences tail_pool_missing(const Context& c, Place);
Sentences tail_pool_without_tail(const Context& c, Place);
Sentences ntp_twice(const Context& c, Place at);

// document_cluster.cpp
Sentences network_name_twice(const Context& c, Place at);
Sentences network_purpose_twice(const Context& c, Place at);
Sentences networks_overlap(const Context& c, Place at);
Sentences range_from_outside(const Context& c, Place at);
Sentences range_to_outside(const Context& c, Place at);
Sentences gateway_outside(const Context& c, Place at);
Sentences reserved_outside(const Context& c, Place at);
Sentences vip_twice(const Context& c, Place at);
Sentences vip_is_nodes(const Context& c, Place at);
Sentences cluster_missing(const Context& c, Place);
Sentences join_given(const Context& c, Place);
Sentences founder_not_hybrid(const Context& c, Place);
Sentences network_missing(const Context& c, Place);
Sentences network_not_ipv4(const Context& c, Place at);
Sentences own_link_missing(const Context& c, Place);
Sentences own_address_missing(const Context& c, Place at);

} // namespace document

} // namespace stratum::config
