// The way from (cluster, join, request) to a plan: defaults, what the plan holds, order,
// determinism.
#include <algorithm>
#include <random>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

ApprovalPlan accepted(const Trial& trial) {
    const auto planned = trial.plan();
    STRCMP_EQUAL("", all_problems(trial).c_str());
    return planned ? *planned : ApprovalPlan{};
}

std::string notes_of(const ApprovalPlan& plan) {
    return join(plan.assignment.copy_notes, "\n");
}

std::string addresses_of(const ApprovalPlan& plan) {
    std::string text;
    for (const IpAddress& address : plan.addresses)
        text += (text.empty() ? "" : " ") + address.str();
    return text;
}

// Five faults in five places, in no good order.
void spoil(Trial& t) {
    t.request.assignment.name = "Node_1";
    t.request.assignment.mgmt.gateway = "10.78.0.1";
    t.link(0).mtu = 70'000;
    t.use_vlan().vlan_id = 4095;
    t.request.assignment.disks->front().key = "0x5000c500ffffffff";
}

// More than one entry in each list whose order means nothing.
void crowd(Trial& t) {
    facts::Disk& disk = t.machine_disk("/dev/nvme1n1");
    disk.holds->push_back({"lvm", "LVM2_member", "", "u1", "/dev/nvme1n1p1", {}});
    disk.holds->push_back({"swap", "swap", "s", "u2", "/dev/nvme1n1p2", {}});
    disk.by_id.push_back("/dev/disk/by-id/nvme-Example_2");
    disk.closure = {"/dev/sdx", "/dev/sdy", "/dev/sdw"};
    disk.partitions = {{1, "/dev/nvme1n1p1", 1 << 20, 1 << 20, "", "", "", {}},
                       {2, "/dev/nvme1n1p2", 2 << 20, 1 << 20, "", "", "", {}}};
    facts::Disk& mounted = t.machine_disk("/dev/sda");
    mounted.mounts = {{"/", "/dev/sda3", {}}, {"/boot", "/dev/sda1", {}}};
    facts::Nic& nic = t.machine_nic("enp1s0");
    nic.alt_names = {"eno1", "enx1"};
    nic.addresses.push_back({"10.77.0.51/24", "static"});
    nic.routes = {"10.0.0.0/8", "192.168.0.0/16"};
}

template<class List>
void shuffle_list(List& list, std::mt19937& random) {
    std::shuffle(list.begin(), list.end(), random);
}

void shuffle(facts::Inventory& machine, std::mt19937& random) {
    shuffle_list(machine.nics, random);
    shuffle_list(machine.disks, random);
    for (facts::Nic& nic : machine.nics) {
        shuffle_list(nic.addresses, random);
        shuffle_list(nic.alt_names, random);
        shuffle_list(nic.routes, random);
    }
    for (facts::Disk& disk : machine.disks) {
        shuffle_list(disk.by_id, random);
        shuffle_list(disk.closure, random);
        shuffle_list(disk.mounts, random);
        shuffle_list(disk.partitions, random);
        if (disk.holds) shuffle_list(*disk.holds, random);
    }
}

} // namespace

TEST_GROUP(ConfigPlan){};

TEST(ConfigPlan, FillsInEveryDefault) {
    const ApprovalPlan plan = accepted(Trial());
    const Assignment& made = plan.assignment;
    STRCMP_EQUAL("beta", made.name->c_str());
    STRCMP_EQUAL("hybrid", made.role->c_str());
    STRCMP_EQUAL("enp1s0", made.mgmt.interface->c_str());
    STRCMP_EQUAL("10.77.0.50/24", made.mgmt.address->c_str());
    STRCMP_EQUAL("10.77.0.254", made.mgmt.gateway->c_str());
    STRCMP_EQUAL("10.77.0.253", made.mgmt.dns->front().c_str());
    STRCMP_EQUAL("ethernet", (*made.links)[0].kind->c_str());
    LONGS_EQUAL(1500, *(*made.links)[0].mtu);
    STRCMP_EQUAL("compute", (*made.disks)[0].role->c_str());
    STRCMP_EQUAL("fast", (*made.disks)[0].storage_class->c_str());
    STRCMP_EQUAL("ntp.example.org", made.ntp_servers->front().c_str());
    STRCMP_EQUAL("bridged", made.provider.topology->c_str());
    STRCMP_EQUAL("enp1s0", made.provider.upstream_interface->c_str());
}

TEST(ConfigPlan, NotesALeasedAddressThatBecomesStatic) {
    STRCMP_EQUAL("the address 10.77.0.50 is leased today and becomes static: take it out of the "
                 "DHCP range",
                 notes_of(accepted(Trial())).c_str());
}

