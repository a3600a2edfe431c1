// One mistake is told once: a rule says nothing where what it stands on already has a problem. Each
// test spoils a field so that rules which stand on it would speak, too.
#include <tuple>
#include <utility>

#include "common/base/text.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

// The fields of all problems, in their order.
std::string fields(const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings.all()) text += (text.empty() ? "" : " ") + finding.field;
    return text;
}

std::string fields(const Trial& trial) {
    const auto planned = trial.plan();
    return planned ? "" : fields(planned.error().problems);
}

Mgmt& mgmt(Trial& t) {
    return t.request.assignment.mgmt;
}
DiskChoice& disk(Trial& t, std::size_t i) {
    return (*t.request.assignment.disks)[i];
}

Link& second_vlan(Trial& t) {
    const Link first = t.use_vlan();
    Link& second = t.add_link("extra", "vlan91");
    second.kind = "vlan";
    second.parent = first.parent;
    second.vlan_id = first.vlan_id;
    return second;
}

using Change = std::pair<std::string_view, std::string_view>; // from, to

std::string changed(std::string text, const Change& change) {
    const auto& [from, to] = change;
    const std::size_t at = text.find(from);
    if (at == std::string::npos) FAIL(text.c_str());
    return text.replace(at, from.size(), to);
}

// A joiner's file with a VLAN on a bond of two NICs and a disk, and one text of it replaced.
std::string joiners_with(std::string_view from, std::string_view to) {
    Trial t;
    t.use_bond();
    t.link(1).purposes.clear();
    t.link(1).bond = Bond{"802.3ad", "layer2", 100, "fast"};
    t.machine_nic("enp4s0").speed_mbps = 10'000;
    Link& vlan = t.add_link("overlay", "vlan90");
    vlan.kind = "vlan";
    vlan.parent = "bond0";
    vlan.vlan_id = 90;
    vlan.purposes = {"overlay"};
    return changed(render_node_yaml(t.plan()->node), {from, to});
}

std::string founders_with(std::string_view from, std::string_view to) {
    return changed(read_repo_file("docs/examples/founder.node.yaml"), {from, to});
}

} // namespace

TEST_GROUP(ConfigSilence){};

TEST(ConfigSilence, OfAnMgmtAddressOnAnInterfaceThatIsNotThere) {
    Trial t;
    mgmt(t).interface = "enp9s0";
    mgmt(t).address = "10.77.0.60"; // new there, without a prefix
    STRCMP_EQUAL("mgmt.interface", fields(t).c_str());
}

TEST(ConfigSilence, OfANameServerBesideAnAddressThatIsRefused) {
    Trial t;
    mgmt(t).address = "10.77.0.1/24"; // alpha's
    mgmt(t).gateway = "10.77.0.254";
    mgmt(t).dns = list("10.77.0.1");
    STRCMP_EQUAL("mgmt.address", fields(t).c_str());
}

TEST(ConfigSilence, OfAVlanIdThatIsOutOfRangeOrOnAParentThatIsNotThere) {
    Trial t;
    second_vlan(t).vlan_id = 4095;
    t.link(1).vlan_id = 4095;
    STRCMP_EQUAL("links[1].vlanId links[2].vlanId", fields(t).c_str());
    Trial other;
    second_vlan(other).parent = "nope0";
    other.link(1).parent = "nope0";
    STRCMP_EQUAL("links[1].parent links[2].parent", fields(other).c_str());
}

TEST(ConfigSilence, OfTheProvidersVlanOnAParentThatIsAMember) {
    Trial t;
    t.cluster.provider.vlan = 30;
    t.use_bond();
    Link& vlan = t.add_link("extra", "vlan30");
    vlan.kind = "vlan";
    vlan.parent = "enp3s0";
    vlan.vlan_id = 30;
    t.request.assignment.provider.upstream_interface = "enp3s0";
    STRCMP_EQUAL("links[4].parent provider.upstreamInterface", fields(t).c_str());
}

TEST(ConfigSilence, OfABondsMembersWhereItsDeviceHasNoName) {
    Trial t;
    t.use_bond();
    t.link(1).interface = "bad/name";
    STRCMP_EQUAL("links[1].interface links[2].controller links[3].controller", fields(t).c_str());
}

