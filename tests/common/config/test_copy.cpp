// copyFrom: NICs and disks by what they are, the merge with the request, the first node's default.
#include <algorithm>
#include <random>

#include "common/base/text.hpp"
#include "common/config/copy.hpp"
#include "common/config/nic_matching.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

Link link_of(std::string name, std::string interface, std::vector<std::string> purposes = {}) {
    Link link;
    link.name = std::move(name);
    link.kind = "ethernet";
    link.interface = std::move(interface);
    link.purposes = std::move(purposes);
    return link;
}

// Node alpha: mgmt on enp1s0, storage on enp2s0, overlay on enp3s0, one compute disk.
CopySource alpha() {
    CopySource source;
    source.node_id = "n-alpha";
    source.is_first_node = true;
    source.has_plan = true;
    source.inventory = joiner_machine();
    Assignment& made = source.assignment;
    made.name = "alpha";
    made.rack = "rack-1";
    made.az = "az-1";
    made.mgmt.interface = "enp1s0";
    made.mgmt.address = "10.77.0.1/24";
    made.ntp_servers = {"ntp2.example.org"};
    made.links = {link_of("storage", "enp2s0", {"storage"}),
                  link_of("overlay", "enp3s0", {"overlay"})};
    (*made.links)[0].addresses = {"10.77.10.1/24"};
    DiskChoice disk;
    disk.key = kBlankKey;
    disk.role = "compute";
    disk.pool = "fast";
    disk.storage_class = "fast";
    disk.confirm = kBlankKey;
    made.disks = {disk};
    return source;
}

struct CopyTrial : Trial {
    CopyTrial() {
        cluster.sources = {alpha()};
        request = {};
    }
    CopySource& source() { return cluster.sources[0]; }
    std::vector<Link>& source_links() { return *source().assignment.links; }
    void copy() { request.copy_from = "n-alpha"; }
    // What the joiner's NICs are called instead.
    void rename(std::string_view from, std::string to) { machine_nic(from).name = std::move(to); }

    ApprovalPlan accepted() const {
        STRCMP_EQUAL("", all_problems(*this).c_str());
        const auto planned = plan();
        return planned ? *planned : ApprovalPlan{};
    }
    std::string links() const {
        std::string text;
        const ApprovalPlan made = accepted();
        for (const Link& link : made.assignment.links.value_or(std::vector<Link>{}))
            text += (text.empty() ? "" : " ") + link.name + "=" + link.interface;
        return text;
    }
    std::string notes() const {
        const auto planned = plan();
        return stratum::join(planned ? planned->assignment.copy_notes : planned.error().copy_notes,
                             "\n");
    }
};

} // namespace

TEST_GROUP(ConfigCopy){};

TEST(ConfigCopy, TakesLinksDisksPlaceAndServersButNeverNameMgmtAddressesConfirmations) {
    CopyTrial t;
    t.copy();
    const ApprovalPlan plan = t.accepted();
    const Assignment& made = plan.assignment;
    STRCMP_EQUAL("n-alpha", made.copied_from.c_str());
    STRCMP_EQUAL("beta", made.name->c_str());
    STRCMP_EQUAL("10.77.0.50/24", made.mgmt.address->c_str());
    STRCMP_EQUAL("storage=enp2s0 overlay=enp3s0", t.links().c_str());
    STRCMP_EQUAL("10.77.10.2/24", (*made.links)[0].addresses[0].c_str());
    STRCMP_EQUAL("rack-1", made.rack->c_str());
    STRCMP_EQUAL("az-1", made.az->c_str());
    STRCMP_EQUAL("ntp2.example.org", (*made.ntp_servers)[0].c_str());
    STRCMP_EQUAL(kBlankKey, (*made.disks)[0].key.c_str());
    CHECK(!(*made.disks)[0].confirm);
}

