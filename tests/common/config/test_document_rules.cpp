// The rules of node.yaml, each with a file that it accepts and one that it refuses.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rules.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

std::vector<std::string>& covered_document_rules() {
    static std::vector<std::string> ids;
    return ids;
}

struct CoveredDocument {
    explicit CoveredDocument(std::string id) {
        std::replace(id.begin(), id.end(), '_', '-');
        covered_document_rules().push_back(std::move(id));
    }
};

// A joiner's file, as a plan makes it: a bond of two, a VLAN on it, two disks.
NodeConfig joiners() {
    Trial t;
    t.use_bond();
    t.link(1).purposes.clear();
    Link& vlan = t.add_link("overlay", "vlan90");
    vlan.kind = "vlan";
    vlan.parent = "bond0";
    vlan.vlan_id = 90;
    vlan.purposes = {"overlay"};
    t.add_disk(kScsiKey).pool = "slow";
    return t.plan()->node;
}

NodeConfig founders() {
    const auto text = read_repo_file("docs/examples/founder.node.yaml");
    return check_founder_yaml(text).config.value_or(NodeConfig{});
}

std::string at(const Findings& findings, std::string_view field) {
    std::string text;
    for (const Finding& finding : findings.all())
        if (finding.field == field) text += (text.empty() ? "" : "\n") + finding.message;
    return text;
}

std::string all(const Findings& findings) {
    return join(findings.lines(), "\n");
}

Link& link(NodeConfig& n, std::size_t i) {
    return n.connections[i].link;
}
DiskChoice& disk(NodeConfig& n, std::size_t i) {
    return n.disks[i].choice;
}
Network& net(NodeConfig& n, std::size_t i) {
    return n.cluster->networks[i];
}

} // namespace

// `n` is a joiner's file (DOCUMENT) or a founder's (FOUNDERS), checked as such.
#define CHECKED(id, field, make, check, good, bad, message)                                        \
    static const CoveredDocument covered_##id(#id);                                                \
    TEST(ConfigDocumentRules, id##_accepts) {                                                      \
        NodeConfig n = make();                                                                     \
        good;                                                                                      \
        STRCMP_EQUAL("", all(check(render_node_yaml(n)).findings).c_str());                        \
    }                                                                                              \
    TEST(ConfigDocumentRules, id##_refuses) {                                                      \
        NodeConfig n = make();                                                                     \
        bad;                                                                                       \
        STRCMP_EQUAL(message, at(check(render_node_yaml(n)).findings, field).c_str());             \
    }
#define DOCUMENT(id, field, good, bad, message)                                                    \
    CHECKED(id, field, joiners, check_node_yaml, good, bad, message)
#define FOUNDERS(id, field, good, bad, message)                                                    \
    CHECKED(id, field, founders, check_founder_yaml, good, bad, message)

#define LABEL " is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end"
#define MODES "active-backup, 802.3ad, balance-xor, balance-rr, balance-tlb, balance-alb, broadcast"

TEST_GROUP(ConfigDocumentRules){};

TEST(ConfigDocumentRules, EveryRuleHasItsTwoTests) {
    std::vector<std::string> missing;
    const auto& covered = covered_document_rules();
    const auto look = [&](std::span<const DocumentRule> rules) {
        for (const DocumentRule& rule : rules)
            if (std::count(covered.begin(), covered.end(), rule.id) != 1)
                missing.emplace_back(rule.id);
    };
    look(node_yaml_rules());
    look(founder_yaml_rules());
    STRCMP_EQUAL("", join(missing, " ").c_str());
    LONGS_EQUAL(node_yaml_rules().size() + founder_yaml_rules().size(), covered.size());
}

DOCUMENT(connection_name_missing, "network.connections[0].name", link(n, 0).name = "s",
         link(n, 0).name.clear(), "missing: each link needs a name of its own, such as storage")
DOCUMENT(connection_name_label, "network.connections[0].name", link(n, 0).name = "s-1",
         link(n, 0).name = "S", "\"S\"" LABEL)
