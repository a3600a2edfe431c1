// What node.yaml orders of the network as a plan, as systemd-networkd's files (compared with the
// folder golden/; GOLDEN=update writes it anew) and read back.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/base/text.hpp"
#include "installer/phases/network_check.hpp"
#include "tests/installer/phases/net_world.hpp"

#include <CppUTest/TestHarness.h>

#include "tests/installer/phases/checks.hpp"

using namespace stratum;
using namespace stratum::installer;
using fakes::bonded_node;
using fakes::NetWorld;

namespace {

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return in ? text.str() : "(no file " + path + ")";
}

void check_golden(const std::string& folder, const NetworkPlan& plan) {
    const std::string place = "tests/installer/phases/golden/" + folder + "/";
    for (const NetworkFile& file : render_network(plan)) {
        if (std::getenv("GOLDEN") != nullptr) std::ofstream(place + file.name) << file.content;
        STRCMP_EQUAL(read_file(place + file.name).c_str(), file.content.c_str());
    }
}

std::string content_of(const NetworkPlan& plan, const std::string& name) {
    for (const NetworkFile& file : render_network(plan)) {
        if (file.name == name) return file.content;
    }
    return "(not rendered)";
}

bool has_line(const std::string& text, const std::string& line) {
    const auto lines = split(text, '\n');
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

bool says(const std::vector<std::string>& lines, const std::string& words) {
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line.find(words) != std::string::npos;
    });
}

} // namespace

TEST_GROUP(NetworkPlan) {
    NetWorld world;
    std::vector<std::string> notes;
    void setup() override {
        world.node = bonded_node();
    }
    NetworkPlan plan() {
        notes.clear();
        auto made = plan_network(world.node, world.machine, notes);
        CHECK_OK(made);
        return made.value();
    }
    Result<NetworkPlan> try_plan() {
        return plan_network(world.node, world.machine, notes);
    }
};

TEST(NetworkPlan, BondVlanAndMgmtAsFiles) {
    check_golden("bonded", plan());
}

TEST(NetworkPlan, EveryNicOnItsOwnWithAnOobNicAndIpv6AsFiles) {
    world.node.connections.resize(1);
    auto& storage = world.node.connections[0];
    storage.link.controller.reset();
    storage.link.addresses = {"10.30.0.11/24"};
    storage.link.mtu = 1500;
    world.node.oob_interface = "eth2";
    world.node.mgmt.address = "fd00:20::11/64";
    world.node.mgmt.gateway = "fe80::1";
    world.node.mgmt.dns = {"fd00:20::53", "10.20.0.53"};
    world.node.mgmt.mtu = 1500;
    check_golden("plain", plan());
}

TEST(NetworkPlan, MgmtOnAVlanOfABondAsFiles) {
    world.node.mgmt.nic = {"bond0.100", ""};
    world.node.connections[2].link.bond = config::Bond{"active-backup", {}, 100, {}};
    world.node.connections[3].link.addresses.clear();
    check_golden("mgmt-on-vlan", plan());
}

TEST(NetworkPlan, ARenamedNicIsFoundByItsMacAndSaid) {
    world.machine.nics[0].name = "ens7";
    const auto made = plan();
    CHECK(made.find("ens7") != nullptr);
    CHECK(made.find("eth0") == nullptr);
    CHECK(says(notes, "eth0 is now ens7"));
}

TEST(NetworkPlan, NicsThatSwappedTheirNamesKeepTheirOrders) {
    std::swap(world.machine.nics[0].name, world.machine.nics[1].name);
    const auto made = plan();
    STRCMP_EQUAL("10.20.0.11/24", made.find("eth1")->addresses.at(0).c_str());
    STRCMP_EQUAL("bond0", made.find("eth0")->controller.c_str());
    STRCMP_EQUAL("52:54:00:00:00:01", made.find("eth1")->mac.c_str());
}

TEST(NetworkPlan, AMacThatNoNicHasIsRefusedWithThoseThereAre) {
    world.node.connections[0].mac = "52:54:00:00:00:09";
    CHECK_REFUSED(try_plan(), "eth1 (52:54:00:00:00:02)");
}

TEST(NetworkPlan, AMacIsReadInAnySpelling) {
    world.node.connections[0].mac = "52-54-00-00-00-02";
    const auto made = plan();
    STRCMP_EQUAL("52:54:00:00:00:02", made.find("eth1")->mac.c_str());
}

TEST(NetworkPlan, TwoNicsWithOneMacAreRefused) {
    world.machine.nics[2].permanent_mac = "52:54:00:00:00:02";
    CHECK_REFUSED(try_plan(), "have the same MAC");
}

TEST(NetworkPlan, TwoNamesForOneNicAreRefused) {
    world.node.connections[1].mac = "52:54:00:00:00:02";
    CHECK_REFUSED(try_plan(), "are both this machine's eth1");
}