TEST(ConfigSilence, OfAVlansMtuOnAParentThatIsAMember) {
    Trial t;
    t.use_bond();
    t.machine_nic("enp3s0").max_mtu = 1500;
    Link& vlan = t.add_link("extra", "vlan30");
    vlan.kind = "vlan";
    vlan.parent = "enp3s0";
    vlan.vlan_id = 30;
    vlan.mtu = 9000;
    STRCMP_EQUAL("links[4].parent", fields(t).c_str());
}

TEST(ConfigSilence, OfAPoolsMediaAndBlocksWhereTheDiskIsRefusedOrThePoolIsNoLabel) {
    for (const char* pool : {"fast", "Not A Label"}) {
        Trial t;
        disk(t, 0).pool = pool;
        t.add_disk(kScsiKey).pool = pool;
        t.machine_disk("/dev/sdb").rotational = true;
        t.machine_disk("/dev/sdb").logical_block_size = 4096;
        if (std::string_view(pool) == "fast") {
            t.machine_disk("/dev/sdb").transport = "usb";
            STRCMP_EQUAL("disks[1].key", fields(t).c_str());
        } else {
            STRCMP_EQUAL("disks[0].pool disks[1].pool", fields(t).c_str());
        }
    }
}

TEST(ConfigSilence, OfAStorageClassThatFollowsItsPoolOrIsNoLabel) {
    Trial t;
    disk(t, 0).pool = "Not A Label";
    STRCMP_EQUAL("disks[0].pool", fields(t).c_str());
    Trial other;
    other.add_disk(kScsiKey).pool = "fast";
    disk(other, 1).storage_class = "Not A Label";
    STRCMP_EQUAL("disks[1].storageClass", fields(other).c_str());
}

TEST(ConfigSilence, OfAConfirmationForADiskThatMayNotBeUsed) {
    Trial t;
    t.add_disk(kOldKey).pool = "fast";
    t.machine_disk("/dev/nvme1n1").transport = "usb";
    STRCMP_EQUAL("disks[1].key", fields(t).c_str());
}

TEST(ConfigSilence, OfTheUplinkWhereMgmtIsNotKnown) {
    Trial t;
    t.join.remote_address = "198.51.100.7";
    t.join.inventory.founder_interface.clear();
    mgmt(t).address = "10.77.0.60/24";
    mgmt(t).gateway = "10.77.0.254";
    t.cluster.provider.upstream_interface = "eno1";
    STRCMP_EQUAL("mgmt.interface", fields(t).c_str());
}

// A kind that is misspelled reads as none: what goes with the kind that was meant is no mistake.
TEST(ConfigSilence, OfAllThatGoesWithAKindThatIsMisspelled) {
    for (const auto& [kind, field] : {std::pair("vlan", "network.connections[4].kind"),
                                      std::pair("bond", "network.connections[1].kind")}) {
        const std::string text = joiners_with("kind: " + std::string(kind), "kind: nonsense");
        const std::string found = fields(check_node_yaml(text).findings);
        if (std::string_view(kind) == "vlan") {
            STRCMP_EQUAL(field, found.c_str());
            continue;
        }
        // The members and the VLAN stand on that bond, and say so.
        STRCMP_EQUAL("network.connections[1].kind network.connections[2].controller "
                     "network.connections[3].controller",
                     found.c_str());
    }
}

TEST(ConfigSilence, OfTheOutOfBandNicWhereMgmtIsNotKnown) {
    Trial t;
    t.join.inventory.install_record->oob_interface = "enp4s0";
    t.add_link("extra", "enp4s0");
    Link& vlan = t.add_link("other", "vlan30");
    vlan.kind = "vlan";
    vlan.parent = "enp4s0";
    vlan.vlan_id = 30;
    t.request.assignment.provider.upstream_interface = "enp4s0";
    mgmt(t).interface = "enp4"; // mistyped: mgmt may well be meant to be on it
    STRCMP_EQUAL("mgmt.interface", fields(t).c_str());
}