DOCUMENT(connection_name_twice, "network.connections[1].name", link(n, 1).name = "other",
         link(n, 1).name = "storage",
         "\"storage\" is also the name of network.connections[0]; each connection needs its own")
DOCUMENT(
    connection_device_name, "network.connections[0].interface",
    link(n, 0).interface = "a23456789012345", link(n, 0).interface = "a/b",
    "\"a/b\" is no device name: letters, digits, dot, hyphen and underscore, not digits alone, "
    "no hyphen in front")
DOCUMENT(connection_device_twice, "network.connections[3].interface",
         link(n, 3).interface = "enp9s0", link(n, 3).interface = "enp3s0",
         "enp3s0 is also the device of network.connections[2]; one connection for each device")
DOCUMENT(connection_mac_missing, "network.connections[0].mac",
         n.connections[0].mac = "02-00-00-00-00-0F", n.connections[0].mac.clear(),
         "missing: the NIC's permanent MAC, which finds it again under another name")
DOCUMENT(connection_mac_kind, "network.connections[1].mac", n.connections[1].mac.clear(),
         n.connections[1].mac = "02:00:00:00:00:0f",
         "only a NIC has a MAC of its own, and this connection is of kind bond")
DOCUMENT(connection_mac_twice, "network.connections[3].mac",
         n.connections[3].mac = "02:00:00:00:00:41", n.connections[3].mac = "02-00-00-00-00-30",
         "02:00:00:00:00:30 is also the MAC of network.connections[2]")
DOCUMENT(connection_parent_kind, "network.connections[0].parent", link(n, 0).parent.reset(),
         link(n, 0).parent = "bond0", "only a VLAN has a parent, and this link is of kind ethernet")
DOCUMENT(connection_parent_missing, "network.connections[4].parent", link(n, 4).parent = "enp2s0",
         link(n, 4).parent.reset(), "missing: the NIC or bond that the VLAN stands on")
DOCUMENT(connection_parent_unknown, "network.connections[4].parent", link(n, 4).parent = "enp1s0",
         link(n, 4).parent = "bond9",
         "no NIC or bond bond9; list it as a connection of its own, or name mgmt's interface, "
         "enp1s0")
DOCUMENT(connection_parent_member, "network.connections[4].parent", link(n, 4).parent = "bond0",
         link(n, 4).parent = "enp3s0", "enp3s0 is a member of bond0; put the VLAN on bond0")
DOCUMENT(connection_vlan_kind, "network.connections[0].vlanId", link(n, 0).vlan_id.reset(),
         link(n, 0).vlan_id = 4, "only a VLAN has an id, and this link is of kind ethernet")
DOCUMENT(connection_vlan_missing, "network.connections[4].vlanId", link(n, 4).vlan_id = 1,
         link(n, 4).vlan_id.reset(), "missing: a VLAN's id, 1-4094")
DOCUMENT(connection_vlan_range, "network.connections[4].vlanId", link(n, 4).vlan_id = 4094,
         link(n, 4).vlan_id = 0, "0 is outside 1-4094")
DOCUMENT(connection_vlan_twice, "network.connections[5].vlanId",
         n.connections.push_back(n.connections[4]);
         link(n, 5).name = "b"; link(n, 5).interface = "vlan91"; link(n, 5).vlan_id = 91;
         link(n, 5).purposes.clear();
         link(n, 5).addresses.clear(), n.connections.push_back(n.connections[4]);
         link(n, 5).name = "b";
         link(n, 5).interface = "vlan91", "90 is already on bond0: link overlay")
DOCUMENT(connection_controller_kind, "network.connections[4].controller",
         link(n, 4).controller.reset(), link(n, 4).controller = "bond0",
         "only an ethernet link can be a bond's member, and this one is of kind vlan")
DOCUMENT(connection_controller_unknown, "network.connections[3].controller",
         link(n, 3).controller = "bond0", link(n, 3).controller = "bond9",
         "no bond bond9; the bonds there are: bond0")
