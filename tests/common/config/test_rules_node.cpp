// Rules about the node as a whole and about mgmt.
#include <algorithm>

#include "common/base/text.hpp"
#include "common/config/rules.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace stratum::config::test {

std::vector<std::string>& covered_rules() {
    static std::vector<std::string> ids;
    return ids;
}

std::vector<std::string> list(std::string_view text) {
    return words(text);
}

std::string all_problems(const Trial& trial) {
    const auto problems = trial.problems();
    return join(problems, "\n");
}

} // namespace stratum::config::test

#define RULE_GROUP ConfigNodeRules

TEST_GROUP(ConfigNodeRules){};

TEST(ConfigNodeRules, EveryRuleHasItsTwoTests) {
    std::vector<std::string> missing;
    for (const Rule& rule : approval_rules()) {
        const auto& covered = covered_rules();
        if (std::count(covered.begin(), covered.end(), rule.id) != 1) missing.emplace_back(rule.id);
    }
    STRCMP_EQUAL("", join(missing, " ").c_str());
    LONGS_EQUAL(approval_rules().size(), covered_rules().size());
}

TEST(ConfigNodeRules, EveryRowIsWhole) {
    for (const Rule& rule : approval_rules()) {
        CHECK_TEXT(!rule.field.empty() && !rule.refused_when.empty() && rule.check,
                   std::string(rule.id).c_str());
        CHECK_TEXT(is_label(rule.id), std::string(rule.id).c_str());
    }
}

namespace {

Assignment& assignment(Trial& t) {
    return t.request.assignment;
}

void add_source(Trial& t, bool has_plan) {
    CopySource source;
    source.node_id = "n-alpha";
    source.has_plan = has_plan;
    source.assignment.name = "alpha";
    source.assignment.rack = "rack-1";
    t.cluster.sources.push_back(source);
}

void fill_cluster(Trial& t, int nodes) {
    for (int i = 1; i < nodes; ++i) t.cluster.holders.push_back(holder("node" + std::to_string(i)));
}

void register_behind_nat(Trial& t) {
    t.join.remote_address = "198.51.100.7";
}

} // namespace

RULE(copy_source, "copyFrom", add_source(t, true);
     t.request.copy_from = "n-alpha", add_source(t, true);
     t.request.copy_from = "n-omega",
     "no node n-omega; nodes to copy from: n-alpha (alpha); \"none\" copies nothing")

TEST(ConfigNodeRules, copy_source_refuses_a_node_with_nothing_to_copy) {
    Trial t;
    add_source(t, false);
    t.request.copy_from = "n-alpha";
    STRCMP_EQUAL("node n-alpha has nothing to copy; nodes to copy from: none; \"none\" copies "
                 "nothing",
                 t.at("copyFrom").c_str());
}

RULE(pairing_code, "pairingCode", t.request.pairing_code = "4f7k2q",
     t.request.pairing_code = "4F7-K2R",
     "\"4F7-K2R\" is not the pairing code of this join; type the code that the machine's own "
     "console shows, and approve only the machine that shows it")

RULE(name_label, "name", assignment(t).name = "gamma-2", assignment(t).name = "Node_1",
     "\"Node_1\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end")

TEST(ConfigNodeRules, name_label_refuses_what_every_machine_calls_itself) {
    Trial t;
    assignment(t).name = "localhost";
    STRCMP_EQUAL("localhost is what every machine calls itself; choose another",
                 t.at("name").c_str());
}

TEST(ConfigNodeRules, name_taken_refuses_another_nodes_id_and_accepts_its_own) {
    Trial t;
    assignment(t).name = "n-alpha";
    STRCMP_EQUAL("n-alpha is the node id of alpha; choose another", t.at("name").c_str());
    assignment(t).name = t.join.node_id;
    STRCMP_EQUAL("", all_problems(t).c_str());
}

TEST(ConfigNodeRules, pairing_code_refuses_one_that_was_left_empty) {
    Trial t;
    t.request.pairing_code = request_of(R"({"pairingCode": "", "assignment": {}})").pairing_code;
    STRCMP_EQUAL("\"\" is not the pairing code of this join; type the code that the machine's own "
                 "console shows, and approve only the machine that shows it",
                 t.at("pairingCode").c_str());
    t.request.pairing_code = request_of(R"({"pairingCode": null, "assignment": {}})").pairing_code;
    STRCMP_EQUAL("", all_problems(t).c_str());
}

RULE(name_taken, "name", assignment(t).name = "alpha2", assignment(t).name = "alpha",
     "alpha is the name of node n-alpha; choose another")