TEST(ConfigPlan, NamesTheNodeByItsIdWhereTheHostnameWillNotDo) {
    for (const char* hostname : {"", "localhost", "localhost.localdomain", "alpha", "a_b", "-"}) {
        Trial t;
        t.join.inventory.hostname = hostname;
        STRCMP_EQUAL("n-7f3k2p", accepted(t).assignment.name->c_str());
    }
    Trial t;
    t.join.inventory.hostname = "Gamma.Example.org";
    STRCMP_EQUAL("gamma", accepted(t).assignment.name->c_str());
}

TEST(ConfigPlan, TakesTheNicThatReachesTheFounderBehindNat) {
    Trial t;
    t.join.remote_address = "198.51.100.7";
    const ApprovalPlan plan = accepted(t);
    STRCMP_EQUAL("10.77.0.50/24", plan.assignment.mgmt.address->c_str());
    STRCMP_CONTAINS("no NIC holds 198.51.100.7, from which the machine registered; mgmt is the NIC "
                    "that reaches the founder, enp1s0 with 10.77.0.50/24: check it",
                    notes_of(plan).c_str());
}

TEST(ConfigPlan, TakesALastingAddressInsteadOfALinkLocalOrTemporaryOne) {
    Trial t;
    t.machine_nic("enp1s0").addresses = {{"fe80::1/64", "link-local"},
                                         {"fd00::dead/64", "temporary"},
                                         {"fd00::50/64", "static"},
                                         {"10.77.0.50/24", "static"}};
    for (const char* remote : {"fe80::1%enp9s0", "fd00::dead"}) {
        t.join.remote_address = remote;
        const ApprovalPlan plan = accepted(t);
        STRCMP_EQUAL("fd00::50/64", plan.assignment.mgmt.address->c_str());
        STRCMP_CONTAINS("which does not last", notes_of(plan).c_str());
    }
}

TEST(ConfigPlan, FillsInABondsDefaults) {
    Trial t;
    t.use_bond();
    t.link(1).bond->mode = "802.3ad";
    const ApprovalPlan plan = accepted(t);
    const Bond bond = *(*plan.assignment.links)[1].bond;
    LONGS_EQUAL(100, *bond.miimon_ms);
    STRCMP_EQUAL("slow", bond.lacp_rate->c_str());
    STRCMP_EQUAL("layer2+3", bond.xmit_hash_policy->c_str());
    Trial other;
    other.use_bond();
    const Bond plain = *(*accepted(other).assignment.links)[1].bond;
    CHECK(!plain.lacp_rate && !plain.xmit_hash_policy);
}

TEST(ConfigPlan, MtuFollowsTheNetworkAndWhatStandsOnTheLink) {
    Trial t;
    t.cluster.networks[1].mtu = 9000;
    t.use_bond();
    t.link(1).purposes.clear();
    Link& vlan = t.add_link("overlay", "vlan90");
    vlan.kind = "vlan";
    vlan.parent = "bond0";
    vlan.vlan_id = 90;
    vlan.purposes = {"overlay"};
    const ApprovalPlan plan = accepted(t);
    const auto& links = *plan.assignment.links;
    LONGS_EQUAL(1500, *links[0].mtu);
    for (std::size_t i = 1; i < links.size(); ++i) LONGS_EQUAL(9000, *links[i].mtu);
}

TEST(ConfigPlan, RaisesAParentThatWasAskedForLessAndNotesIt) {
    Trial t;
    t.use_vlan().mtu = 9000;
    t.add_link("below", "enp3s0").mtu = 1500;
    const ApprovalPlan plan = accepted(t);
    LONGS_EQUAL(9000, *(*plan.assignment.links)[2].mtu);
    STRCMP_CONTAINS("link below: its MTU is raised from 1500 to 9000 for the VLANs on it",
                    notes_of(plan).c_str());
}

TEST(ConfigPlan, RaisesTheMgmtNicForAVlanOnIt) {
    Trial t;
    Link& vlan = t.use_vlan();
    vlan.parent = "enp1s0";
    vlan.mtu = 9000;
    const ApprovalPlan plan = accepted(t);
    LONGS_EQUAL(9000, *plan.node.mgmt.mtu);
    LONGS_EQUAL(2, plan.node.connections.size());
    STRCMP_CONTAINS("enp1s0: its MTU is raised to 9000 for the VLANs on it",
                    notes_of(plan).c_str());
}