TEST(NetworkPlan, ABondThatInheritsTheMacIsNotTheNic) {
    facts::Nic bond;
    bond.name = "bond0";
    bond.kind = "bond";
    bond.mac = "52:54:00:00:00:02";
    world.machine.nics.insert(world.machine.nics.begin(), bond);
    // A member shows its bond's MAC; its permanent one stays.
    world.machine.nics[3].mac = "52:54:00:00:00:02";
    STRCMP_EQUAL("eth1", plan().find("eth1")->name.c_str());
}

TEST(NetworkPlan, ANicWithoutAPermanentMacIsMatchedByTheOneItHas) {
    world.machine.nics[0].permanent_mac.clear();
    const auto text = content_of(plan(), "05-stratum-eth0.network");
    CHECK(has_line(text, "MACAddress=52:54:00:00:00:01"));
    CHECK(!has_line(text, "PermanentMACAddress=52:54:00:00:00:01"));
}

TEST(NetworkPlan, ANicWithoutAPermanentMacIsNoBondMember) {
    world.machine.nics[1].permanent_mac.clear();
    CHECK_REFUSED(try_plan(), "cannot be a member of bond0");
}

TEST(NetworkPlan, ADeviceToBeMadeMayNotHaveANicsName) {
    world.machine.nics[0].name = "bond0";
    CHECK_REFUSED(try_plan(), "a NIC of this machine has that name");
}

TEST(NetworkPlan, AParentOrBondThatIsNotThereIsRefused) {
    world.node.connections[3].link.parent = "bond1";
    CHECK_REFUSED(try_plan(), "node.yaml names bond1 for bond0.100");
    world.node = bonded_node();
    world.node.connections[0].link.controller = "bond1";
    CHECK_REFUSED(try_plan(), "node.yaml names bond1 for eth1");
    world.node = bonded_node();
    world.node.mgmt.nic = {"bond1", ""};
    CHECK_REFUSED(try_plan(), "node.yaml names bond1 for mgmt");
}

TEST(NetworkPlan, ParentsAndMembersAreRaisedToWhatStandsOnThem) {
    for (std::size_t i : {0u, 1u, 2u}) world.node.connections[i].link.mtu = 1500;
    const auto made = plan();
    for (const char* name : {"eth1", "eth2", "bond0", "bond0.100"}) {
        LONGS_EQUAL(9000, *made.find(name)->mtu);
    }
    CHECK(!made.find("eth0")->mtu);
}

TEST(NetworkPlan, OnlyMgmtHasAGatewayAndNameServers) {
    for (const NetworkFile& file : render_network(plan())) {
        const bool is_mgmt = file.name == "05-stratum-eth0.network";
        CHECK_EQUAL(is_mgmt, has_line(file.content, "Gateway=10.20.0.1"));
        CHECK_EQUAL(is_mgmt, has_line(file.content, "DNS=10.20.0.53"));
    }
}

TEST(NetworkPlan, NoFileButTheOobNicsAsksForALease) {
    world.node.oob_interface = "eth9";
    for (const NetworkFile& file : render_network(plan())) {
        if (file.name.ends_with(".network")) CHECK(has_line(file.content, "DHCP=no"));
    }
    CHECK(says(notes, "the oob NIC eth9 is not here"));
}

TEST(NetworkPlan, AnOobNicThatIsOrderedForMoreIsPlannedOnce) {
    world.node.oob_interface = "eth0";
    CHECK(!plan().find("eth0")->dhcp);
}

TEST(NetworkPlan, AnOptionOfAnotherModeIsNotRendered) {
    world.node.connections[2].link.bond = config::Bond{"active-backup", {}, 100, {}};
    const auto text = content_of(plan(), "05-stratum-bond0.netdev");
    CHECK(text.find("LACP") == std::string::npos);
    CHECK(text.find("TransmitHashPolicy") == std::string::npos);
}

TEST_GROUP(NetworkDifferences) {
    NetWorld world;
    NetworkPlan plan;
    void setup() override {
        world.node = bonded_node();
        CHECK_OK(world.run());
        std::vector<std::string> notes;
        plan = plan_network(world.node, world.machine, notes).value();
    }
    void check_said(const std::string& words) {
        CHECK_TRUE_TEXT(says(differences(plan, world.machine), words), words.c_str());
    }
};

TEST(NetworkDifferences, AMachineAsOrderedHasNone) {
    LONGS_EQUAL(0, differences(plan, world.machine).size());
}

TEST(NetworkDifferences, AnAddressThatIsMissingOrTooMany) {
    world.nic("eth0")->addresses = {{"10.20.0.77/24", "static"}};
    check_said("eth0 has no address 10.20.0.11/24");
    check_said("eth0 still has 10.20.0.77/24");
}

TEST(NetworkDifferences, AnAddressWithAnotherPrefixIsAnother) {
    world.nic("eth0")->addresses[0].cidr = "10.20.0.11/16";
    check_said("eth0 has no address 10.20.0.11/24");
}