TEST(ConfigNodeRules, name_taken_names_the_join_that_has_it) {
    Trial t;
    Holder failed = holder("beta");
    failed.join_id = "nj-aaaaaaaa";
    failed.state = "failed";
    t.cluster.holders.push_back(failed);
    assignment(t).name = "beta";
    STRCMP_EQUAL("beta is the name of the failed join nj-aaaaaaaa; choose another",
                 t.at("name").c_str());
}

RULE(role_supported, "role", assignment(t).role = "hybrid", assignment(t).role = "compute",
     "compute nodes are not supported yet; the role must be hybrid (control plane, compute and "
     "storage together)")

RULE(role_cluster_full, "role", fill_cluster(t, 4), fill_cluster(t, 5),
     "the cluster has 5 control-plane nodes (alpha, node1, node2, node3, node4), joining ones "
     "counted, and takes at most 5; remove a node, or reject a join, first")

RULE(role_virtualization, "role", t.join.inventory.cpu.virtualization = "";
     t.cluster.allow_emulation = true, t.join.inventory.cpu.virtualization = "",
     "a hybrid node runs VMs, and this CPU shows neither vmx nor svm; switch virtualization on in "
     "the firmware (or in the hypervisor above), or set the cluster's allowEmulation")

TEST(ConfigNodeRules, role_virtualization_accepts_a_cpu_that_tells_nothing) {
    Trial t;
    t.join.inventory.cpu.virtualization.reset();
    STRCMP_EQUAL("", all_problems(t).c_str());
}

TEST(ConfigNodeRules, role_other_than_hybrid_is_told_once) {
    Trial t;
    fill_cluster(t, 5);
    t.join.inventory.cpu.virtualization = "";
    assignment(t).role = "storage";
    LONGS_EQUAL(1, t.problems().size());
}

RULE(rack_label, "rack", assignment(t).rack = "rack-12", assignment(t).rack = "Rack 12",
     "\"Rack 12\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end")

RULE(az_label, "az", assignment(t).az = "az-1", assignment(t).az = "-az",
     "\"-az\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end")

RULE(ntp_host, "ntpServers[1]", assignment(t).ntp_servers = list("ntp1.example.org fd00::5"),
     assignment(t).ntp_servers = list("ntp1.example.org 10.0.0.300"),
     "\"10.0.0.300\" is neither a host name nor an address, such as ntp.example.org")

TEST(ConfigNodeRules, servers_refuse_addresses_that_are_no_one_machines) {
    for (const char* text : {"0.0.0.0", "::", "255.255.255.255", "224.0.1.1", "ff02::101"}) {
        const std::string wanted = std::string(text) + " is no server's address";
        Trial t;
        assignment(t).ntp_servers = list(text);
        STRCMP_EQUAL(wanted.c_str(), t.at("ntpServers[0]").c_str());
        Trial other;
        assignment(other).mgmt.dns = list(text);
        STRCMP_EQUAL(wanted.c_str(), other.at("mgmt.dns[0]").c_str());
    }
}

RULE(ntp_twice, "ntpServers[1]", assignment(t).ntp_servers = list("a.example.org b.example.org"),
     assignment(t).ntp_servers = list("a.example.org A.example.org"),
     "A.example.org is given twice; each server once")

RULE(mgmt_interface_missing, "mgmt.interface", register_behind_nat(t), register_behind_nat(t);
     t.join.inventory.founder_interface.clear(),
     "no NIC of this machine holds 198.51.100.7, from which it registered, and it does not say "
     "which NIC reaches the founder; name one: this machine has enp1s0 (up, 10 Gb/s), enp2s0 "
     "(up, 10 Gb/s), enp3s0 (up, 10 Gb/s), enp4s0 (down)")

RULE(mgmt_interface_unknown, "mgmt.interface", assignment(t).mgmt.interface = "enp1s0",
     assignment(t).mgmt.interface = "enp9s0",
     "no NIC, bond or VLAN enp9s0; this machine has enp1s0 (up, 10 Gb/s), enp2s0 (up, 10 Gb/s), "
     "enp3s0 (up, 10 Gb/s), enp4s0 (down)")

TEST(ConfigNodeRules, mgmt_interface_unknown_refuses_a_bond_that_the_founder_would_lose) {
    Trial t;
    t.use_bond();
    assignment(t).mgmt.interface = "bond0";
    STRCMP_EQUAL("bond0 does not stand on enp1s0, from which the machine registered; the founder "
                 "would lose sight of it",
                 t.at("mgmt.interface").c_str());
}

TEST(ConfigNodeRules, mgmt_interface_accepts_a_vlan_on_the_nic_that_registered) {
    Trial t;
    Link& vlan = t.add_link("mgmt-vlan", "vlan7");
    vlan.kind = "vlan";
    vlan.parent = "enp1s0";
    vlan.vlan_id = 7;
    assignment(t).mgmt.interface = "vlan7";
    assignment(t).provider.upstream_interface = "enp1s0";
    STRCMP_EQUAL("", all_problems(t).c_str());
}