DOCUMENT(connection_bond_missing, "network.connections[1].bond", link(n, 1).bond->miimon_ms = 50,
         link(n, 1).bond.reset(), "missing: how the bond works; mode is one of " MODES)
DOCUMENT(connection_bond_kind, "network.connections[0].bond", link(n, 0).bond.reset(),
         link(n, 0).bond.emplace(),
         "only a link of kind bond has one, and this link is of kind ethernet")
DOCUMENT(connection_bond_members, "network.connections[1].bond",
         n.connections.erase(n.connections.begin() + 3), link(n, 2).controller.reset();
         link(n, 3).controller.reset(),
         "no member: list the NICs as ethernet links with controller bond0")
DOCUMENT(connection_bond_mode, "network.connections[1].bond.mode",
         link(n, 1).bond->mode = "802.3ad", link(n, 1).bond->mode.reset(),
         "missing: it is one of " MODES)
DOCUMENT(connection_bond_hash, "network.connections[1].bond.xmitHashPolicy",
         link(n, 1).bond = (Bond{"balance-tlb", "layer2", {}, {}}),
         link(n, 1).bond->xmit_hash_policy = "layer2",
         "mode active-backup has no hash policy; it goes with balance-xor, 802.3ad, balance-tlb")
DOCUMENT(connection_bond_miimon, "network.connections[1].bond.miimonMs",
         link(n, 1).bond->miimon_ms = 0, link(n, 1).bond->miimon_ms = -1,
         "-1 is outside 0-10000 (milliseconds)")
DOCUMENT(connection_bond_lacp, "network.connections[1].bond.lacpRate",
         link(n, 1).bond->lacp_rate.reset(), link(n, 1).bond->lacp_rate = "slow",
         "mode active-backup speaks no LACP; it goes with 802.3ad")
DOCUMENT(connection_purpose_lifeline, "network.connections[0].purposes[0]",
         link(n, 0).purposes = {"storage"}, link(n, 0).purposes = {"mgmt"},
         "mgmt is set in mgmt.interface and mgmt.address, not as a link's purpose; take it out")
DOCUMENT(connection_purpose_member, "network.connections[2].purposes[0]",
         link(n, 1).purposes = {"provider"}, link(n, 2).purposes = {"provider"},
         "a member of bond0 carries nothing itself; give provider to the bond or a VLAN on it")
DOCUMENT(connection_purpose_repeated, "network.connections[0].purposes[1]",
         link(n, 0).purposes = list("storage provider"),
         link(n, 0).purposes = list("storage storage"), "storage is named twice")
DOCUMENT(connections_purpose_once, "network.connections", link(n, 1).purposes = {"provider"},
         link(n, 1).purposes = {"storage"},
         "storage, bond all carry storage; one connection carries it")
DOCUMENT(connection_address_form, "network.connections[0].addresses[0]",
         link(n, 0).addresses = {"10.77.10.2/31"}, link(n, 0).addresses = {"10.77.10.2"},
         "\"10.77.10.2\" is not an IPv4 address with its prefix length, such as 10.77.10.11/24")
DOCUMENT(connection_address_not_wanted, "network.connections[2].addresses[0]",
         link(n, 1).addresses = {"10.9.9.9/24"}, link(n, 2).addresses = {"10.9.9.9/24"},
         "a member of bond0 has no address; the bond or a VLAN on it has")
FOUNDERS(connection_address_network, "network.connections[0].addresses[1]",
         link(n, 0).addresses = list("10.77.10.5/24 10.77.20.5/24"),
         link(n, 0).addresses = list("10.77.10.1/24 10.78.20.1/24"),
         "10.78.20.1/24 is in none of the networks that this link carries: storage (storage, "
         "10.77.10.0/24), overlay (overlay, 10.77.20.0/24)")
DOCUMENT(connection_address_twice, "network.connections[4].addresses[0]",
         link(n, 4).addresses = {"10.77.20.3/24"}, link(n, 4).addresses = {"10.77.10.2/24"},
         "10.77.10.2 is given twice: network.connections[0] has it too")