TEST(ConfigPlan, SaysAnMtuThatTheNicHasTodayByChance) {
    Trial t;
    Link& vlan = t.use_vlan();
    vlan.parent = "enp1s0";
    vlan.mtu = 9000;
    t.machine_nic("enp1s0").mtu = 9000;
    const ApprovalPlan plan = accepted(t);
    LONGS_EQUAL(9000, *plan.node.mgmt.mtu);
    CHECK(notes_of(plan).find("raised") == std::string::npos);
}

TEST(ConfigPlan, ANicThatOnlyCarriesVlansIsAConnectionOfTheNode) {
    Trial t;
    t.use_vlan().mtu = 9000;
    const ApprovalPlan plan = accepted(t);
    LONGS_EQUAL(2, plan.assignment.links->size());
    LONGS_EQUAL(3, plan.node.connections.size());
    const Connection& bare = plan.node.connections[2];
    STRCMP_EQUAL("enp3s0", bare.link.interface.c_str());
    STRCMP_EQUAL("02:00:00:00:00:30", bare.mac.c_str());
    LONGS_EQUAL(9000, *bare.link.mtu);
    CHECK(bare.link.purposes.empty() && bare.link.addresses.empty());
}

TEST(ConfigPlan, TheUplinkIsTheLinkThatCarriesProvider) {
    Trial t;
    t.add_link("up", "enp4s0").purposes = {"provider"};
    STRCMP_EQUAL("enp4s0", accepted(t).assignment.provider.upstream_interface->c_str());
}

TEST(ConfigPlan, TheUplinkIsTheNicNamedLikeTheFoundersAtLast) {
    Trial t;
    t.cluster.provider.upstream_purpose.clear();
    t.cluster.provider.upstream_interface = "enp4s0";
    STRCMP_EQUAL("enp4s0", accepted(t).assignment.provider.upstream_interface->c_str());
}

TEST(ConfigPlan, TheNodeHasPermanentMacsAndDigests) {
    Trial t;
    t.machine_nic("enp2s0").permanent_mac = "02-00-00-00-00-AA";
    const ApprovalPlan plan = accepted(t);
    const NodeConfig& node = plan.node;
    STRCMP_EQUAL("02:00:00:00:00:10", node.mgmt.nic.mac.c_str());
    STRCMP_EQUAL("02:00:00:00:00:aa", node.connections[0].mac.c_str());
    STRCMP_EQUAL("02:00:00:00:00:10", node.provider_mac.c_str());
    STRCMP_EQUAL("enp9s0", node.oob_interface.c_str());
    STRCMP_EQUAL("compute-tail", node.os_disk_layout.c_str());
    STRCMP_EQUAL("default", node.compute_tail_pool.c_str());
    STRCMP_EQUAL("nj-8w2k4m1p", node.join_id.c_str());
    const facts::Disk& disk = t.machine_disk("/dev/nvme0n1");
    STRCMP_EQUAL(to_hex(facts::contents_digest(disk)).c_str(), node.disks[0].digest.c_str());
    LONGS_EQUAL(disk.size_bytes, node.disks[0].size_bytes);
    STRCMP_EQUAL(disk.serial.c_str(), node.disks[0].serial.c_str());
}

TEST(ConfigPlan, ListsWhatIsWipedAndWhatIsClaimed) {
    Trial t;
    DiskChoice& old = t.add_disk(kOldKey);
    old.pool = "fast";
    old.confirm = kOldKey;
    const ApprovalPlan plan = accepted(t);
    LONGS_EQUAL(1, plan.wipes.size());
    STRCMP_EQUAL("/dev/nvme1n1", plan.wipes[0].path.c_str());
    STRCMP_EQUAL("compute", plan.wipes[0].role.c_str());
    STRCMP_EQUAL("ext4 “olddata” on /dev/nvme1n1", plan.wipes[0].losses[0].c_str());
    STRCMP_EQUAL("10.77.0.50 10.77.10.2 10.77.20.2", addresses_of(plan).c_str());
    STRCMP_EQUAL("eui.0025388b71b2c4d1 eui.0025388b71b2c4d2", join(plan.disk_keys, " ").c_str());
}

TEST(ConfigPlan, NotesOneSubnetOnTwoDevicesAndNoneOnOne) {
    Trial t;
    t.request.assignment.mgmt.address = "10.77.10.60/24";
    t.request.assignment.mgmt.gateway = "10.77.10.254";
    STRCMP_CONTAINS("mgmt (enp1s0, 10.77.10.60/24) and link storage (enp2s0, 10.77.10.2/24) are in "
                    "one subnet on two devices: check it",
                    notes_of(accepted(t)).c_str());
    t.link(0).interface = "enp1s0";
    t.request.assignment.provider.upstream_interface = "enp4s0";
    CHECK(notes_of(accepted(t)).find("one subnet") == std::string::npos);
}