TEST(ConfigNodeRules, mgmt_interface_unknown_refuses_the_bmcs_nic) {
    Trial t;
    facts::Nic bmc = nic("enp8s0");
    bmc.bmc = true;
    t.join.inventory.nics.push_back(bmc);
    assignment(t).mgmt.interface = "enp8s0";
    STRCMP_CONTAINS("enp8s0 is the BMC's", t.at("mgmt.interface").c_str());
}

TEST(ConfigNodeRules, mgmt_interface_unknown_refuses_a_bond_that_would_not_stay) {
    Trial t;
    facts::Nic bond = nic("bond0");
    bond.kind = "bond";
    bond.bond = facts::NicBond{"active-backup", {"enp1s0"}};
    bond.addresses = {{"10.77.0.60/24", "static"}};
    t.join.inventory.nics.push_back(bond);
    t.join.remote_address = "10.77.0.60";
    STRCMP_EQUAL("bond0 is a bond that the machine has now and this assignment does not list; "
                 "list it and what it stands on in links, so that it stays",
                 t.at("mgmt.interface").c_str());
}

RULE(mgmt_interface_member, "mgmt.interface", t.use_bond(), t.use_bond();
     t.link(2).interface = "enp1s0",
     "enp1s0 becomes a member of bond0 and loses its address there; make bond0 (or a VLAN on it) "
     "the mgmt interface, or leave the NIC out of the bond")

RULE(mgmt_interface_mac, "mgmt.interface",
     t.machine_nic("enp4s0").permanent_mac = "02:00:00:00:00:21",
     t.machine_nic("enp4s0").permanent_mac = "02:00:00:00:00:10",
     "enp1s0 and enp4s0 have the same MAC address 02:00:00:00:00:10, so that nothing tells them "
     "apart; give one of them another")

RULE(mgmt_interface_down, "mgmt.interface",
     t.machine_nic("enp1s0").state = facts::LinkState::kUnknown,
     t.machine_nic("enp1s0").state = facts::LinkState::kDown,
     "enp1s0 has no carrier; plug it in, or choose another: this machine has enp1s0 (down), "
     "enp2s0 (up, 10 Gb/s), enp3s0 (up, 10 Gb/s), enp4s0 (down)")

RULE(mgmt_address_missing, "mgmt.address", register_behind_nat(t), register_behind_nat(t);
     t.machine_nic("enp1s0").addresses.clear(),
     "none is given, and enp1s0 has no lasting address; give one with its prefix length, and "
     "mgmt.gateway")

RULE(mgmt_address_form, "mgmt.address", assignment(t).mgmt.address = "10.77.0.50",
     assignment(t).mgmt.address = "10.77.0",
     "\"10.77.0\" is neither an address nor an address with prefix length, such as 10.77.0.11/24")

RULE(mgmt_interface_address, "mgmt.interface", assignment(t).mgmt.interface = "enp2s0";
     assignment(t).mgmt.address = "10.77.0.51/24"; assignment(t).mgmt.gateway = "10.77.0.254";
     assignment(t).provider.upstream_interface = "enp1s0", assignment(t).mgmt.interface = "enp2s0",
     "enp2s0 does not hold 10.77.0.50, enp1s0 does; name enp1s0, or give mgmt.address with its "
     "prefix length and mgmt.gateway, new on enp2s0")

RULE(mgmt_address_prefix, "mgmt.address", assignment(t).mgmt.address = "10.77.0.50",
     assignment(t).mgmt.address = "10.77.0.51",
     "10.77.0.51 is new on enp1s0, so its prefix length is needed: 10.77.0.51/…, and "
     "mgmt.gateway")

RULE(mgmt_address_gateway, "mgmt.address", assignment(t).mgmt.address = "10.77.0.51/24";
     assignment(t).mgmt.gateway = "10.77.0.254", assignment(t).mgmt.address = "10.77.0.51/24",
     "10.77.0.51/24 is new on enp1s0, so mgmt.gateway is needed too")

RULE(mgmt_address_host, "mgmt.address", assignment(t).mgmt.address = "10.77.0.254/31";
     assignment(t).mgmt.gateway = "10.77.0.255", assignment(t).mgmt.address = "10.77.0.255/24";
     assignment(t).mgmt.gateway = "10.77.0.254",
     "10.77.0.255/24 is the broadcast address of 10.77.0.0/24; a node needs a host address")

