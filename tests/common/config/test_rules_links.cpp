// Rules about links: names, devices, what stands on what, purposes, addresses, MTU, the uplink.
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

#define NICS                                                                                       \
    "this machine has enp1s0 (up, 10 Gb/s), enp2s0 (up, 10 Gb/s), enp3s0 (up, 10 Gb/s), enp4s0 "   \
    "(down)"

namespace {

Network& network_of(Trial& t, std::size_t i) {
    return t.cluster.networks[i];
}

Bond& bond_of(Trial& t) {
    t.use_bond();
    return *t.link(1).bond;
}

facts::Nic& add_machine_device(Trial& t, std::string name, std::string kind) {
    facts::Nic device = nic(std::move(name));
    device.kind = std::move(kind);
    t.join.inventory.nics.push_back(device);
    return t.join.inventory.nics.back();
}

// The bond that use_bond asks for, as the machine has it already.
facts::Nic& machine_bond(Trial& t, std::string mode) {
    facts::Nic& bond = add_machine_device(t, "bond0", "bond");
    bond.bond = facts::NicBond{std::move(mode), {"enp4s0", "enp3s0"}};
    return bond;
}

Link& second_vlan(Trial& t, std::int64_t id) {
    t.use_vlan();
    Link& other = t.add_link("extra", "vlan91");
    other.kind = "vlan";
    other.parent = "enp3s0";
    other.vlan_id = id;
    return other;
}

void fill_network(Trial& t, std::string reserved) {
    network_of(t, 0).reserved = {std::move(reserved)};
}

void use_routed(Trial& t) {
    t.cluster.provider.topology = "routed";
}

} // namespace

#define RULE_GROUP ConfigLinkRules

TEST_GROUP(ConfigLinkRules){};

RULE(link_name_missing, "links[0].name", t.link(0).name = "s", t.link(0).name.clear(),
     "missing: each link needs a name of its own, such as storage")

RULE(link_name_label, "links[0].name", t.link(0).name = "storage-a", t.link(0).name = "Storage",
     "\"Storage\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end")

RULE(link_name_twice, "links[1].name", t.link(1).name = "storage2", t.link(1).name = "storage",
     "\"storage\" is also the name of links[0]; each link needs its own")

RULE(link_device_name, "links[1].interface", t.use_vlan().interface = "fifteenletters1",
     t.use_vlan().interface = "sixteenletters12",
     "\"sixteenletters12\" has 16 characters; a device's name has at most 15")

TEST(ConfigLinkRules, link_device_name_refuses_what_no_device_may_be_called) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "missing: the device's name, such as bond0 or enp1s0"},
        {"all", "all is a name that Linux keeps; choose another"},
        {"default", "default is a name that Linux keeps; choose another"},
        {"bonding_masters", "bonding_masters is a name that Linux keeps; choose another"},
        {"lo", "lo is the loopback device; name a NIC, a bond or a VLAN"},
        {"br-int", "br-int is a name that the platform uses itself (br-int, br-ex, genev*, "
                   "ovs-*); choose another"},
        {"genev_sys_6081", "genev_sys_6081 is a name that the platform uses itself (br-int, "
                           "br-ex, genev*, ovs-*); choose another"},
        {"ovs-system", "ovs-system is a name that the platform uses itself (br-int, br-ex, "
                       "genev*, ovs-*); choose another"}};
    for (const auto& [name, message] : cases) {
        Trial t;
        t.use_vlan().interface = name;
        STRCMP_EQUAL(message, t.at("links[1].interface").c_str());
    }
}