DOCUMENT(connection_mtu_range, "network.connections[0].mtu", link(n, 0).mtu = 576,
         link(n, 0).mtu = 575, "575 is outside 576-9216")
DOCUMENT(connection_mtu_parent, "network.connections[4].mtu", link(n, 4).mtu = 1400,
         link(n, 4).mtu = 9000, "9000 is above bond0's 1500; raise the parent, or lower this")
DOCUMENT(connection_mtu_bond, "network.connections[3].mtu", link(n, 3).mtu = 1500,
         link(n, 3).mtu = 9000,
         "9000 is not the 1500 of its bond bond0; the kernel gives a member its bond's")

DOCUMENT(node_mgmt_member, "mgmt.interface", n.mgmt.nic = (NicRef{"bond0", ""}),
         n.mgmt.nic = (NicRef{"enp3s0", "02:00:00:00:00:30"}),
         "enp3s0 is a member of bond0 and has no address of its own; name bond0 or a VLAN on it")
DOCUMENT(node_mgmt_mac, "mgmt.mac", n.mgmt.nic.mac = "02:00:00:00:00:99", n.mgmt.nic.mac.clear(),
         "missing: the NIC's permanent MAC, which finds it again under another name")
DOCUMENT(node_gateway, "mgmt.gateway", n.mgmt.gateway.clear(), n.mgmt.gateway = "10.78.0.1",
         "10.78.0.1 is not in 10.77.0.0/24, the subnet of 10.77.0.50")
DOCUMENT(node_dns_self, "mgmt.dns[0]", n.mgmt.dns = {"fd00::53"}, n.mgmt.dns = {"10.77.0.50"},
         "10.77.0.50 is the node's own address; name another machine's")
DOCUMENT(node_provider_topology, "provider.topology", n.provider = {};
         n.provider_mac.clear(), n.provider.topology.reset(),
         "missing: it is one of bridged, routed")
DOCUMENT(node_uplink_missing, "provider.upstreamInterface", n.provider.topology = "routed";
         n.provider.upstream_interface.reset(), n.provider.upstream_interface.reset(),
         "missing: a bridged provider network needs the NIC or bond it leaves by")
DOCUMENT(node_uplink_name, "provider.upstreamInterface", n.provider.upstream_interface = "enp1s0",
         n.provider.upstream_interface = "e*",
         "\"e*\" is no device name: letters, digits, dot, hyphen and underscore, not digits alone, "
         "no hyphen in front")
DOCUMENT(node_uplink_vlan, "provider.upstreamInterface", n.provider.upstream_interface = "bond0",
         n.provider.topology = "routed";
         n.provider.upstream_interface = "vlan90",
         "vlan90 is a VLAN; the uplink is a NIC or a bond")
DOCUMENT(node_uplink_member, "provider.upstreamInterface", n.provider.upstream_interface = "enp1s0",
         n.provider.upstream_interface = "enp3s0", "enp3s0 is a member of bond0; name bond0")
DOCUMENT(node_uplink_network, "provider.upstreamInterface", n.provider.topology = "routed";
         n.provider.upstream_interface = "enp2s0", n.provider.upstream_interface = "enp2s0",
         "connection storage carries storage on enp2s0 itself, and a bridged uplink would take "
         "that away; put it on a VLAN, or choose another NIC")
DOCUMENT(node_provider_vlan, "provider.vlan", n.provider.vlan = 44, n.provider.vlan = 4095,
         "4095 is outside 1-4094")
DOCUMENT(node_disk_key, "disks[0].key", disk(n, 0).key = "/dev/disk/by-id/x",
         disk(n, 0).key = "/dev/sda",
         "/dev/sda can name another disk tomorrow; give a WWN or a /dev/disk/by-id path")
DOCUMENT(node_disk_twice, "disks[1].key", disk(n, 1).key = "0x5000c500a1b2c309",
         disk(n, 1).key = "EUI.0025388b71b2c4d1",
         "EUI.0025388b71b2c4d1 is named twice: disks[0] has it too")