TEST(ConfigPlan, TellsEveryProblemAtOnceInTheOrderOfTheFields) {
    Trial t;
    spoil(t);
    const char* expected[] = {
        "name: ", "mgmt.gateway: ", "links[0].mtu: ", "links[1].vlanId: ", "disks[0].key: "};
    const auto problems = t.problems();
    LONGS_EQUAL(5, problems.size());
    for (std::size_t i = 0; i < problems.size(); ++i)
        CHECK_TEXT(problems[i].starts_with(expected[i]), problems[i].c_str());
}

TEST(ConfigPlan, TheOrderOfTheInventoryChangesNothing) {
    std::mt19937 random(20261130); // any fixed seed
    Trial good;
    good.request.assignment.links.reset();
    good.request.copy_from = "none";
    Trial bad;
    spoil(bad);
    Trial fine;
    DiskChoice& old = fine.add_disk(kOldKey);
    old.pool = "slow";
    old.confirm = kOldKey;
    for (Trial* trial : {&good, &bad, &fine}) crowd(*trial);
    const auto wanted = good.problems();
    const auto wanted_bad = bad.problems();
    const ApprovalPlan wanted_plan = accepted(fine);
    for (int round = 0; round < 10; ++round) {
        for (Trial* trial : {&good, &bad, &fine}) shuffle(trial->join.inventory, random);
        CHECK(good.problems() == wanted);
        CHECK(bad.problems() == wanted_bad);
        const ApprovalPlan plan = accepted(fine);
        CHECK(plan.node == wanted_plan.node);
        CHECK(plan.wipes == wanted_plan.wipes);
        CHECK(plan.assignment == wanted_plan.assignment);
    }
}

TEST(ConfigPlan, AnAnswerCanBeSentBackAsItIs) {
    Trial t;
    t.use_vlan();
    const ApprovalPlan plan = accepted(t);
    Findings findings;
    Node body = Node::object();
    body.set("assignment", to_node(plan.assignment));
    t.request = read_approval(body, findings);
    CHECK(findings.empty());
    const ApprovalPlan again = accepted(t);
    CHECK(again.addresses == plan.addresses);
    CHECK(again.node.connections[0].link.addresses == plan.node.connections[0].link.addresses);
}

TEST(ConfigPlan, AMgmtAddressOnABondOverTheRegisteredNicMovesThere) {
    Trial t;
    t.use_bond();
    t.link(2).interface = "enp1s0";
    t.machine_nic("enp1s0").speed_mbps.reset();
    t.request.assignment.mgmt.interface = "bond0";
    t.request.assignment.provider.upstream_interface = "enp4s0";
    t.link(3).interface = "enp3s0";
    const ApprovalPlan plan = accepted(t);
    STRCMP_EQUAL("bond0", plan.node.mgmt.nic.interface.c_str());
    STRCMP_EQUAL("", plan.node.mgmt.nic.mac.c_str());
    STRCMP_EQUAL("10.77.0.50/24", plan.node.mgmt.address.c_str());
    STRCMP_EQUAL("10.77.0.254", plan.node.mgmt.gateway.c_str());
}

TEST(ConfigPlan, TheUplinkFollowsWhatAVlanOfItsPurposeStandsOn) {
    Trial t;
    Link& vlan = t.add_link("mgmt-vlan", "vlan7");
    vlan.kind = "vlan";
    vlan.parent = "enp1s0";
    vlan.vlan_id = 7;
    t.request.assignment.mgmt.interface = "vlan7";
    STRCMP_EQUAL("enp1s0", accepted(t).assignment.provider.upstream_interface->c_str());
    Trial other;
    other.use_vlan();
    other.cluster.provider.upstream_purpose = "overlay";
    STRCMP_EQUAL("enp3s0", accepted(other).assignment.provider.upstream_interface->c_str());
}

TEST(ConfigPlan, TakesNoNameServerThatIsTheMachineItself) {
    Trial t;
    t.machine_nic("enp1s0").dns = {"127.0.0.53",  "10.77.0.50",  "nonsense",
                                   "10.77.0.253", "10.77.0.253", "::1"};
    STRCMP_EQUAL("10.77.0.253", join(*accepted(t).assignment.mgmt.dns, " ").c_str());
    t.request.assignment.mgmt.address = "10.77.0.60/24";
    t.request.assignment.mgmt.gateway = "10.77.0.254";
    STRCMP_EQUAL("10.77.0.50 10.77.0.253", join(*accepted(t).assignment.mgmt.dns, " ").c_str());
}