// A name is a pattern to systemd.network(5): e* would be every NIC.
TEST(ConfigLinkRules, link_device_name_refuses_what_is_a_pattern_a_template_or_a_number) {
    for (const char* name :
         {"a/b", "a b", "a:b", "a\tb", ".", "..", "e*", "e?p1s0", "v[0-9]", "!v", "bond%d", "v,w",
          "\"v\"", "v\\x20", "a#b", "a;b", "90", "-v", "v\x7f"}) {
        Trial t;
        t.use_vlan().interface = name;
        const std::string wanted = "\"" + std::string(name) +
                                   "\" is no device name: letters, digits, dot, hyphen and "
                                   "underscore, not digits alone, no hyphen in front";
        STRCMP_EQUAL(wanted.c_str(), t.at("links[1].interface").c_str());
    }
}

TEST(ConfigLinkRules, link_device_name_accepts_names_with_dots_hyphens_and_underscores) {
    for (const char* name : {"bond0.90", "v-90", "_v", "V90", "4p1", "all2", "enp1s0f0np0.9"}) {
        Trial t;
        t.use_vlan().interface = name;
        STRCMP_EQUAL("", all_problems(t).c_str());
    }
}

RULE(link_nic_unknown, "links[0].interface", t.link(0).interface = "enp4s0",
     t.link(0).interface = "enp9s0", "no NIC enp9s0; " NICS)

TEST(ConfigLinkRules, link_nic_unknown_says_the_name_to_write) {
    Trial t;
    t.machine_nic("enp2s0").alt_names = {"enx020000000020"};
    t.link(0).interface = "enx020000000020";
    STRCMP_EQUAL("enx020000000020 is another name of enp2s0; write enp2s0",
                 t.at("links[0].interface").c_str());
}

TEST(ConfigLinkRules, link_nic_unknown_refuses_a_bmcs_nic_and_a_bridge) {
    Trial t;
    add_machine_device(t, "enp8s0", "physical").bmc = true;
    add_machine_device(t, "br0", "bridge");
    t.link(0).interface = "enp8s0";
    t.link(1).interface = "br0";
    STRCMP_EQUAL("enp8s0 is the BMC's; " NICS, t.at("links[0].interface").c_str());
    STRCMP_EQUAL("br0 is a bridge, and an ethernet link needs a physical NIC; " NICS,
                 t.at("links[1].interface").c_str());
}

RULE(link_nic_used, "links[1].interface", t.link(1).interface = "enp1s0";
     t.request.assignment.provider.upstream_interface = "enp4s0", t.link(1).interface = "enp2s0",
     "enp2s0 is already used by link storage; one link for each NIC")

RULE(link_nic_mac, "links[0].interface",
     t.machine_nic("enp4s0").permanent_mac = "02-00-00-00-00-21",
     t.machine_nic("enp4s0").permanent_mac = "02-00-00-00-00-20",
     "enp2s0 and enp4s0 have the same MAC address 02:00:00:00:00:20, so that nothing tells them "
     "apart; give one of them another")