TEST(ConfigCopy, TheRequestOverridesWhatItNames) {
    CopyTrial t;
    t.copy();
    t.request.assignment.rack = "rack-9";
    t.request.assignment.links = {link_of("overlay", "enp4s0", {"overlay"}),
                                  link_of("extra", "enp3s0")};
    STRCMP_EQUAL("storage=enp2s0 overlay=enp4s0 extra=enp3s0", t.links().c_str());
    STRCMP_EQUAL("rack-9", t.accepted().assignment.rack->c_str());
}

TEST(ConfigCopy, ADiskOfTheRequestReplacesTheCopiedOneWhateverKeyNamesIt) {
    CopyTrial t;
    t.copy();
    t.request.assignment.disks.emplace();
    t.add_disk("/dev/disk/by-id/nvme-eui.0025388b71b2c4d1").pool = "other";
    const ApprovalPlan plan = t.accepted();
    LONGS_EQUAL(1, plan.assignment.disks->size());
    STRCMP_EQUAL("other", (*plan.assignment.disks)[0].pool->c_str());
}

TEST(ConfigCopy, EmptyLinksBesideANamedNodeKeepTheCopiedOnes) {
    CopyTrial t;
    t.copy();
    t.request.assignment.links.emplace();
    STRCMP_EQUAL("storage=enp2s0 overlay=enp3s0", t.links().c_str());
}

TEST(ConfigCopy, NoneAndEmptyLinksCopyNothing) {
    for (const bool by_word : {true, false}) {
        CopyTrial t;
        t.cluster.networks.clear();
        if (by_word)
            t.request.copy_from = "none";
        else
            t.request.assignment.links.emplace();
        STRCMP_EQUAL("", t.links().c_str());
        STRCMP_EQUAL("", t.accepted().assignment.copied_from.c_str());
        LONGS_EQUAL(1, t.accepted().assignment.copy_notes.size());
    }
}

TEST(ConfigCopy, TheFirstNodesLinksAreTheDefaultWhereEachHasItsNic) {
    CopyTrial t;
    const ApprovalPlan plan = t.accepted();
    STRCMP_EQUAL("storage=enp2s0 overlay=enp3s0", t.links().c_str());
    STRCMP_EQUAL("n-alpha", plan.assignment.copied_from.c_str());
    CHECK(plan.assignment.disks->empty());
    CHECK(!plan.assignment.rack);
}

TEST(ConfigCopy, TheDefaultCopiesNothingWhereOneLinkHasNoNic) {
    CopyTrial t;
    t.cluster.networks.clear();
    t.machine_nic("enp3s0").driver = "igb";
    t.machine_nic("enp4s0").driver = "igb";
    STRCMP_EQUAL("", t.links().c_str());
    STRCMP_EQUAL("", t.accepted().assignment.copied_from.c_str());
    STRCMP_CONTAINS("nothing was copied: not every link of the first node, alpha, has its NIC here",
                    t.notes().c_str());
    STRCMP_CONTAINS("link overlay is left out: no NIC here matches enp3s0 of alpha (driver "
                    "mlx5_core, enp3s0 (up, 10 Gb/s)); this machine has",
                    t.notes().c_str());
}

TEST(ConfigCopy, ARefusalSaysWhyNothingWasCopied) {
    CopyTrial t;
    t.cluster.sources.clear();
    CHECK(!t.at("links").empty());
    STRCMP_EQUAL("nothing was copied: the cluster records no links of its first node; name links, "
                 "or a node in copyFrom",
                 t.notes().c_str());
}

TEST(ConfigCopy, AnUnknownNodeIsOneProblemAndNothingElse) {
    CopyTrial t;
    t.request.copy_from = "n-omega";
    LONGS_EQUAL(1, t.problems().size());
    CHECK(!t.at("copyFrom").empty());
}

