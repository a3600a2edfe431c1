// The functions behind the rows of rules.cpp, by section of the assignment. Each says in its row
// when it refuses.
#pragma once

#include "common/config/rules.hpp"

namespace stratum::config::rules {

using Context = ApprovalContext;

// rules_node.cpp
Sentences copy_source_unknown(const Context& c, Place);
Sentences pairing_code_differs(const Context& c, Place);
Sentences role_not_supported(const Context& c, Place);
Sentences cluster_is_full(const Context& c, Place);
Sentences cpu_cannot_run_vms(const Context& c, Place);
Sentences name_is_no_label(const Context& c, Place);
Sentences name_is_taken(const Context& c, Place);
Sentences rack_is_no_label(const Context& c, Place);
Sentences az_is_no_label(const Context& c, Place);
Sentences ntp_is_no_host(const Context& c, Place at);
Sentences ntp_twice(const Context& c, Place at);

// rules_mgmt.cpp
Sentences mgmt_interface_missing(const Context& c, Place);
Sentences mgmt_interface_unknown(const Context& c, Place);
Sentences mgmt_interface_is_member(const Context& c, Place);
Sentences mgmt_interface_not_told_apart(const Context& c, Place);
Sentences mgmt_interface_is_down(const Context& c, Place);
Sentences mgmt_interface_lacks_address(const Context& c, Place);
Sentences mgmt_address_missing(const Context& c, Place);
Sentences mgmt_address_malformed(const Context& c, Place);
Sentences mgmt_address_new_without_prefix(const Context& c, Place);
Sentences mgmt_address_new_without_gateway(const Context& c, Place);
Sentences mgmt_address_no_host(const Context& c, Place);
Sentences mgmt_address_taken(const Context& c, Place);
Sentences mgmt_gateway_malformed(const Context& c, Place);
Sentences mgmt_gateway_unreachable(const Context& c, Place);
Sentences mgmt_dns_malformed(const Context& c, Place at);
Sentences mgmt_dns_is_itself(const Context& c, Place at);

// rules_links.cpp
Sentences link_name_missing(const Context& c, Place at);
Sentences link_name_no_label(const Context& c, Place at);
Sentences link_name_twice(const Context& c, Place at);
Sentences link_device_malformed(const Context& c, Place at);
Sentences link_nic_unknown(const Context& c, Place at);
Sentences link_nic_used(const Context& c, Place at);
Sentences link_nic_not_told_apart(const Context& c, Place at);
Sentences link_nic_is_oob(const Context& c, Place at);
Sentences link_device_collides(const Context& c, Place at);
Sentences link_device_made_otherwise(const Context& c, Place at);
Sentences purpose_is_lifeline(const Context& c, Place at);
Sentences purpose_on_member(const Context& c, Place at);
Sentences purpose_repeated(const Context& c, Place at);
Sentences purpose_required_missing(const Context& c, Place);
Sentences purpose_on_two_links(const Context& c, Place);
Sentences provider_on_two_links(const Context& c, Place);

// rules_stacking.cpp
Sentences parent_on_other_kind(const Context& c, Place at);
Sentences parent_missing(const Context& c, Place at);
Sentences parent_unknown(const Context& c, Place at);
Sentences parent_is_member(const Context& c, Place at);
Sentences parent_not_told_apart(const Context& c, Place at);
Sentences parent_is_oob(const Context& c, Place at);
Sentences vlan_id_on_other_kind(const Context& c, Place at);
Sentences vlan_id_missing(const Context& c, Place at);
Sentences vlan_id_out_of_range(const Context& c, Place at);
Sentences vlan_id_twice(const Context& c, Place at);
Sentences vlan_id_is_providers(const Context& c, Place at);
Sentences controller_on_other_kind(const Context& c, Place at);
Sentences controller_unknown(const Context& c, Place at);
Sentences bond_missing(const Context& c, Place at);
Sentences bond_on_other_kind(const Context& c, Place at);
Sentences bond_without_member(const Context& c, Place at);
Sentences bond_mode_missing(const Context& c, Place at);
Sentences bond_speeds_differ(const Context& c, Place at);
Sentences bond_hash_without_mode(const Context& c, Place at);
Sentences bond_miimon_out_of_range(const Context& c, Place at);
Sentences bond_lacp_without_mode(const Context& c, Place at);

// rules_addresses.cpp
Sentences address_malformed(const Context& c, Place at);
Sentences address_not_wanted(const Context& c, Place at);
Sentences address_outside_networks(const Context& c, Place at);
Sentences address_taken(const Context& c, Place at);
Sentences address_twice(const Context& c, Place at);
Sentences network_without_address(const Context& c, Place at);
Sentences network_not_recorded(const Context& c, Place at);
Sentences network_full(const Context& c, Place at);
Sentences mtu_out_of_range(const Context& c, Place at);
Sentences mtu_past_nic(const Context& c, Place at);
Sentences mtu_past_parent(const Context& c, Place at);
Sentences mtu_below_network(const Context& c, Place at);

// rules_disks.cpp
Sentences disk_unknown(const Context& c, Place at);
Sentences disk_twice(const Context& c, Place at);
Sentences disk_refused(const Context& c, Place at);
Sentences disk_stacked_on_system(const Context& c, Place at);
Sentences disk_held_elsewhere(const Context& c, Place at);
Sentences pool_missing(const Context& c, Place at);
Sentences pool_on_osd(const Context& c, Place at);
Sentences pool_no_label(const Context& c, Place at);
Sentences pool_mixes_media(const Context& c, Place at);
Sentences pool_mixes_blocks(const Context& c, Place at);
Sentences class_on_osd(const Context& c, Place at);
Sentences class_no_label(const Context& c, Place at);
Sentences class_differs_in_pool(const Context& c, Place at);
Sentences wipe_not_confirmed(const Context& c, Place at);
Sentences confirm_for_other_key(const Context& c, Place at);
Sentences no_disk_for_vms(const Context& c, Place);

// rules_provider.cpp
Sentences topology_not_clusters(const Context& c, Place);
Sentences vlan_not_clusters(const Context& c, Place);
Sentences uplink_unwanted(const Context& c, Place);
Sentences uplink_malformed(const Context& c, Place);
Sentences uplink_missing(const Context& c, Place);
Sentences uplink_unknown(const Context& c, Place);
Sentences uplink_is_member(const Context& c, Place);
Sentences uplink_not_told_apart(const Context& c, Place);
Sentences uplink_is_oob(const Context& c, Place);
Sentences uplink_carries_network(const Context& c, Place);

} // namespace stratum::config::rules