TEST(ConfigNodeRules, mgmt_address_host_refuses_a_prefix_of_nothing) {
    for (const char* text : {"10.77.0.60/0", "fd00::60/0"}) {
        Trial t;
        assignment(t).mgmt.address = text;
        assignment(t).mgmt.gateway = text[0] == 'f' ? "fe80::1" : "10.77.0.254";
        const std::string wanted = std::string(text) + " would make every address a neighbour; "
                                                       "give the network's own prefix length, "
                                                       "such as /24";
        STRCMP_EQUAL(wanted.c_str(), t.at("mgmt.address").c_str());
    }
}

TEST(ConfigNodeRules, mgmt_address_host_refuses_the_networks_own_address) {
    Trial t;
    assignment(t).mgmt.address = "10.77.0.0/24";
    assignment(t).mgmt.gateway = "10.77.0.254";
    STRCMP_EQUAL("10.77.0.0/24 is the network's own address of 10.77.0.0/24; a node needs a host "
                 "address",
                 t.at("mgmt.address").c_str());
}

RULE(mgmt_address_taken, "mgmt.address", assignment(t).mgmt.address = "10.77.0.2/24";
     assignment(t).mgmt.gateway = "10.77.0.254", assignment(t).mgmt.address = "10.77.0.1/24";
     assignment(t).mgmt.gateway = "10.77.0.254", "10.77.0.1 is taken: node alpha has it")

TEST(ConfigNodeRules, mgmt_address_taken_refuses_a_virtual_address) {
    Trial t;
    assignment(t).mgmt.address = "10.77.0.240/24";
    assignment(t).mgmt.gateway = "10.77.0.254";
    STRCMP_EQUAL("10.77.0.240 is taken: a virtual address of the cluster has it",
                 t.at("mgmt.address").c_str());
}

RULE(mgmt_gateway_form, "mgmt.gateway", assignment(t).mgmt.gateway = "10.77.0.254",
     assignment(t).mgmt.gateway = "gw.example.org",
     "\"gw.example.org\" is not an address, such as 10.77.0.1 or fd00::1")

RULE(mgmt_gateway_subnet, "mgmt.gateway", assignment(t).mgmt.gateway = "10.77.0.250",
     assignment(t).mgmt.gateway = "10.78.0.1",
     "10.78.0.1 is not in 10.77.0.0/24, the subnet of 10.77.0.50")

TEST(ConfigNodeRules, mgmt_gateway_subnet_refuses_the_nodes_own_address) {
    Trial t;
    assignment(t).mgmt.gateway = "10.77.0.50";
    STRCMP_EQUAL("10.77.0.50 is the node's own address; a gateway is another machine",
                 t.at("mgmt.gateway").c_str());
}

TEST(ConfigNodeRules, mgmt_gateway_subnet_accepts_any_for_a_lone_address) {
    Trial t;
    assignment(t).mgmt.address = "203.0.113.9/32";
    assignment(t).mgmt.gateway = "10.0.0.1";
    STRCMP_EQUAL("", all_problems(t).c_str());
}

TEST(ConfigNodeRules, mgmt_gateway_subnet_accepts_a_link_local_router) {
    Trial t;
    assignment(t).mgmt.address = "fd00::9/64";
    assignment(t).mgmt.gateway = "fe80::1";
    STRCMP_EQUAL("", all_problems(t).c_str());
}

RULE(mgmt_dns_form, "mgmt.dns[1]", assignment(t).mgmt.dns = list("10.77.0.253 fd00::53"),
     assignment(t).mgmt.dns = list("10.77.0.253 dns.example.org"),
     "\"dns.example.org\" is not an address, such as 10.77.0.1 or fd00::1")

RULE(mgmt_dns_self, "mgmt.dns[0]", assignment(t).mgmt.dns = list("10.77.0.253"),
     assignment(t).mgmt.dns = list("10.77.0.50"),
     "10.77.0.50 is the node's own address; name another machine's")

TEST(ConfigNodeRules, mgmt_dns_self_refuses_the_loopback) {
    for (const char* text : {"127.0.0.53", "::1"}) {
        Trial t;
        assignment(t).mgmt.dns = list(text);
        const std::string wanted =
            std::string(text) + " is the node's own address; name another machine's";
        STRCMP_EQUAL(wanted.c_str(), t.at("mgmt.dns[0]").c_str());
    }
}

TEST(ConfigNodeRules, mgmt_interface_unknown_says_the_name_of_a_nic_named_otherwise) {
    Trial t;
    t.machine_nic("enp1s0").alt_names = {"enx020000000010"};
    assignment(t).mgmt.interface = "enx020000000010";
    STRCMP_EQUAL("enx020000000010 is another name of enp1s0; write enp1s0",
                 t.at("mgmt.interface").c_str());
}