// What a joiner's file has wrong, and all that is said of it.
TEST(ConfigSilence, OfWhatFollowsInAJoinersFile) {
    const std::string second_disk =
        "  - key: eui.0025388b71b2c4d9\n    role: compute\n    pool: Bad\n    storageClass: tin\n"
        "    sizeBytes: 1\n    digest: " +
        std::string(64, 'a') + "\nosDisk:";
    const struct {
        std::vector<Change> changes;
        const char* fields;
    } rows[] = {
        {{{"interface: bond0", "interface: bad/name"}},
         "network.connections[1].interface network.connections[4].parent "
         "network.connections[2].controller network.connections[3].controller"},
        {{{"parent: bond0", "parent: nope0"},
          {"mtu: 1500\n      purposes:\n        - overlay",
           "mtu: 9000\n      purposes:\n        - overlay"},
          {"  gateway: 10.77.0.254", "  gateway: 10.77.0.254\n  mtu: 1500"}},
         "network.connections[4].parent"},
        {{{"  interface: enp1s0\n  mac: \"02:00:00:00:00:10\"\n", "  interface: bad/name\n"}},
         "mgmt.interface"},
        {{{"role: compute\n    pool: fast\n    storageClass: fast", "role: nonsense"}},
         "disks[0].role"},
        {{{"pool: fast", "pool: Bad"}, {"osDisk:", second_disk}}, "disks[0].pool disks[1].pool"},
        {{{"key: eui.0025388b71b2c4d1", "key: /dev/sda\n    confirm: eui.0025388b71b2c4d1"}},
         "disks[0].key"},
        {{{"computeTailPool: default", "computeTailPool: [default]"}}, "osDisk.computeTailPool"},
    };
    for (const auto& row : rows) {
        std::string text = joiners_with("", "");
        for (const Change& change : row.changes) text = changed(text, change);
        STRCMP_EQUAL(row.fields, fields(check_node_yaml(text).findings).c_str());
    }
}

TEST(ConfigSilence, OfWhatFollowsInAFoundersFile) {
    const std::tuple<const char*, const char*, const char*> rows[] = {
        {"[storage, overlay]", "[storage, overlayy]", "network.connections[0].purposes[1]"},
        {"cidr: 10.77.10.0/24", "cidr: nonsense", "cluster.networks[0].cidr"},
        {"{from: 10.77.20.2, to: 10.77.20.199}", "{from: 10.99.0.1, to: 10.77.20.199}",
         "cluster.networks[1].range.from"},
        {"cidr: 192.0.2.0/24\n      mtu: 1500\n      gateway: 192.0.2.1",
         "cidr: nonsense\n      gateway: \"fd00::1\"\n      reserved: [\"fd00::5\"]\n"
         "      range: {from: \"fd00::10\", to: \"fd00::20\"}",
         "cluster.networks[3].cidr"},
        {"- 10.77.20.1/24", "- nonsense", "network.connections[0].addresses[1]"},
    };
    for (const auto& [from, to, wanted] : rows)
        STRCMP_EQUAL(wanted, fields(check_founder_yaml(founders_with(from, to)).findings).c_str());
}

TEST(ConfigSilence, OfHashAndLacpWhereABondsModeIsMisspelled) {
    STRCMP_EQUAL(
        "network.connections[1].bond.mode",
        fields(check_node_yaml(joiners_with("mode: 802.3ad", "mode: nonsense")).findings).c_str());
}

TEST(ConfigSilence, OfGatewayAndServersWhereTheAddressIsRefused) {
    STRCMP_EQUAL("mgmt.address", fields(check_node_yaml(joiners_with("address: 10.77.0.50/24",
                                                                     "address: 10.77.0.0/24"))
                                            .findings)
                                     .c_str());
}

TEST(ConfigSilence, OfAPoolWhereTheRoleIsMisspelled) {
    const auto text = joiners_with("role: compute", "role: nonsense");
    STRCMP_EQUAL("disks[0].role", fields(check_node_yaml(text).findings).c_str());
}

TEST(ConfigSilence, OfTheTailWhereTheLayoutIsMisspelled) {
    const auto text = joiners_with("layout: compute-tail", "layout: nonsense");
    STRCMP_EQUAL("osDisk.layout", fields(check_node_yaml(text).findings).c_str());
}

TEST(ConfigSilence, OfAFoundersNetworksWhereOneIsNotReadable) {
    const auto text = founders_with("networks:", "networks: all\n  x-networks:");
    STRCMP_EQUAL("cluster.networks", fields(check_founder_yaml(text).findings).c_str());
}