TEST(ConfigLinkRules, link_nic_mac_refuses_a_nic_without_a_mac_of_its_own) {
    for (const char* mac :
         {"00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "none"}) {
        Trial t;
        t.machine_nic("enp2s0").permanent_mac = mac;
        const std::string wanted = "enp2s0 has no MAC address of its own (\"" + std::string(mac) +
                                   "\"), and would not be found again under another name; choose "
                                   "another NIC";
        STRCMP_EQUAL(wanted.c_str(), t.at("links[0].interface").c_str());
    }
}

TEST(ConfigLinkRules, link_nic_mac_minds_neither_a_bmcs_nic_nor_what_is_made_over_the_nic) {
    Trial t;
    facts::Nic& bmc = add_machine_device(t, "enp8s0", "physical");
    bmc.bmc = true;
    bmc.permanent_mac = "02:00:00:00:00:20";
    add_machine_device(t, "br2", "bridge").permanent_mac = "02:00:00:00:00:20";
    STRCMP_EQUAL("", all_problems(t).c_str());
}

RULE(link_nic_oob, "links[0].interface", t.join.inventory.install_record->oob_interface = "enp1s0";
     t.link(0).interface = "enp1s0";
     t.request.assignment.provider.upstream_interface = "enp4s0",
     t.join.inventory.install_record->oob_interface = "enp2s0",
     "enp2s0 is the out-of-band NIC that stage 1 fixed, and keeps its own address; choose another")

TEST(ConfigLinkRules, link_nic_oob_leaves_it_to_mgmt) {
    Trial t;
    t.join.inventory.install_record->oob_interface = "enp4s0";
    t.machine_nic("enp4s0").state = facts::LinkState::kUp;
    t.add_link("extra", "enp4s0");
    t.request.assignment.mgmt.interface = "enp4s0";
    t.request.assignment.mgmt.address = "10.77.0.60/24";
    t.request.assignment.mgmt.gateway = "10.77.0.254";
    STRCMP_EQUAL("", all_problems(t).c_str());
}

RULE(link_device_collides, "links[1].interface", t.use_vlan().interface = "vlan91",
     t.use_vlan().interface = "enp4s0",
     "enp4s0 is a NIC of this machine; a vlan needs a name of its own")

TEST(ConfigLinkRules, link_device_collides_refuses_another_links_device) {
    Trial t;
    second_vlan(t, 91).interface = "vlan90";
    STRCMP_EQUAL("vlan90 is already the device of link overlay; a vlan needs a name of its own",
                 t.at("links[2].interface").c_str());
}

RULE(link_device_adopted, "links[1].interface", t.use_bond();
     machine_bond(t, "active-backup"), t.use_bond();
     machine_bond(t, "802.3ad"),
     "bond0 is there already as a bond (802.3ad) of enp3s0, enp4s0; ask for the same, or give "
     "this bond another name")

TEST(ConfigLinkRules, link_device_adopted_compares_a_vlans_id_and_parent) {
    Trial t;
    t.use_vlan();
    facts::Nic& there = add_machine_device(t, "vlan90", "vlan");
    there.vlan_id = 90;
    there.parent = "enp3s0";
    STRCMP_EQUAL("", all_problems(t).c_str());
    t.machine_nic("vlan90").vlan_id = 91;
    STRCMP_EQUAL("vlan90 is there already as VLAN 91 on enp3s0; ask for the same, or give this "
                 "vlan another name",
                 t.at("links[1].interface").c_str());
}

RULE(vlan_parent_kind, "links[0].parent", t.use_vlan(), t.link(0).parent = "enp3s0",
     "only a VLAN has a parent, and this link is of kind ethernet")

RULE(vlan_parent_missing, "links[1].parent", t.use_vlan(), t.use_vlan().parent.reset(),
     "missing: the NIC or bond that the VLAN stands on; " NICS "; the bonds there are: none")

RULE(vlan_parent_unknown, "links[1].parent", t.use_vlan().parent = "enp2s0",
     t.use_vlan().parent = "bond7", "no NIC or bond bond7; " NICS "; the bonds there are: none")

TEST(ConfigLinkRules, vlan_parent_unknown_refuses_a_vlan_on_a_vlan) {
    Trial t;
    second_vlan(t, 91).parent = "vlan90";
    STRCMP_EQUAL("vlan90 is itself a VLAN; a VLAN stands on a NIC or a bond",
                 t.at("links[2].parent").c_str());
}

RULE(vlan_parent_member, "links[4].parent", t.use_bond(); Link& v = t.add_link("extra", "vlan9");
     v.kind = "vlan"; v.vlan_id = 9; v.parent = "bond0", t.use_bond();
     Link& v = t.add_link("extra", "vlan9"); v.kind = "vlan"; v.vlan_id = 9;
     v.parent = "enp3s0", "enp3s0 is a member of bond0; put the VLAN on bond0")

RULE(vlan_parent_mac, "links[1].parent", t.use_vlan();
     t.machine_nic("enp4s0").permanent_mac = "02:00:00:00:00:21", t.use_vlan();
     t.machine_nic("enp4s0").permanent_mac = "02:00:00:00:00:30",
     "enp3s0 and enp4s0 have the same MAC address 02:00:00:00:00:30, so that nothing tells them "
     "apart; give one of them another")

RULE(vlan_parent_oob, "links[1].parent", t.use_vlan();
     t.join.inventory.install_record->oob_interface = "enp4s0", t.use_vlan();
     t.join.inventory.install_record->oob_interface = "enp3s0",
     "enp3s0 is the out-of-band NIC that stage 1 fixed, and keeps its own address; choose another")

RULE(vlan_id_kind, "links[0].vlanId", t.use_vlan(), t.link(0).vlan_id = 90,
     "only a VLAN has an id, and this link is of kind ethernet")

RULE(vlan_id_missing, "links[1].vlanId", t.use_vlan(), t.use_vlan().vlan_id.reset(),
     "missing: a VLAN's id, 1-4094")

RULE(vlan_id_range, "links[1].vlanId", t.use_vlan().vlan_id = 4094, t.use_vlan().vlan_id = 4095,
     "4095 is outside 1-4094")

RULE(vlan_id_twice, "links[2].vlanId", second_vlan(t, 91), second_vlan(t, 90),
     "90 is already on enp3s0: link overlay")

RULE(vlan_id_provider, "links[1].vlanId", t.cluster.provider.vlan = 90;
     t.use_vlan(), t.cluster.provider.vlan = 90; t.use_vlan();
     t.request.assignment.provider.upstream_interface = "enp3s0",
     "90 is the provider network's VLAN on the uplink enp3s0; VM traffic has it there, so this "
     "link needs another id or parent")

RULE(controller_kind, "links[1].controller", t.use_bond(), t.use_bond(); Link& v = t.link(1);
     v.controller = "bond0",
     "only an ethernet link can be a bond's member, and this one is of kind bond")

RULE(controller_unknown, "links[2].controller", t.use_bond(), t.use_bond();
     t.link(2).controller = "bond1", "no bond bond1; the bonds there are: bond0")

RULE(bond_missing, "links[1].bond", t.use_bond(), t.use_bond();
     t.link(1).bond.reset(),
     "missing: how the bond works; mode is one of active-backup, 802.3ad, balance-xor, "
     "balance-rr, balance-tlb, balance-alb, broadcast")

RULE(bond_kind, "links[0].bond", t.use_bond(), t.link(0).bond.emplace(),
     "only a link of kind bond has one, and this link is of kind ethernet")

RULE(bond_members, "links[1].bond", t.use_bond(), t.use_bond();
     t.request.assignment.links->resize(2),
     "no member: list the NICs as ethernet links with controller bond0")

RULE(bond_mode_missing, "links[1].bond.mode", t.use_bond(), bond_of(t).mode.reset(),
     "missing: it is one of active-backup, 802.3ad, balance-xor, balance-rr, balance-tlb, "
     "balance-alb, broadcast")

RULE(bond_speeds, "links[1].bond.mode", bond_of(t).mode = "802.3ad",
     t.machine_nic("enp4s0").speed_mbps = 25'000;
     t.machine_nic("enp4s0").state = facts::LinkState::kUp;
     bond_of(t).mode = "802.3ad",
     "802.3ad needs members of one speed; these are enp3s0 (up, 10 Gb/s), enp4s0 (up, 25 Gb/s)")

TEST(ConfigLinkRules, bond_speeds_accepts_a_member_whose_speed_is_not_known) {
    Trial t;
    t.machine_nic("enp4s0").speed_mbps.reset();
    bond_of(t).mode = "802.3ad";
    STRCMP_EQUAL("", all_problems(t).c_str());
}

RULE(bond_hash, "links[1].bond.xmitHashPolicy", bond_of(t).mode = "balance-xor";
     t.link(1).bond->xmit_hash_policy = "layer3+4", bond_of(t).xmit_hash_policy = "layer3+4",
     "mode active-backup has no hash policy; it goes with balance-xor, 802.3ad, balance-tlb")

RULE(bond_miimon, "links[1].bond.miimonMs", bond_of(t).miimon_ms = 10'000,
     bond_of(t).miimon_ms = 10'001, "10001 is outside 0-10000 (milliseconds)")

RULE(bond_lacp, "links[1].bond.lacpRate", bond_of(t).mode = "802.3ad";
     t.link(1).bond->lacp_rate = "fast", bond_of(t).lacp_rate = "fast",
     "mode active-backup speaks no LACP; it goes with 802.3ad")

RULE(purpose_lifeline, "links[0].purposes[1]", t.link(0).purposes = list("storage provider");
     t.request.assignment.provider.upstream_interface = "enp1s0",
     t.link(0).purposes = list("storage oob"),
     "oob is the NIC that stage 1 fixed, and is not listed; take it out")

TEST(ConfigLinkRules, purpose_lifeline_refuses_mgmt) {
    Trial t;
    t.link(0).purposes = list("storage mgmt");
    STRCMP_EQUAL("mgmt is set in mgmt.interface and mgmt.address, not as a link's purpose; take "
                 "it out",
                 t.at("links[0].purposes[1]").c_str());
}

RULE(purpose_member, "links[2].purposes[0]", t.use_bond(), t.use_bond();
     t.link(2).purposes = list("provider"),
     "a member of bond0 carries nothing itself; give provider to the bond or a VLAN on it")

RULE(purpose_repeated, "links[0].purposes[1]", t.link(0).purposes = list("storage provider");
     t.request.assignment.provider.upstream_interface = "enp1s0",
     t.link(0).purposes = list("storage storage"), "storage is named twice")

RULE(links_required, "links", t.cluster.networks[1].required = false;
     t.request.assignment.links->pop_back(), t.request.assignment.links->pop_back(),
     "no link carries overlay, which every node needs (network overlay, 10.77.20.0/24); give one "
     "link the purpose overlay")

RULE(links_purpose_once, "links", t.link(1).purposes = list("overlay"),
     t.link(1).purposes = list("overlay storage"),
     "the links storage, overlay all carry storage; one link carries it")

RULE(links_provider_once, "links", t.add_link("up", "enp4s0").purposes = list("provider"),
     t.add_link("up", "enp4s0").purposes = list("provider");
     t.link(0).purposes = list("storage provider"),
     "the links storage, up all carry provider; at most one link does")

RULE(address_form, "links[0].addresses[0]", t.link(0).addresses = list("10.77.10.9/24"),
     t.link(0).addresses = list("fd00::9/64"),
     "\"fd00::9/64\" is not an IPv4 address with its prefix length, such as 10.77.10.11/24")

TEST(ConfigLinkRules, address_form_refuses_what_no_host_may_have) {
    Trial t;
    t.link(0).addresses = list("10.77.10.0/24");
    t.link(1).addresses = list("10.77.20.255/24");
    STRCMP_EQUAL("10.77.10.0/24 is the network's own address of 10.77.10.0/24; a node needs a "
                 "host address",
                 t.at("links[0].addresses[0]").c_str());
    STRCMP_EQUAL("10.77.20.255/24 is the broadcast address of 10.77.20.0/24; a node needs a host "
                 "address",
                 t.at("links[1].addresses[0]").c_str());
}

RULE(address_not_wanted, "links[2].addresses[0]", t.use_bond();
     t.link(1).addresses = list("10.77.20.9/24"), t.use_bond();
     t.link(2).addresses = list("10.77.20.9/24"),
     "a member of bond0 has no address; the bond or a VLAN on it has")

TEST(ConfigLinkRules, address_not_wanted_refuses_one_on_a_provider_only_link) {
    Trial t;
    Link& uplink = t.add_link("uplink", "enp4s0");
    uplink.purposes = list("provider");
    uplink.addresses = list("192.0.2.9/24");
    STRCMP_EQUAL("a link that carries provider only has no address; VM traffic passes through it",
                 t.at("links[2].addresses[0]").c_str());
}

RULE(address_network, "links[0].addresses[0]", t.link(0).addresses = list("10.77.10.200/24"),
     t.link(0).addresses = list("10.77.20.9/24"),
     "10.77.20.9/24 is in none of the networks that this link carries: storage (storage, "
     "10.77.10.0/24)")

TEST(ConfigLinkRules, address_network_refuses_another_prefix_length) {
    Trial t;
    t.link(0).addresses = list("10.77.10.9/16");
    STRCMP_EQUAL("10.77.10.9/16 has another prefix length than network storage; write "
                 "10.77.10.9/24",
                 t.at("links[0].addresses[0]").c_str());
}

RULE(address_taken, "links[0].addresses[0]", t.link(0).addresses = list("10.77.10.2/24"),
     t.link(0).addresses = list("10.77.10.1/24"),
     "10.77.10.1 is taken: node alpha has it; leave addresses out and the founder picks a free "
     "one")

TEST(ConfigLinkRules, address_taken_says_by_whom) {
    Trial t;
    Holder failed = holder("gamma", {"10.77.10.9"});
    failed.state = "failed";
    t.cluster.holders.push_back(failed);
    network_of(t, 0).gateway = ip("10.77.10.254");
    network_of(t, 0).reserved = {"10.77.10.100-10.77.10.120"};
    const std::pair<const char*, const char*> cases[] = {
        {"10.77.10.9/24", "10.77.10.9 is taken: the failed join of gamma has it"},
        {"10.77.10.254/24", "10.77.10.254 is taken: it is the gateway of network storage"},
        {"10.77.10.110/24",
         "10.77.10.110 is taken: it is in 10.77.10.100-10.77.10.120, reserved in network storage"}};
    for (const auto& [address, message] : cases) {
        t.link(0).addresses = {address};
        STRCMP_EQUAL(
            (std::string(message) + "; leave addresses out and the founder picks a free one")
                .c_str(),
            t.at("links[0].addresses[0]").c_str());
    }
}

RULE(address_twice, "links[0].addresses[1]",
     t.link(0).addresses = list("10.77.10.8/24 10.77.10.9/24"),
     t.link(0).addresses = list("10.77.10.9/24 10.77.10.9/24"),
     "10.77.10.9 is given twice: link storage has it too")

RULE(addresses_complete, "links[0].addresses",
     t.link(0).addresses = list("10.77.10.9/24 10.77.20.9/24");
     t.link(0).purposes = list("storage overlay");
     t.request.assignment.links->resize(1), t.link(0).addresses = list("10.77.10.9/24");
     t.link(0).purposes = list("storage overlay");
     t.request.assignment.links->resize(1),
     "none is in network overlay (10.77.20.0/24), which this link carries; add one, or leave "
     "addresses out and the founder picks them all")

RULE(addresses_recorded, "links[0].addresses", t.cluster.networks.erase(t.cluster.networks.begin());
     t.link(0).addresses = list("192.0.2.7/24"),
     t.cluster.networks.erase(t.cluster.networks.begin()),
     "the cluster records no storage network to pick an address from; name one yourself")

RULE(addresses_full, "links[0].addresses", fill_network(t, "10.77.10.1-10.77.10.253"),
     fill_network(t, "10.77.10.1-10.77.10.254"),
     "network storage (10.77.10.0/24) is full: every address is a node's, a join's, a gateway's, "
     "virtual or reserved; remove a node, reject a failed join, or name an address yourself")

TEST(ConfigLinkRules, addresses_full_is_told_at_each_link_and_with_the_other_problems) {
    Trial t;
    fill_network(t, "10.77.10.0/24");
    t.cluster.networks[1].cidr = t.cluster.networks[0].cidr;
    t.cluster.networks[1].name = "overlay";
    t.link(0).mtu = 1;
    LONGS_EQUAL(3, t.problems().size());
    STRCMP_CONTAINS("network storage (10.77.10.0/24) is full", t.at("links[0].addresses").c_str());
    STRCMP_CONTAINS("network overlay (10.77.10.0/24) is full", t.at("links[1].addresses").c_str());
}

RULE(mtu_range, "links[0].mtu", t.link(0).mtu = 9000, t.link(0).mtu = 70'000,
     "70000 is outside 576-9216")

TEST(ConfigLinkRules, mtu_range_refuses_what_would_be_raised_or_follow_a_bond) {
    Trial t;
    t.use_vlan();
    t.add_link("below", "enp3s0").mtu = 100;
    STRCMP_EQUAL("100 is outside 576-9216", t.at("links[2].mtu").c_str());
    Trial member;
    member.use_bond();
    member.link(2).mtu = 70'000;
    STRCMP_EQUAL("70000 is outside 576-9216", member.at("links[2].mtu").c_str());
}

TEST(ConfigLinkRules, mtu_range_is_tighter_where_ipv6_goes) {
    Trial t;
    t.machine_nic("enp1s0").addresses = {{"fd00::50/64", "static"}};
    t.join.remote_address = "fd00::50";
    Link& link = t.add_link("extra", "enp1s0");
    link.mtu = 1279;
    STRCMP_EQUAL("1279 is outside 1280-9216 (IPv6 needs 1280 at least)",
                 t.at("links[2].mtu").c_str());
}

RULE(mtu_nic, "links[0].mtu", t.link(0).mtu = 9000, t.link(0).mtu = 9001,
     "9001 is past 9000, the most that enp2s0 can have")

TEST(ConfigLinkRules, mtu_nic_tells_a_bonds_fault_once_and_names_the_member) {
    Trial t;
    t.machine_nic("enp4s0").max_mtu = 1500;
    t.use_bond();
    t.link(1).mtu = 9000;
    LONGS_EQUAL(1, t.problems().size());
    STRCMP_EQUAL("9000 is past 1500, the most that enp4s0 can have", t.at("links[1].mtu").c_str());
}

RULE(mtu_parent, "links[1].mtu", t.use_vlan().mtu = 9000, t.machine_nic("enp3s0").max_mtu = 1500;
     t.use_vlan().mtu = 9000, "9000 is above 1500, the most that its parent enp3s0 can have")

RULE(mtu_network, "links[0].mtu", network_of(t, 0).mtu = 9000, network_of(t, 0).mtu = 9000;
     t.link(0).mtu = 1500, "1500 is less than network storage (storage) needs: 9000")

RULE(provider_topology, "provider.topology", t.request.assignment.provider.topology = "bridged",
     t.request.assignment.provider.topology = "routed",
     "routed is not the cluster's; it is bridged for every node")

RULE(provider_vlan, "provider.vlan", t.cluster.provider.vlan = 44;
     t.request.assignment.provider.vlan = 44, t.cluster.provider.vlan = 44;
     t.request.assignment.provider.vlan = 45, "45 is not the cluster's; it is 44 for every node")

RULE(uplink_unwanted, "provider.upstreamInterface",
     t.request.assignment.provider.upstream_interface = "enp4s0", t.cluster.provider = {};
     t.request.assignment.provider.upstream_interface = "enp4s0",
     "the cluster has no provider network, so there is no uplink; leave it out")

RULE(uplink_missing, "provider.upstreamInterface", use_routed(t);
     t.cluster.provider.upstream_purpose.clear();
     t.cluster.provider.upstream_interface = "eno1", t.cluster.provider.upstream_purpose.clear();
     t.cluster.provider.upstream_interface = "eno1",
     "the cluster bridges VM traffic and this machine has no NIC like the founder's uplink, eno1; "
     "name one: " NICS)

RULE(uplink_unknown, "provider.upstreamInterface",
     t.request.assignment.provider.upstream_interface = "enp4s0",
     t.request.assignment.provider.upstream_interface = "eno1", "no NIC or bond eno1; " NICS)

TEST(ConfigLinkRules, uplink_unknown_refuses_a_vlan) {
    Trial t;
    t.use_vlan();
    t.request.assignment.provider.upstream_interface = "vlan90";
    STRCMP_EQUAL("vlan90 is a VLAN; the uplink is a NIC or a bond",
                 t.at("provider.upstreamInterface").c_str());
}

RULE(uplink_member, "provider.upstreamInterface", t.use_bond();
     t.request.assignment.provider.upstream_interface = "enp1s0", t.use_bond();
     t.request.assignment.provider.upstream_interface = "enp4s0",
     "enp4s0 is a member of bond0; name bond0")

RULE(uplink_name, "provider.upstreamInterface", use_routed(t);
     t.request.assignment.provider.upstream_interface = "enp4s0", use_routed(t);
     t.request.assignment.provider.upstream_interface = "e*",
     "\"e*\" is no device name: letters, digits, dot, hyphen and underscore, not digits alone, no "
     "hyphen in front")

RULE(uplink_mac, "provider.upstreamInterface",
     t.request.assignment.provider.upstream_interface = "enp4s0",
     t.request.assignment.provider.upstream_interface = "enp4s0";
     add_machine_device(t, "enp5s0", "physical").permanent_mac = "02:00:00:00:00:40",
     "enp4s0 and enp5s0 have the same MAC address 02:00:00:00:00:40, so that nothing tells them "
     "apart; give one of them another")

RULE(uplink_oob, "provider.upstreamInterface",
     t.join.inventory.install_record->oob_interface = "enp1s0",
     t.join.inventory.install_record->oob_interface = "enp4s0";
     t.request.assignment.provider.upstream_interface = "enp4s0",
     "enp4s0 is the out-of-band NIC that stage 1 fixed, and keeps its own address; choose another")

RULE(uplink_network, "provider.upstreamInterface", t.use_vlan();
     t.request.assignment.provider.upstream_interface = "enp3s0",
     t.request.assignment.provider.upstream_interface = "enp3s0",
     "link overlay carries overlay on enp3s0 itself, and a bridged uplink would take that away; "
     "put it on a VLAN, or choose another NIC: " NICS)

// What the uplink's default was taken from is wrong already: it is said there, and only there.
TEST(ConfigLinkRules, uplink_is_silent_where_the_field_it_follows_is_refused) {
    Trial t;
    t.request.assignment.mgmt.interface = "enp9s0";
    LONGS_EQUAL(1, t.problems().size());
    CHECK(!t.at("mgmt.interface").empty());
    t.request.assignment.provider.upstream_interface = "enp9s0";
    LONGS_EQUAL(2, t.problems().size());
    CHECK(!t.at("provider.upstreamInterface").empty());
    Trial member;
    member.use_bond();
    member.link(2).interface = "enp1s0";
    LONGS_EQUAL(1, member.problems().size());
    Trial carried;
    carried.add_link("up", "enp9s0").purposes = list("provider");
    LONGS_EQUAL(1, carried.problems().size());
    CHECK(!carried.at("links[2].interface").empty());
}

TEST(ConfigLinkRules, link_device_collides_refuses_an_alternative_name_of_a_nic) {
    Trial t;
    t.machine_nic("enp4s0").alt_names = {"vlan90"};
    t.use_vlan();
    STRCMP_EQUAL("vlan90 is another name of enp4s0; a vlan needs a name of its own",
                 t.at("links[1].interface").c_str());
}

TEST(ConfigLinkRules, a_parent_or_uplink_by_an_alternative_name_is_told_the_name) {
    Trial t;
    t.machine_nic("enp4s0").alt_names = {"eno4"};
    t.use_vlan().parent = "eno4";
    t.request.assignment.provider.upstream_interface = "eno4";
    STRCMP_EQUAL("eno4 is another name of enp4s0; write enp4s0", t.at("links[1].parent").c_str());
    STRCMP_EQUAL("eno4 is another name of enp4s0; write enp4s0",
                 t.at("provider.upstreamInterface").c_str());
}