DOCUMENT(node_disk_size, "disks[0].sizeBytes", n.disks[0].size_bytes = 1, n.disks[0].size_bytes = 0,
         "missing: the disk's size in bytes, which is compared before it is written")
DOCUMENT(node_disk_digest, "disks[0].digest", n.disks[0].digest = std::string(64, '0'),
         n.disks[0].digest.clear(),
         "missing: the digest of what was approved, which is compared before the disk is written")
DOCUMENT(node_pool_missing, "disks[0].pool", disk(n, 0).pool = "p", disk(n, 0).pool.reset(),
         "missing: a compute disk needs a pool")
DOCUMENT(node_pool_osd, "disks[0].pool",
         disk(n, 0) = (DiskChoice{kBlankKey, "ceph-osd", {}, {}, {}}), disk(n, 0).role = "ceph-osd",
         "a ceph-osd disk has no pool: Ceph decides; take it out")
DOCUMENT(node_pool_label, "disks[0].pool", disk(n, 0).pool = "p2", disk(n, 0).pool = "P 2",
         "\"P 2\"" LABEL)
DOCUMENT(node_class_osd, "disks[0].storageClass", disk(n, 0).storage_class = "gold",
         disk(n, 0) = (DiskChoice{kBlankKey, "ceph-osd", {}, "gold", {}}),
         "a ceph-osd disk has no storage class: Ceph decides; take it out")
DOCUMENT(node_class_label, "disks[0].storageClass", disk(n, 0).storage_class.reset(),
         disk(n, 0).storage_class = "Gold", "\"Gold\"" LABEL)
DOCUMENT(node_class_once, "disks[1].storageClass", disk(n, 1).pool = "fast";
         disk(n, 1).storage_class = "fast", disk(n, 1).pool = "fast",
         "pool fast has storage class fast at disks[0] and slow here; one pool has one")
DOCUMENT(node_confirm_key, "disks[0].confirm", disk(n, 0).confirm = kBlankKey,
         disk(n, 0).confirm = kScsiKey,
         "\"0x5000c500a1b2c301\" is not this disk's key, eui.0025388b71b2c4d1")
DOCUMENT(node_tail_pool, "osDisk.computeTailPool", n.compute_tail_pool = "tails",
         n.compute_tail_pool.clear(),
         "missing: with layout compute-tail, the pool that the tail belongs to")
DOCUMENT(node_tail_pool_whole, "osDisk.computeTailPool", n.os_disk_layout = "whole-disk";
         n.compute_tail_pool.clear(), n.os_disk_layout = "whole-disk",
         "there is a compute tail with layout compute-tail only; take it out, or set layout")
DOCUMENT(node_ntp_twice, "ntpServers[1]", n.ntp_servers = list("a.example b.example"),
         n.ntp_servers = list("a.example A.example"), "A.example is given twice; each server once")

FOUNDERS(cluster_network_name, "cluster.networks[1].name", net(n, 1).name = "ov",
         net(n, 1).name = "storage",
         "\"storage\" is also the name of cluster.networks[0]; each network needs its own")
FOUNDERS(cluster_network_purpose, "cluster.networks[2].purpose", net(n, 2).mtu = 9000,
         net(n, 2).purpose = "overlay",
         "overlay is already the purpose of network overlay; one network for each purpose")
FOUNDERS(cluster_network_overlap, "cluster.networks[2].cidr",
         net(n, 2).cidr = *Cidr::parse("10.77.1.0/24"),
         net(n, 2).cidr = *Cidr::parse("10.77.0.0/16"),
         "10.77.0.0/16 overlaps 10.77.10.0/24 of network storage; keep them apart, or make them "
         "the same")
FOUNDERS(cluster_range_from, "cluster.networks[0].range.from",
         net(n, 0).range_from = ip("10.77.10.9"), net(n, 0).range_from = ip("10.77.9.9"),
         "10.77.9.9 is not in 10.77.10.0/24")
FOUNDERS(cluster_range_to, "cluster.networks[0].range.to", net(n, 0).range_to = ip("10.77.10.2"),
         net(n, 0).range_to = ip("10.77.10.1"),
         "10.77.10.1 lies before the range's first address, 10.77.10.2")
