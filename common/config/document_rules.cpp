#include "common/config/document_rules.hpp"

#include "common/config/words.hpp"

namespace stratum::config {

namespace {

using namespace document;

// clang-format off
constexpr DocumentRule kNodeYamlRules[] = {
    // id, field, needs,
    // refused when, function
    {"connection-name-missing", "network.connections[i].name", "network.connections[i].name",
     "there is none", name_missing},
    {"connection-name-label", "network.connections[i].name", "network.connections[i].name",
     "it is not a label", name_no_label},
    {"connection-name-twice", "network.connections[i].name", "network.connections[i].name",
     "an earlier connection has it", name_twice},
    {"connection-device-name", "network.connections[i].interface",
     "network.connections[i].interface",
     "it is missing, longer than 15 characters, has others than letters, digits, dot, hyphen and "
     "underscore, is a number, lo, or a name that Linux or the platform uses", device_malformed},
    {"connection-device-twice", "network.connections[i].interface",
     "network.connections[i].interface",
     "an earlier connection has that device", device_twice},
    {"connection-mac-missing", "network.connections[i].mac",
     "network.connections[i].mac network.connections[i].kind",
     "an ethernet connection of a joiner's file has none", mac_missing},
    {"connection-mac-kind", "network.connections[i].mac",
     "",
     "it is given on a bond or VLAN", mac_on_other_kind},
    {"connection-mac-twice", "network.connections[i].mac",
     "network.connections[i].mac",
     "an earlier connection has it", mac_twice},
    {"connection-parent-kind", "network.connections[i].parent", "network.connections[i].kind",
     "it is given on a connection that is no VLAN", parent_on_other_kind},
    {"connection-parent-missing", "network.connections[i].parent",
     "network.connections[i].parent",
     "a VLAN has none", parent_missing},
    {"connection-parent-unknown", "network.connections[i].parent",
     "",
     "it is neither a NIC nor a bond of this document", parent_unknown},
    {"connection-parent-member", "network.connections[i].parent",
     "",
     "it is a member of a bond", parent_is_member},
    {"connection-vlan-kind", "network.connections[i].vlanId", "network.connections[i].kind",
     "it is given on a connection that is no VLAN", vlan_id_on_other_kind},
    {"connection-vlan-missing", "network.connections[i].vlanId",
     "network.connections[i].vlanId",
     "a VLAN has none", vlan_id_missing},
    {"connection-vlan-range", "network.connections[i].vlanId",
     "",
     "it is outside 1-4094", vlan_id_out_of_range},
    {"connection-vlan-twice", "network.connections[i].vlanId",
     "network.connections[i].vlanId",
     "an earlier VLAN of that parent has it", vlan_id_twice},
    {"connection-controller-kind", "network.connections[i].controller",
     "",
     "it is given on a connection that is not ethernet", controller_on_other_kind},
    {"connection-controller-unknown", "network.connections[i].controller",
     "network.connections[i].controller",
     "it is not a bond of this document", controller_unknown},
    {"connection-bond-missing", "network.connections[i].bond",
     "network.connections[i].bond",
     "a bond has none", bond_missing},
    {"connection-bond-kind", "network.connections[i].bond",
     "network.connections[i].bond network.connections[i].kind",
     "it is given on a connection that is no bond", bond_on_other_kind},
    {"connection-bond-members", "network.connections[i].bond",
     "network.connections[i].interface",
     "no ethernet connection names this bond as its controller", bond_without_member},
    {"connection-bond-mode", "network.connections[i].bond.mode",
     "network.connections[i].bond.mode network.connections[i].kind",
     "there is none", bond_mode_missing},
    {"connection-bond-hash", "network.connections[i].bond.xmitHashPolicy",
     "",
     "the mode has none", bond_hash_without_mode},
    {"connection-bond-miimon", "network.connections[i].bond.miimonMs",
     "",
     "it is outside 0-10000", bond_miimon_out_of_range},
    {"connection-bond-lacp", "network.connections[i].bond.lacpRate",
     "",
     "the mode is not 802.3ad", bond_lacp_without_mode},
    {"connection-purpose-lifeline", "network.connections[i].purposes[j]", "",
     "it is oob or mgmt, which have sections of their own", purpose_is_lifeline},
    {"connection-purpose-member", "network.connections[i].purposes[j]",
     "network.connections[i].purposes[j]",
     "the connection is a member of a bond", purpose_on_member},
    {"connection-purpose-repeated", "network.connections[i].purposes[j]",
     "network.connections[i].purposes[j]",
     "the connection names it twice", purpose_repeated},
    {"connections-purpose-once", "network.connections", "",
     "two connections carry one purpose", purpose_on_two_links},
    {"connection-address-form", "network.connections[i].addresses[j]",
     "network.connections[i].addresses[j]",
     "it is not an IPv4 host address with its prefix length", address_malformed},
    {"connection-address-not-wanted", "network.connections[i].addresses[j]",
     "network.connections[i].addresses[j]",
     "the connection is a member of a bond, or carries provider only", address_not_wanted},
    {"connection-address-network", "network.connections[i].addresses[j]",
     "network.connections[i].addresses[j] network.connections[i].purposes cluster.networks",
     "it is not in a network that the connection carries, or has another prefix length",
     address_outside_networks},
    {"connection-address-twice", "network.connections[i].addresses[j]",
     "network.connections[i].addresses[j]",
     "this document gives it twice", address_twice},
    {"connection-mtu-range", "network.connections[i].mtu",
     "",
     "it is outside 576-9216 (1280 at least with IPv6)", mtu_out_of_range},
    {"connection-mtu-parent", "network.connections[i].mtu",
     "network.connections[i].mtu network.connections[i].parent",
     "a VLAN's is above its parent's", mtu_past_parent},
    {"connection-mtu-bond", "network.connections[i].mtu",
     "network.connections[i].mtu",
     "a bond member's is not its bond's", mtu_not_bonds},
    {"node-mgmt-member", "mgmt.interface", "mgmt.interface",
     "it is a member of a bond", mgmt_device_is_member},
    {"node-mgmt-mac", "mgmt.mac", "mgmt.mac mgmt.interface",
     "a joiner's file names an mgmt NIC without its MAC", mgmt_mac_missing},
    {"node-gateway", "mgmt.gateway", "",
     "it is not in the address's subnet (fe80::… and, for /32 and /128, any are allowed), or is "
     "the node's own address", gateway_unreachable},
    {"node-dns-self", "mgmt.dns[i]", "",
     "it is the node's own address", dns_is_itself},
    {"node-provider-topology", "provider.topology", "provider.topology",
     "another field of provider is given without it", topology_missing},
    {"node-uplink-missing", "provider.upstreamInterface", "provider.upstreamInterface",
     "the topology is bridged and there is none", uplink_missing},
    {"node-uplink-name", "provider.upstreamInterface", "provider.upstreamInterface",
     "it cannot be a device's name", uplink_malformed},
    {"node-uplink-vlan", "provider.upstreamInterface", "provider.upstreamInterface",
     "it is a VLAN", uplink_is_vlan},
    {"node-uplink-member", "provider.upstreamInterface", "provider.upstreamInterface",
     "it is a member of a bond", uplink_is_member},
    {"node-uplink-network", "provider.upstreamInterface", "provider.upstreamInterface",
     "the topology is bridged and its own connection carries storage or overlay",
     uplink_carries_network},
    {"node-provider-vlan", "provider.vlan", "provider.vlan",
     "it is outside 1-4094", provider_vlan_out_of_range},
    {"node-disk-key", "disks[i].key", "disks[i].key",
     "it is a kernel name", disk_key_moves},
    {"node-disk-twice", "disks[i].key", "disks[i].key",
     "an earlier disk has it", disk_twice},
    {"node-disk-size", "disks[i].sizeBytes", "disks[i].sizeBytes",
     "a joiner's file names a disk without its size", disk_size_missing},
    {"node-disk-digest", "disks[i].digest", "disks[i].digest",
     "a joiner's file names a disk without its digest", disk_digest_missing},
    {"node-pool-missing", "disks[i].pool", "disks[i].pool disks[i].role",
     "a compute disk has none", pool_missing},
    {"node-pool-osd", "disks[i].pool", "",
     "a ceph-osd disk has one", pool_on_osd},
    {"node-pool-label", "disks[i].pool", "disks[i].pool",
     "it is not a label", pool_no_label},
    {"node-class-osd", "disks[i].storageClass", "",
     "a ceph-osd disk has one", class_on_osd},
    {"node-class-label", "disks[i].storageClass", "disks[i].storageClass",
     "it is not a label", class_no_label},
    {"node-class-once", "disks[i].storageClass", "disks[i].storageClass disks[i].pool",
     "an earlier disk gives its pool another one", class_differs_in_pool},
    {"node-confirm-key", "disks[i].confirm", "disks[i].key",
     "it is not the disk's key", confirm_for_other_key},
    {"node-tail-pool", "osDisk.computeTailPool", "osDisk",
     "the layout is compute-tail and there is none", tail_pool_missing},
    {"node-tail-pool-whole", "osDisk.computeTailPool", "osDisk",
     "the layout is not compute-tail and there is one", tail_pool_without_tail},
    {"node-ntp-twice", "ntpServers[i]", "ntpServers[i]",
     "an earlier one is the same", ntp_twice},
    {"cluster-network-name", "cluster.networks[i].name", "cluster.networks[i].name",
     "an earlier network has it", network_name_twice},
    {"cluster-network-purpose", "cluster.networks[i].purpose", "cluster.networks[i].purpose",
     "an earlier network is for it too", network_purpose_twice},
    {"cluster-network-overlap", "cluster.networks[i].cidr", "cluster.networks[i].cidr",
     "it overlaps an earlier network without being the same", networks_overlap},
    {"cluster-range-from", "cluster.networks[i].range.from",
     "cluster.networks[i].cidr",
     "it is not in the network", range_from_outside},
    {"cluster-range-to", "cluster.networks[i].range.to",
     "cluster.networks[i].range cluster.networks[i].cidr",
     "it is not in the network, or lies before the first", range_to_outside},
    {"cluster-network-gateway", "cluster.networks[i].gateway",
     "cluster.networks[i].cidr",
     "it is not a host of the network", gateway_outside},
    {"cluster-network-reserved", "cluster.networks[i].reserved[j]",
     "cluster.networks[i].cidr",
     "it is not in the network", reserved_outside},
    {"cluster-vip-twice", "cluster.vips[i]", "cluster.vips[i]",
     "an earlier one is the same", vip_twice},
    {"cluster-vip-node", "cluster.vips[i]", "cluster.vips[i]",
     "this node has that address", vip_is_nodes},
};

constexpr DocumentRule kFounderYamlRules[] = {
    {"founder-cluster", "cluster", "cluster",
     "there is none", cluster_missing},
    {"founder-join", "join", "",
     "there is one: the file is a joiner's", join_given},
    {"founder-role", "node.role", "node.role",
     "it is not hybrid", founder_not_hybrid},
    {"founder-networks", "cluster.networks", "cluster",
     "there is no storage network, or no overlay network", network_missing},
    {"founder-network-ipv4", "cluster.networks[i].cidr", "",
     "a storage or overlay network is not IPv4", network_not_ipv4},
    {"founder-links", "network.connections", "network cluster.networks",
     "no connection carries a network that every node needs", own_link_missing},
    {"founder-addresses", "network.connections[i].addresses",
     "network.connections[i].addresses cluster.networks",
     "a connection has no address in a network that it carries", own_address_missing},
};
// clang-format on

std::size_t count_elements(const DocumentContext& context, std::string_view list, Place place) {
    const NodeConfig& config = context.config;
    if (list == "network.connections") return config.connections.size();
    if (list == "network.connections[i].purposes") return context.link(place).purposes.size();
    if (list == "network.connections[i].addresses") return context.link(place).addresses.size();
    if (list == "mgmt.dns") return config.mgmt.dns.size();
    if (list == "disks") return config.disks.size();
    if (list == "ntpServers") return config.ntp_servers.size();
    if (!config.cluster) return 0;
    if (list == "cluster.networks") return config.cluster->networks.size();
    if (list == "cluster.networks[i].reserved")
        return config.cluster->networks[place.i].reserved.size();
    if (list == "cluster.vips") return config.cluster->vips.size();
    return 0;
}

std::vector<Link> links_of(const NodeConfig& config) {
    std::vector<Link> links;
    for (const Connection& connection : config.connections) links.push_back(connection.link);
    return links;
}

} // namespace

DocumentContext::DocumentContext(const NodeConfig& config_)
    : config(config_), links(links_of(config_)), graph(links) {}

const Network* DocumentContext::network_for(std::string_view purpose) const {
    if (!config.cluster) return nullptr;
    for (const Network& network : config.cluster->networks)
        if (network.purpose == purpose) return &network;
    return nullptr;
}

std::span<const DocumentRule> node_yaml_rules() {
    return kNodeYamlRules;
}
std::span<const DocumentRule> founder_yaml_rules() {
    return kFounderYamlRules;
}

void judge(std::span<const DocumentRule> rules, const DocumentContext& context,
           Findings& findings) {
    const CountElements count = [&](std::string_view list, Place place) {
        return count_elements(context, list, place);
    };
    for (const DocumentRule& rule : rules) {
        const auto check = [&](Place place) { return rule.check(context, place); };
        walk_rule({rule.field, rule.needs, count, check}, findings);
    }
}

} // namespace stratum::config