TEST(NetworkDifferences, AnOrderedAddressThatIsOnlyALease) {
    world.nic("eth0")->addresses[0].how = "dhcp";
    check_said("only as a lease");
}

TEST(NetworkDifferences, LinkLocalAddressesAreNobodysLeftover) {
    world.nic("eth0")->addresses.push_back({"fe80::1234/64", "link-local"});
    world.nic("eth1")->addresses.push_back({"169.254.3.4/16", "link-local"});
    LONGS_EQUAL(0, differences(plan, world.machine).size());
}

TEST(NetworkDifferences, AGatewayThatIsMissingOrNobodysOrder) {
    world.nic("eth0")->gateway.clear();
    check_said("eth0: the default route is missing, ordered is 10.20.0.1");
    world.nic("bond0.100")->gateway = "10.30.0.1";
    check_said("bond0.100: the default route is by 10.30.0.1, ordered is none");
}

TEST(NetworkDifferences, WhatANicThatNobodyOrderedKeeps) {
    facts::Nic other;
    other.name = "eth3";
    other.mtu = 1500;
    world.machine.nics.push_back(other);
    LONGS_EQUAL(0, differences(plan, world.machine).size());
    world.nic("eth3")->addresses = {{"192.168.1.5/24", "dhcp"}};
    world.nic("eth3")->gateway = "192.168.1.1";
    check_said("eth3 still has 192.168.1.5/24");
    check_said("eth3 still has a default route by 192.168.1.1");
    world.nic("eth3")->bmc = true;
    LONGS_EQUAL(0, differences(plan, world.machine).size());
}

TEST(NetworkDifferences, ADeviceOfAnotherKindUnderTheName) {
    world.nic("bond0")->kind = "bridge";
    check_said("bond0 is of kind bridge, ordered is bond");
}

TEST(NetworkDifferences, ABondsModeAndMembers) {
    world.nic("bond0")->bond->mode = "balance-tlb";
    check_said("bond0 has bond mode balance-tlb, ordered is 802.3ad");
    world.nic("bond0")->bond.reset();
    check_said("bond0 has bond mode unknown");
    world.nic("eth2")->master.clear();
    check_said("eth2 is not yet a member of bond0");
}

TEST(NetworkDifferences, AVlansIdAndParent) {
    world.nic("bond0.100")->vlan_id = 101;
    world.nic("bond0.100")->parent = "eth0";
    check_said("bond0.100 has VLAN id 101, ordered is 100");
    check_said("bond0.100 stands on eth0, ordered is bond0");
}

TEST(NetworkDifferences, AnMtuThatIsAnotherOrUnknown) {
    world.nic("bond0")->mtu = 1500;
    check_said("bond0 has MTU 1500, ordered is 9000");
    world.nic("bond0")->mtu.reset();
    check_said("bond0 has MTU unknown");
}

TEST(NetworkDifferences, AMemberOfABondThatNobodyOrdered) {
    facts::Nic bond;
    bond.name = "bond9";
    bond.kind = "bond";
    world.machine.nics.push_back(bond);
    world.nic("eth0")->master = "bond9";
    check_said("eth0 is still a member of bond9");
}

TEST(NetworkDifferences, WhatAJoinStepBridgedIsItsOwnMatter) {
    facts::Nic bridge;
    bridge.name = "ovs-system";
    bridge.kind = "other";
    world.machine.nics.push_back(bridge);
    world.nic("eth0")->master = "ovs-system";
    LONGS_EQUAL(0, differences(plan, world.machine).size());
}

TEST(NetworkDifferences, Ipv6IsComparedByValue) {
    world.node.mgmt.address = "FD00:20:0::11/64";
    world.node.mgmt.gateway = "FE80::1";
    std::vector<std::string> notes;
    plan = plan_network(world.node, world.machine, notes).value();
    world.nic("eth0")->addresses = {{"fd00:20::11/64", "static"}};
    world.nic("eth0")->gateway = "fe80::1";
    LONGS_EQUAL(0, differences(plan, world.machine).size());
}

TEST(NetworkDifferences, ABondsOtherOptionsAreReadFromTheKernel) {
    const PlannedDevice& bond = *plan.find("bond0");
    LONGS_EQUAL(0, bond_complaints(world.files, bond).size());
    world.files.put("/sys/class/net/bond0/bonding/lacp_rate", "slow 0\n");
    world.files.put("/sys/class/net/bond0/bonding/miimon", "0\n");
    CHECK(says(bond_complaints(world.files, bond), "bond0 has lacp_rate slow, ordered is fast"));
    CHECK(says(bond_complaints(world.files, bond), "bond0 has miimon 0, ordered is 100"));
    world.files.fail_read("/sys/class/net/bond0/bonding/miimon");
    CHECK(says(bond_complaints(world.files, bond), "bond0 has miimon unknown"));
}