FOUNDERS(cluster_network_gateway, "cluster.networks[3].gateway",
         net(n, 3).gateway = ip("192.0.2.254"), net(n, 3).gateway = ip("192.0.2.255"),
         "192.0.2.255/24 is the broadcast address of 192.0.2.0/24; a node needs a host address")
FOUNDERS(cluster_network_reserved, "cluster.networks[0].reserved[0]",
         net(n, 0).reserved = list("10.77.10.3-10.77.10.9 10.77.10.200"),
         net(n, 0).reserved = list("10.77.10.250-10.77.11.5"), "10.77.11.5 is not in 10.77.10.0/24")
FOUNDERS(cluster_vip_twice, "cluster.vips[1]", n.cluster->vips = list("10.77.0.240 10.77.0.241"),
         n.cluster->vips = list("10.77.0.240 10.77.0.240"), "10.77.0.240 is given twice")
FOUNDERS(cluster_vip_node, "cluster.vips[0]", n.cluster->vips = list("10.77.0.2"),
         n.cluster->vips = list("10.77.10.1"),
         "10.77.10.1 is an address of this node's connection cluster; a virtual address is its own")

FOUNDERS(founder_cluster, "cluster", n.cluster->generation = 7, n.cluster.reset(),
         "missing: a founder's own file says what its cluster decides")
FOUNDERS(founder_join, "join", n.join_id.clear(), n.join_id = "nj-8w2k4m1p",
         "this file was made for the join nj-8w2k4m1p; a founder's own file has no join")
FOUNDERS(founder_role, "node.role", n.role = "hybrid", n.role = "storage",
         "storage nodes are not supported yet; the role must be hybrid")
FOUNDERS(founder_networks, "cluster.networks", n.cluster->networks.resize(2),
         n.cluster->networks.erase(n.cluster->networks.begin()),
         "there is no network with purpose storage; joiners get an address from it")
FOUNDERS(founder_network_ipv4, "cluster.networks[1].cidr",
         net(n, 2).cidr = *Cidr::parse("fd00:1::/64"), net(n, 1).cidr = *Cidr::parse("fd00:1::/64");
         net(n, 1).range_from.reset();
         net(n, 1).range_to.reset(), "fd00:1::/64 is not IPv4; the overlay network must be")
FOUNDERS(founder_links, "network.connections", net(n, 1).required = false;
         link(n, 0).purposes = {"storage"};
         link(n, 0).addresses.resize(1), link(n, 0).purposes = {"storage"};
         link(n, 0).addresses.resize(1),
         "none carries overlay, which every node needs (10.77.20.0/24); add it to a connection's "
         "purposes")
FOUNDERS(founder_addresses, "network.connections[0].addresses",
         link(n, 0).addresses = list("10.77.20.1/24 10.77.10.1/24"), link(n, 0).addresses.resize(1),
         "none is in network overlay (10.77.20.0/24), which this connection carries")

TEST(ConfigDocumentRules, a_network_has_no_host_bits_and_is_not_all_there_is) {
    const std::string example = read_repo_file("docs/examples/founder.node.yaml");
    for (const auto& [cidr, message] :
         {std::pair("10.77.20.1/24", "10.77.20.1/24 has host bits; the network is 10.77.20.0/24"),
          std::pair("0.0.0.0/0", "0.0.0.0/0 is every address there is, and no network"),
          std::pair("\"::/0\"", "::/0 is every address there is, and no network")}) {
        std::string text = example;
        const std::string from = "cidr: 10.77.20.0/24";
        text.replace(text.find(from), from.size(), "cidr: " + std::string(cidr));
        const Findings findings = check_founder_yaml(text).findings;
        CHECK_EQUAL(1, findings.size());
        STRCMP_EQUAL("cluster.networks[1].cidr", findings.all()[0].field.c_str());
        STRCMP_EQUAL(message, findings.all()[0].message.c_str());
    }
}