TEST(ConfigCopy, TheManagementNicIsTheOneThatRegisteredWhateverItsName) {
    CopyTrial t;
    // Here enp2s0 is the mgmt NIC; alpha's mgmt NIC carries a VLAN.
    std::swap(t.machine_nic("enp1s0").addresses, t.machine_nic("enp2s0").addresses);
    Link vlan = link_of("storage", "vlan90", {"storage"});
    vlan.kind = "vlan";
    vlan.parent = "enp1s0";
    vlan.vlan_id = 90;
    t.source_links()[0] = vlan;
    t.copy();
    const ApprovalPlan plan = t.accepted();
    STRCMP_EQUAL("enp2s0", (*plan.assignment.links)[0].parent->c_str());
    STRCMP_EQUAL("enp2s0", plan.assignment.mgmt.interface->c_str());
}

TEST(ConfigCopy, TheRegisteredNicServesNoOtherLink) {
    CopyTrial t;
    std::swap(t.machine_nic("enp1s0").addresses, t.machine_nic("enp2s0").addresses);
    t.copy();
    // alpha's storage is on enp2s0, which is this machine's mgmt NIC.
    STRCMP_EQUAL("storage=enp1s0 overlay=enp3s0", t.links().c_str());
    STRCMP_CONTAINS("NIC enp2s0 of alpha is taken to be enp1s0 here (driver, speed and MTU fit; "
                    "so do those of enp4s0): check it",
                    t.notes().c_str());
}

TEST(ConfigCopy, ANicKeepsItsNameOnlyWithTheSameDriverAndACompatibleSpeed) {
    CopyTrial t;
    t.copy();
    t.machine_nic("enp2s0").speed_mbps = 1000;
    STRCMP_EQUAL("storage=enp4s0 overlay=enp3s0", t.links().c_str());
    t.machine_nic("enp2s0").speed_mbps.reset();
    STRCMP_EQUAL("storage=enp2s0 overlay=enp3s0", t.links().c_str());
    t.machine_nic("enp2s0").driver = "igb";
    STRCMP_EQUAL("storage=enp4s0 overlay=enp3s0", t.links().c_str());
}

TEST(ConfigCopy, OthersAreMatchedInNaturalOrderEachOnce) {
    CopyTrial t;
    t.rename("enp2s0", "ens10");
    t.rename("enp3s0", "ens9");
    t.rename("enp4s0", "ens11");
    t.copy();
    STRCMP_EQUAL("storage=ens9 overlay=ens10", t.links().c_str());
}

TEST(ConfigCopy, MtuClassesMustFit) {
    CopyTrial t;
    t.rename("enp2s0", "ens9");
    t.machine_nic("ens9").max_mtu = 1500;
    t.copy();
    STRCMP_EQUAL("storage=enp4s0 overlay=enp3s0", t.links().c_str());
}

TEST(ConfigCopy, ABmcsNicIsNeverTaken) {
    CopyTrial t;
    t.machine_nic("enp2s0").bmc = true;
    t.copy();
    STRCMP_EQUAL("storage=enp4s0 overlay=enp3s0", t.links().c_str());
}

TEST(ConfigCopy, TheOutOfBandNicIsNeverTaken) {
    CopyTrial t;
    t.join.inventory.install_record->oob_interface = "enp2s0";
    t.copy();
    STRCMP_EQUAL("storage=enp4s0 overlay=enp3s0", t.links().c_str());
}

TEST(ConfigCopy, WhatHangsOnALeftOutLinkIsLeftOutToo) {
    CopyTrial t;
    for (Network& network : t.cluster.networks) network.required = false;
    Link bond = link_of("bond", "bond0");
    bond.kind = "bond";
    bond.bond = Bond{"active-backup", {}, {}, {}};
    Link member = link_of("member", "enp2s0");
    member.controller = "bond0";
    Link vlan = link_of("storage", "vlan90", {"storage"});
    vlan.kind = "vlan";
    vlan.parent = "bond0";
    vlan.vlan_id = 90;
    t.source_links() = {vlan, bond, member, link_of("overlay", "enp3s0", {"overlay"})};
    t.machine_nic("enp2s0").driver = "igb";
    t.machine_nic("enp4s0").driver = "igb";
    t.copy();
    STRCMP_EQUAL("overlay=enp3s0", t.links().c_str());
    STRCMP_CONTAINS("link member is left out: no NIC here matches enp2s0 of alpha",
                    t.notes().c_str());
    STRCMP_CONTAINS("link bond is left out: none of its members has a NIC here", t.notes().c_str());
    STRCMP_CONTAINS("link storage is left out: it stands on bond0, which is left out",
                    t.notes().c_str());
}

