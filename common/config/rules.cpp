#include "common/config/rules.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rule_context.hpp"
#include "common/config/rule_functions.hpp"

namespace stratum::config {

namespace {

using namespace rules;

// clang-format off
constexpr Rule kRules[] = {
    // id, field, needs, refused when, function
    {"copy-source", "copyFrom", "",
     "there is no such node, or it has nothing to copy", copy_source_unknown},
    {"pairing-code", "pairingCode", "",
     "it is not the code that this machine's console shows", pairing_code_differs},

    {"name-label", "name", "",
     "it is not a label of at most 63 characters, or is localhost", name_is_no_label},
    {"name-taken", "name", "name",
     "a member, or an approved, running or failed join has it as its name or node id",
     name_is_taken},
    {"role-supported", "role", "",
     "it is not hybrid: the others are planned and not supported yet", role_not_supported},
    {"role-cluster-full", "role", "",
     "the cluster would pass five control-plane nodes", cluster_is_full},
    {"role-virtualization", "role", "",
     "the CPU is known to have neither vmx nor svm, and the cluster does not allow emulation",
     cpu_cannot_run_vms},
    {"rack-label", "rack", "", "it is not a label", rack_is_no_label},
    {"az-label", "az", "", "it is not a label", az_is_no_label},

    {"mgmt-interface-missing", "mgmt.interface", "",
     "none is named, and it is not known which NIC the machine registered from",
     mgmt_interface_missing},
    {"mgmt-interface-unknown", "mgmt.interface", "mgmt.interface",
     "it is neither a NIC of the machine nor a bond or VLAN of this assignment that stands on the "
     "NIC the join registered from", mgmt_interface_unknown},
    {"mgmt-interface-member", "mgmt.interface", "mgmt.interface",
     "a link makes it a member of a bond", mgmt_interface_is_member},
    {"mgmt-interface-mac", "mgmt.interface", "mgmt.interface",
     "another NIC has the same MAC address, or it has none of its own",
     mgmt_interface_not_told_apart},
    {"mgmt-interface-down", "mgmt.interface", "mgmt.interface",
     "it has no carrier", mgmt_interface_is_down},
    {"mgmt-address-missing", "mgmt.address", "mgmt.interface",
     "none is named, and the NIC has no lasting address", mgmt_address_missing},
    {"mgmt-address-form", "mgmt.address", "",
     "it is neither an address nor an address with prefix length", mgmt_address_malformed},
    {"mgmt-interface-address", "mgmt.interface", "mgmt.interface mgmt.address",
     "another NIC holds mgmt.address", mgmt_interface_lacks_address},
    {"mgmt-address-prefix", "mgmt.address", "mgmt.interface mgmt.address",
     "it is new on the device and has no prefix length", mgmt_address_new_without_prefix},
    {"mgmt-address-gateway", "mgmt.address", "mgmt.interface mgmt.address",
     "it is new on the device and mgmt.gateway is not given", mgmt_address_new_without_gateway},
    {"mgmt-address-host", "mgmt.address", "mgmt.address",
     "it is a network's own or its broadcast address (IPv4 of /30 and wider), or its prefix length "
     "is 0", mgmt_address_no_host},
    {"mgmt-address-taken", "mgmt.address", "mgmt.address",
     "another node, a virtual address or another join holds it", mgmt_address_taken},
    {"mgmt-gateway-form", "mgmt.gateway", "", "it is not an address", mgmt_gateway_malformed},
    {"mgmt-gateway-subnet", "mgmt.gateway", "mgmt.gateway mgmt.address",
     "it is not in the address's subnet (fe80::… and, for /32 and /128, any are allowed), or is "
     "the node's own address", mgmt_gateway_unreachable},
    {"mgmt-dns-form", "mgmt.dns[i]", "", "it is not an address of one machine",
     mgmt_dns_malformed},
    {"mgmt-dns-self", "mgmt.dns[i]", "mgmt.dns[i] mgmt.address",
     "it is the node's own address, or a loopback address", mgmt_dns_is_itself},

    {"link-name-missing", "links[i].name", "", "there is none", link_name_missing},
    {"link-name-label", "links[i].name", "links[i].name", "it is not a label", link_name_no_label},
    {"link-name-twice", "links[i].name", "links[i].name",
     "an earlier link has it", link_name_twice},
    {"link-device-name", "links[i].interface", "",
     "it is missing, longer than 15 characters, has others than letters, digits, dot, hyphen and "
     "underscore, is a number, lo, or a name that Linux or the platform uses",
     link_device_malformed},
    {"link-nic-unknown", "links[i].interface", "links[i].interface",
     "an ethernet link names no physical NIC of the machine", link_nic_unknown},
    {"link-nic-used", "links[i].interface", "links[i].interface",
     "an earlier ethernet link uses that NIC", link_nic_used},
    {"link-nic-mac", "links[i].interface", "links[i].interface",
     "another NIC has the same MAC address, or it has none of its own", link_nic_not_told_apart},
    {"link-nic-oob", "links[i].interface", "links[i].interface mgmt.interface",
     "it is the out-of-band NIC of stage 1, and mgmt is not on it", link_nic_is_oob},
    {"link-device-collides", "links[i].interface", "links[i].interface",
     "a bond or VLAN has the name of a NIC or of another link's device", link_device_collides},
    {"link-device-adopted", "links[i].interface", "links[i].interface",
     "the machine has a device of that name that is made otherwise", link_device_made_otherwise},

    {"vlan-parent-kind", "links[i].parent", "",
     "it is given on a link that is no VLAN", parent_on_other_kind},
    {"vlan-parent-missing", "links[i].parent", "", "a VLAN has none", parent_missing},
    {"vlan-parent-unknown", "links[i].parent", "links[i].parent",
     "it is neither a NIC of the machine nor a bond of this assignment", parent_unknown},
    {"vlan-parent-member", "links[i].parent", "links[i].parent",
     "it is a member of a bond", parent_is_member},
    {"vlan-parent-mac", "links[i].parent", "links[i].parent",
     "it is a NIC, and another NIC has the same MAC address, or it has none of its own",
     parent_not_told_apart},
    {"vlan-parent-oob", "links[i].parent", "links[i].parent mgmt.interface",
     "it is the out-of-band NIC of stage 1, and mgmt is not on it", parent_is_oob},
    {"vlan-id-kind", "links[i].vlanId", "",
     "it is given on a link that is no VLAN", vlan_id_on_other_kind},
    {"vlan-id-missing", "links[i].vlanId", "", "a VLAN has none", vlan_id_missing},
    {"vlan-id-range", "links[i].vlanId", "links[i].vlanId",
     "it is outside 1-4094", vlan_id_out_of_range},
    {"vlan-id-twice", "links[i].vlanId", "links[i].vlanId links[i].parent",
     "an earlier VLAN of that parent has it", vlan_id_twice},
    {"vlan-id-provider", "links[i].vlanId", "links[i].vlanId links[i].parent",
     "it is the provider's VLAN on the uplink", vlan_id_is_providers},

    {"controller-kind", "links[i].controller", "",
     "it is given on a link that is not ethernet", controller_on_other_kind},
    {"controller-unknown", "links[i].controller", "links[i].controller",
     "it is not a bond of this assignment", controller_unknown},
    {"bond-missing", "links[i].bond", "", "a link of kind bond has none", bond_missing},
    {"bond-kind", "links[i].bond", "",
     "it is given on a link that is no bond", bond_on_other_kind},
    {"bond-members", "links[i].bond", "links[i].interface",
     "no ethernet link names this bond as its controller", bond_without_member},
    {"bond-mode-missing", "links[i].bond.mode", "", "a bond has none", bond_mode_missing},
    {"bond-speeds", "links[i].bond.mode", "links[i].bond.mode",
     "with 802.3ad its members have different known speeds", bond_speeds_differ},
    {"bond-hash", "links[i].bond.xmitHashPolicy", "",
     "the mode has none: it goes with balance-xor, 802.3ad and balance-tlb",
     bond_hash_without_mode},
    {"bond-miimon", "links[i].bond.miimonMs", "",
     "it is outside 0-10000", bond_miimon_out_of_range},
    {"bond-lacp", "links[i].bond.lacpRate", "",
     "the mode is not 802.3ad", bond_lacp_without_mode},

    {"purpose-lifeline", "links[i].purposes[j]", "",
     "it is oob (the stage-1 NIC, not listed) or mgmt (that is mgmt)", purpose_is_lifeline},
    {"purpose-member", "links[i].purposes[j]", "links[i].purposes[j]",
     "the link is a member of a bond", purpose_on_member},
    {"purpose-repeated", "links[i].purposes[j]", "links[i].purposes[j]",
     "the link names it twice", purpose_repeated},
    {"links-required", "links", "copyFrom",
     "no link carries storage or overlay, and the cluster requires it", purpose_required_missing},
    {"links-purpose-once", "links", "",
     "two links carry storage, or overlay", purpose_on_two_links},
    {"links-provider-once", "links", "",
     "two links carry provider", provider_on_two_links},

    {"address-form", "links[i].addresses[j]", "",
     "it is not an IPv4 host address with its prefix length", address_malformed},
    {"address-not-wanted", "links[i].addresses[j]", "links[i].addresses[j]",
     "the link is a member of a bond, or carries provider only", address_not_wanted},
    {"address-network", "links[i].addresses[j]", "links[i].addresses[j]",
     "it is not in a network that the link carries, or has another prefix length",
     address_outside_networks},
    {"address-taken", "links[i].addresses[j]", "links[i].addresses[j]",
     "a node, join, virtual address, gateway or reserved range has it", address_taken},
    {"address-twice", "links[i].addresses[j]", "links[i].addresses[j]",
     "this assignment gives it twice", address_twice},
    {"addresses-complete", "links[i].addresses", "links[i].addresses",
     "a network that the link carries is left without an address", network_without_address},

    {"addresses-recorded", "links[i].addresses", "",
     "none is given, and the cluster records no network of a purpose that the link carries",
     network_not_recorded},
    {"addresses-full", "links[i].addresses", "",
     "none is given, and a network that the link carries has no free address left", network_full},

    {"mtu-range", "links[i].mtu", "",
     "it is outside 576-9216 (1280 at least with IPv6)", mtu_out_of_range},
    {"mtu-nic", "links[i].mtu", "links[i].mtu links[i].interface",
     "it is past what the NIC, or a member of the bond, can have", mtu_past_nic},
    {"mtu-parent", "links[i].mtu", "links[i].mtu links[i].parent",
     "a VLAN's is past what its parent can have", mtu_past_parent},
    {"mtu-network", "links[i].mtu", "links[i].mtu",
     "it is less than a network needs that the link carries", mtu_below_network},

    {"disk-unknown", "disks[i].key", "",
     "it names no disk, more than one, or is a kernel name", disk_unknown},
    {"disk-twice", "disks[i].key", "disks[i].key",
     "an earlier choice names the same disk, under whatever key", disk_twice},
    {"disk-refused", "disks[i].key", "disks[i].key",
     "the disk is the system's, in use, read-only, on USB or an SD card, too small, or cannot be "
     "used for a reason that its inventory says", disk_refused},
    {"disk-system-stack", "disks[i].key", "disks[i].key",
     "the disk is in a stack with a system disk", disk_stacked_on_system},
    {"disk-shared", "disks[i].key", "disks[i].key",
     "a member or another join holds a disk of that WWN", disk_held_elsewhere},
    {"pool-missing", "disks[i].pool", "", "a compute disk has none", pool_missing},
    {"pool-osd", "disks[i].pool", "", "a ceph-osd disk has one", pool_on_osd},
    {"pool-label", "disks[i].pool", "disks[i].pool", "it is not a label", pool_no_label},
    {"pool-media", "disks[i].pool", "disks[i].pool disks[i].key",
     "the pool would mix rotational disks and flash", pool_mixes_media},
    {"pool-blocks", "disks[i].pool", "disks[i].pool disks[i].key",
     "the pool would mix logical block sizes", pool_mixes_blocks},
    {"class-osd", "disks[i].storageClass", "", "a ceph-osd disk has one", class_on_osd},
    {"class-label", "disks[i].storageClass", "disks[i].storageClass disks[i].pool",
     "it is not a label", class_no_label},
    {"class-once", "disks[i].storageClass", "disks[i].storageClass disks[i].pool",
     "an earlier disk gives its pool another one", class_differs_in_pool},
    {"wipe-confirmed", "disks[i].confirm", "disks[i].key",
     "the disk holds data, or is not proved blank, and confirm is not exactly its key",
     wipe_not_confirmed},
    {"confirm-key", "disks[i].confirm", "disks[i].confirm disks[i].key",
     "it is given for another key", confirm_for_other_key},
    {"disks-needed", "disks", "",
     "the OS has its disks whole, no disk is assigned, and the cluster does not allow that",
     no_disk_for_vms},

    {"ntp-host", "ntpServers[i]", "",
     "it is neither a host name nor an address of one machine", ntp_is_no_host},
    {"ntp-twice", "ntpServers[i]", "ntpServers[i]", "an earlier one is the same", ntp_twice},

    {"provider-topology", "provider.topology", "", "it is not the cluster's",
     topology_not_clusters},
    {"provider-vlan", "provider.vlan", "", "it is not the cluster's", vlan_not_clusters},
    {"uplink-unwanted", "provider.upstreamInterface", "",
     "the cluster has no provider network", uplink_unwanted},
    {"uplink-name", "provider.upstreamInterface", "provider.upstreamInterface",
     "it cannot be a device's name, whatever the topology", uplink_malformed},
    {"uplink-missing", "provider.upstreamInterface", "copyFrom mgmt.interface",
     "the cluster is bridged, none is named, and none follows from the founder's", uplink_missing},
    {"uplink-unknown", "provider.upstreamInterface", "provider.upstreamInterface",
     "the cluster is bridged and it is neither a NIC nor a bond", uplink_unknown},
    {"uplink-member", "provider.upstreamInterface", "provider.upstreamInterface",
     "it is a member of a bond", uplink_is_member},
    {"uplink-mac", "provider.upstreamInterface", "provider.upstreamInterface",
     "another NIC has the same MAC address, or it has none of its own", uplink_not_told_apart},
    {"uplink-oob", "provider.upstreamInterface", "provider.upstreamInterface mgmt.interface",
     "it is the out-of-band NIC of stage 1, and mgmt is not on it", uplink_is_oob},
    {"uplink-network", "provider.upstreamInterface", "provider.upstreamInterface",
     "the cluster is bridged and its own link (not a VLAN over it) carries storage or overlay",
     uplink_carries_network},
};
// clang-format on

std::size_t count_elements(const ApprovalContext& context, std::string_view list, Place place) {
    const Assignment& assignment = context.assignment;
    if (list == "links") return assignment.links->size();
    if (list == "links[i].addresses") return context.link(place).addresses.size();
    if (list == "links[i].purposes") return context.link(place).purposes.size();
    if (list == "disks") return assignment.disks->size();
    if (list == "ntpServers") return assignment.ntp_servers->size();
    if (list == "mgmt.dns") return assignment.mgmt.dns ? assignment.mgmt.dns->size() : 0;
    return 0;
}

bool is_spoiled(const RuleWalk& walk, Place place, const Findings& findings) {
    const auto needs = words(walk.needs);
    return std::any_of(needs.begin(), needs.end(), [&](const std::string& pattern) {
        return findings.has_at(path_of(pattern, place));
    });
}

// A default that only repeats what is wrong elsewhere.
bool follows_spoiled(const ApprovalContext& context, const FieldPath& field,
                     const Findings& findings) {
    const auto followed = context.follows.find(field.str());
    return followed != context.follows.end() && findings.has_at(path_of(followed->second));
}

} // namespace

void walk_rule(const RuleWalk& walk, Findings& findings) {
    for_each_place(walk.field, walk.count, [&](Place place) {
        if (is_spoiled(walk, place, findings)) return;
        for (std::string& sentence : walk.check(place))
            findings.add(path_of(walk.field, place), std::move(sentence));
    });
}

std::span<const Rule> approval_rules() {
    return kRules;
}

void judge(std::span<const Rule> rules, const ApprovalContext& context, Findings& findings) {
    const CountElements count = [&](std::string_view list, Place place) {
        return count_elements(context, list, place);
    };
    for (const Rule& rule : rules) {
        const auto check = [&](Place place) {
            if (follows_spoiled(context, path_of(rule.field, place), findings)) return Sentences{};
            return rule.check(context, place);
        };
        walk_rule({rule.field, rule.needs, count, check}, findings);
    }
}

} // namespace stratum::config