TEST(ConfigCopy, LifelinesAreNotCopied) {
    CopyTrial t;
    t.source_links().push_back(link_of("mgmt", "enp1s0", {"mgmt"}));
    t.source_links().push_back(link_of("oob", "enp4s0", {"oob"}));
    t.copy();
    STRCMP_EQUAL("storage=enp2s0 overlay=enp3s0", t.links().c_str());
}

TEST(ConfigCopy, TheUplinkIsMappedLikeANic) {
    CopyTrial t;
    t.source().assignment.provider.upstream_interface = "enp4s0";
    t.rename("enp4s0", "ens4");
    t.copy();
    STRCMP_EQUAL("ens4", t.accepted().assignment.provider.upstream_interface->c_str());
    t.source().assignment.provider.upstream_interface = "enp1s0";
    STRCMP_EQUAL("enp1s0", t.accepted().assignment.provider.upstream_interface->c_str());
}

TEST(ConfigCopy, DisksAreMatchedByModelAndSizeEachOnce) {
    CopyTrial t;
    t.copy();
    DiskChoice second = (*t.source().assignment.disks)[0];
    second.key = kScsiKey;
    t.source().assignment.disks->push_back(second);
    t.machine_disk("/dev/nvme0n1").size_bytes -= t.machine_disk("/dev/nvme0n1").size_bytes / 200;
    t.machine_disk("/dev/nvme1n1").model = "Other SSD";
    const ApprovalPlan plan = t.accepted();
    LONGS_EQUAL(2, plan.assignment.disks->size());
    CHECK((*plan.assignment.disks)[0].key != (*plan.assignment.disks)[1].key);
}

TEST(ConfigCopy, ADiskWithoutAnEqualIsLeftOutAndTheNearestAreNamed) {
    CopyTrial t;
    t.copy();
    for (facts::Disk& disk : t.join.inventory.disks) disk.size_bytes = disk.size_bytes / 10 * 9;
    CHECK(t.accepted().assignment.disks->empty());
    STRCMP_CONTAINS("a disk like eui.0025388b71b2c4d1 of alpha (Example SSD, 1.00 TB) is left out: "
                    "no usable disk here has this model and size; free are Example SSD, 900 GB "
                    "(eui.0025388b71b2c4d1), Example SSD, 900 GB (eui.0025388b71b2c4d2), Example "
                    "SSD, 900 GB (0x5000c500a1b2c301)",
                    t.notes().c_str());
}

TEST(ConfigCopy, ATieIsNoted) {
    CopyTrial t;
    t.copy();
    t.accepted();
    STRCMP_CONTAINS("disk eui.0025388b71b2c4d1 (Example SSD, 1.00 TB) was chosen by the order of "
                    "names alone; eui.0025388b71b2c4d2, 0x5000c500a1b2c301 would fit as well: "
                    "check it",
                    t.notes().c_str());
}

TEST(ConfigCopy, SystemAndUnusableDisksTakeNoPart) {
    CopyTrial t;
    t.copy();
    for (const char* path : {"/dev/nvme0n1", "/dev/nvme1n1", "/dev/sdb"})
        t.machine_disk(path).transport = "usb";
    CHECK(t.accepted().assignment.disks->empty());
}

TEST(ConfigCopy, ACopiedDiskThatHoldsDataStillNeedsItsConfirmation) {
    CopyTrial t;
    t.copy();
    t.machine_disk("/dev/nvme0n1").holds.reset();
    CHECK(!t.at("disks[0].confirm").empty());
}

TEST(ConfigCopy, TenShufflesOfBothMachinesChangeNothing) {
    std::mt19937 random(20261130); // any fixed seed
    CopyTrial t;
    t.copy();
    t.rename("enp2s0", "ens10");
    t.rename("enp3s0", "ens9");
    const std::string links = t.links();
    const std::string notes = t.notes();
    for (int round = 0; round < 10; ++round) {
        for (facts::Inventory* machine : {&t.join.inventory, &t.source().inventory}) {
            std::shuffle(machine->nics.begin(), machine->nics.end(), random);
            std::shuffle(machine->disks.begin(), machine->disks.end(), random);
        }
        STRCMP_EQUAL(links.c_str(), t.links().c_str());
        STRCMP_EQUAL(notes.c_str(), t.notes().c_str());
    }
}

TEST(ConfigCopy, SpeedClassesAreThoseOfTheRule) {
    const std::pair<std::uint32_t, int> cases[] = {
        {0, 0},     {100, 1},   {1000, 1},  {2500, 2},  {5000, 2},   {10000, 3},
        {20000, 4}, {25000, 4}, {40000, 5}, {50000, 5}, {100000, 6}, {400000, 6}};
    for (const auto& [speed, number] : cases) {
        facts::Nic nic;
        nic.speed_mbps = speed;
        LONGS_EQUAL(number, speed_class(nic));
    }
}

TEST(ConfigCopy, AlikeDisksThatBecomeDifferentThingsAreNoted) {
    CopyTrial t;
    t.copy();
    DiskChoice osd = (*t.source().assignment.disks)[0];
    osd.key = kScsiKey;
    osd.role = "ceph-osd";
    osd.pool.reset();
    osd.storage_class.reset();
    t.source().assignment.disks->push_back(osd);
    t.machine_disk("/dev/nvme1n1").model = "Other SSD";
    const ApprovalPlan plan = t.accepted();
    STRCMP_EQUAL("compute", (*plan.assignment.disks)[0].role->c_str());
    STRCMP_EQUAL("ceph-osd", (*plan.assignment.disks)[1].role->c_str());
    STRCMP_CONTAINS("the disks eui.0025388b71b2c4d1 (compute in pool fast), 0x5000c500a1b2c301 "
                    "(ceph-osd) are alike (Example SSD, 1.00 TB): which of them becomes what was "
                    "decided by the order of names alone: check it",
                    t.notes().c_str());
}

TEST(ConfigCopy, AlikeDisksThatBecomeTheSameNeedNoNote) {
    CopyTrial t;
    t.copy();
    DiskChoice second = (*t.source().assignment.disks)[0];
    second.key = kScsiKey;
    t.source().assignment.disks->push_back(second);
    t.machine_disk("/dev/nvme1n1").model = "Other SSD";
    LONGS_EQUAL(2, t.accepted().assignment.disks->size());
    CHECK(t.notes().find("are alike") == std::string::npos);
}

TEST(ConfigCopy, AMachineThatRegisteredFromABondOfTwoIsNoted) {
    CopyTrial t;
    facts::Nic bond = nic("enp7s0");
    bond.name = "bond7";
    bond.kind = "bond";
    bond.bond = facts::NicBond{"active-backup", {"enp4s0", "enp1s0"}};
    std::swap(bond.addresses, t.machine_nic("enp1s0").addresses);
    t.join.inventory.nics.push_back(bond);
    Link vlan = link_of("storage", "vlan90", {"storage"});
    vlan.kind = "vlan";
    vlan.parent = "enp1s0";
    vlan.vlan_id = 90;
    t.source_links()[0] = vlan;
    t.copy();
    STRCMP_CONTAINS("the machine registered from bond7, which stands on enp1s0, enp4s0; the "
                    "management NIC enp1s0 of alpha is taken to be enp1s0 here: check it",
                    t.notes().c_str());
}
