// The storage phase on a machine with state: what is written, what is refused, and that it goes on
// after a crash anywhere.
#include <algorithm>

#include "common/base/text.hpp"
#include "installer/phases/storage_plan.hpp"
#include "installer/phases/wipe_extents.hpp"
#include "tests/installer/phases/disk_world.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;
using fakes::Crash;
using fakes::DiskWorld;

namespace {

constexpr std::uint64_t kMib = 1ull << 20;

void check_ok(const Status& status) {
    STRCMP_EQUAL("", status ? "" : status.error().message.c_str());
}

void check_refused(const Status& status, const std::string& words) {
    CHECK_TRUE_TEXT(!status.has_value(), "it was not refused");
    const std::string message = status ? "" : status.error().message;
    if (message.find(words) == std::string::npos) STRCMP_EQUAL(words.c_str(), message.c_str());
}

// A data disk with two old partitions and an old array, a disk that is not ordered, and two more.
void furnish(DiskWorld& world) {
    const auto compute = world.add_disk("sda");
    world.put_table("sda", {{kMib, 4096 * kMib}, {4097 * kMib, 8192 * kMib}});
    world.put_signature("sda", kMib + 1024, "ext4", "11-22", "olddata");
    world.put_signature("sda", 4097 * kMib, "crypto_LUKS", "33-44");
    world.put_signature("sda", 12289 * kMib - 4096, "zfs_member", "55-66");
    world.add_disk("sdb");
    world.put_signature("sdb", 4096, "xfs", "66-77", "not-ordered");
    const auto second = world.add_disk("sdc");
    world.put_signature("sdc", 4096, "linux_raid_member", "88-99");
    world.assemble("88-99");
    const auto ceph = world.add_disk("sdd");
    world.put_signature("sdd", 0, "btrfs", "aa-bb");
    world.order(compute, "compute", "fast");
    world.order(second, "compute", "fast");
    world.order(ceph, "ceph-osd");
}

void check_end_state(DiskWorld& world) {
    CHECK(world.group_members("stratum-fast") == (std::vector<std::string>{"sda", "sdc"}));
    LONGS_EQUAL(0, world.blocks.sectors("/dev/sdd").size());
    for (const char* path : {"/dev/sda", "/dev/sdc"}) {
        // The label and the group's metadata, nothing of before and no marker.
        LONGS_EQUAL(2, world.blocks.sectors(path).size());
    }
    LONGS_EQUAL(1, world.blocks.sectors("/dev/sdb").size());
    CHECK(!world.blocks.written().contains("/dev/sdb"));
    auto journal = world.open_journal();
    LONGS_EQUAL(3, journal.state().disks.size());
    for (const auto& [key, mark] : journal.state().disks) CHECK(mark.finished);
    for (const auto& path : world.files.paths()) CHECK(path.find("/wipe-") == std::string::npos);
}

enum class Where { kFiles, kBlocks, kPrograms };

// Runs with a crash planned; true where the run ended before the crash came.
bool run_into_crash(DiskWorld& world, Where where, bool after, int n) {
    if (where == Where::kFiles) {
        after ? world.files.crash_after_change(n) : world.files.crash_before_change(n);
    } else if (where == Where::kBlocks) {
        after ? world.blocks.crash_after_change(n) : world.blocks.crash_before_change(n);
    } else {
        (after ? world.crash_after_program : world.crash_before_program) = n;
    }
    try {
        check_ok(world.run());
        return true;
    } catch (const Crash&) {
        return false;
    }
}

// Crashes at the n-th change, for every n, then a reboot, then the rest.
void crash_everywhere(Where where, bool after) {
    for (int n = 1; n < 400; ++n) {
        DiskWorld world;
        furnish(world);
        if (run_into_crash(world, where, after, n)) {
            CHECK(n > 3);
            return;
        }
        world.reboot();
        check_ok(world.run());
        check_end_state(world);
    }
    FAIL("the run never ended");
}

} // namespace

TEST_GROUP(Storage) {
    DiskWorld world;
};

TEST(Storage, OrderedDisksBecomeTheirPoolsGroupOrAreBlank) {
    furnish(world);
    check_ok(world.run());
    check_end_state(world);
    LONGS_EQUAL(0, world.processes.unexpected().size());
}

TEST(Storage, NothingOrderedWritesNothing) {
    world.add_disk("sda");
    check_ok(world.run());
    LONGS_EQUAL(0, world.blocks.changes());
    LONGS_EQUAL(0, world.processes.calls().size());
}

TEST(Storage, ASecondRunChangesNothing) {
    furnish(world);
    check_ok(world.run());
    const int before = world.blocks.changes();
    check_ok(world.run());
    LONGS_EQUAL(before, world.blocks.changes());
    LONGS_EQUAL(1, world.processes.count({"vgcreate"}));
}

TEST(Storage, AnotherAttemptOfTheSameJoinGoesOnWithWhatStands) {
    furnish(world);
    check_ok(world.run());
    const int before = world.blocks.changes();
    world.node.attempt = 2;
    check_ok(world.run());
    LONGS_EQUAL(before, world.blocks.changes());
}

TEST(Storage, AnotherJoinIsNotLetOntoADiskThatThisOneBuilt) {
    furnish(world);
    check_ok(world.run());
    const int before = world.blocks.changes();
    world.node.join_id = "j-2";
    check_refused(world.run(), "no longer holds what was approved");
    LONGS_EQUAL(before, world.blocks.changes());
}

TEST(Storage, ACrashBeforeAnyFileChangeIsGoneOnFrom) {
    crash_everywhere(Where::kFiles, false);
}
TEST(Storage, ACrashAfterAnyFileChangeIsGoneOnFrom) {
    crash_everywhere(Where::kFiles, true);
}
TEST(Storage, ACrashBeforeAnyWriteToADiskIsGoneOnFrom) {
    crash_everywhere(Where::kBlocks, false);
}
TEST(Storage, ACrashAfterAnyWriteToADiskIsGoneOnFrom) {
    crash_everywhere(Where::kBlocks, true);
}
TEST(Storage, ACrashBeforeAnyProgramIsGoneOnFrom) {
    crash_everywhere(Where::kPrograms, false);
}
TEST(Storage, ACrashAfterAnyProgramIsGoneOnFrom) {
    crash_everywhere(Where::kPrograms, true);
}

TEST(Storage, TwoCrashesInARowAreGoneOnFrom) {
    for (int first = 1; first < 40; first += 3) {
        for (int second = 1; second < 40; second += 5) {
            DiskWorld twice;
            furnish(twice);
            if (run_into_crash(twice, Where::kBlocks, true, first)) return;
            twice.reboot();
            if (!run_into_crash(twice, Where::kBlocks, false, second)) twice.reboot();
            check_ok(twice.run());
            check_end_state(twice);
        }
    }
}

TEST(Storage, EveryFailedWriteIsAFailureAndARetryGoesOn) {
    for (int n = 1; n < 400; ++n) {
        DiskWorld broken;
        furnish(broken);
        broken.blocks.fail_change(n);
        const int before = broken.blocks.changes();
        const auto status = broken.run();
        if (broken.blocks.changes() < before + n) {
            check_ok(status);
            return;
        }
        check_refused(status, "failed as planned");
        check_ok(broken.run());
        check_end_state(broken);
    }
}

TEST(Storage, EveryFailedToolIsAFailureAndARetryGoesOn) {
    for (const char* tool : {"udevadm", "wipefs", "mdadm", "pvs", "pvcreate", "vgcreate"}) {
        DiskWorld broken;
        furnish(broken);
        broken.processes.once({tool}, [](const Command&) -> Result<Finished> {
            Finished finished;
            finished.exit_code = 5;
            finished.err = "it does not want to\n";
            return finished;
        });
        check_refused(broken.run(), "it does not want to");
        check_ok(broken.run());
        check_end_state(broken);
    }
}

TEST(Storage, OneDiskThatChangedStopsAllBeforeTheFirstWrite) {
    furnish(world);
    world.put_signature("sdd", 8192, "ext4", "somebody", "new");
    check_refused(world.run(), "no longer holds what was approved");
    LONGS_EQUAL(0, world.blocks.changes());
    LONGS_EQUAL(0, world.processes.count({"mdadm"}));
    LONGS_EQUAL(0, world.processes.count({"wipefs"}));
}

TEST(Storage, ADiskThatChangesWhileOthersAreWipedIsLeftAsItIs) {
    furnish(world);
    int looks = 0;
    world.before_look = [&] {
        if (++looks == 3) world.put_signature("sdd", 8192, "ext4", "somebody", "new");
    };
    check_refused(world.run(), "changed since the plan was made");
    CHECK(!world.blocks.written().contains("/dev/sdd"));
    LONGS_EQUAL(2, world.blocks.sectors("/dev/sdd").size());
    check_refused(world.run(), "which this join did not write");
    CHECK(!world.blocks.written().contains("/dev/sdd"));
}

TEST(Storage, ADiskThatIsGoneIsNamedWithTheKeysThereAre) {
    furnish(world);
    world.node.disks[0].choice.key = "0x5000c500a1b2c399";
    check_refused(world.run(), "0x5000c500a1b2c302");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, AnotherSerialOrSizeUnderTheSameKeyIsRefused) {
    furnish(world);
    world.node.disks[0].serial = "SER-OTHER";
    check_refused(world.run(), "has serial");
    world.node.disks[0].serial = world.disk("sda").serial;
    world.node.disks[0].size_bytes -= 512;
    check_refused(world.run(), "approved were");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, AnEmptyDigestApprovesNothing) {
    furnish(world);
    world.node.disks[0].digest.clear();
    check_refused(world.run(), "no longer holds what was approved");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, ASystemOrMountedDiskIsRefusedAsApprovedOrNot) {
    for (const bool is_system : {true, false}) {
        DiskWorld used;
        furnish(used);
        used.spoil_look = [&](facts::Inventory& machine) {
            machine.disks[0].system = is_system;
            machine.disks[0].mounted = !is_system;
        };
        check_refused(used.run(), is_system ? "is a system disk" : "is mounted");
        LONGS_EQUAL(0, used.blocks.changes());
    }
}

TEST(Storage, ABusyOrReadOnlyDiskIsNotWritten) {
    furnish(world);
    world.blocks.set_busy("/dev/sda", true);
    check_refused(world.run(), "in use by something else");
    world.blocks.set_busy("/dev/sda", false);
    world.blocks.set_read_only("/dev/sda", true);
    check_refused(world.run(), "read-only");
    CHECK(!world.blocks.written().contains("/dev/sda"));
    world.blocks.set_read_only("/dev/sda", false);
    check_ok(world.run());
    check_end_state(world);
}

TEST(Storage, AnotherOrderOfADiskIsAnotherPlan) {
    furnish(world);
    const auto before = plan_digest("j-1", world.node.disks[0]);
    CHECK(before != plan_digest("j-2", world.node.disks[0]));
    world.node.disks[0].choice.pool = "slow";
    CHECK(before != plan_digest("j-1", world.node.disks[0]));
}

TEST(Storage, AnotherGroupOfThePoolsNameIsFoundBeforeAnythingIsWiped) {
    furnish(world);
    world.add_disk("sde");
    world.put_group("stratum-fast", {"sde"});
    check_refused(world.run(), "is already on /dev/sde");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, AnOldGroupOfThePoolsNameOnTheOrderedDiskGoesWithIt) {
    const auto key = world.add_disk("sda");
    world.put_group("stratum-fast", {"sda"}, "stratum.join=j-0");
    world.order(key, "compute", "fast");
    check_ok(world.run());
    CHECK(world.group_members("stratum-fast") == (std::vector<std::string>{"sda"}));
    CHECK(world.blocks.sectors("/dev/sda")[1024].ends_with("stratum.join=j-1"));
}

TEST(Storage, AForeignVolumeOnADiskThatWasBegunIsNotTakenForOurs) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute", "fast");
    world.blocks.fail_change(1);
    check_refused(world.run(), "failed as planned");
    world.put_group("vg0", {"sda"});
    check_refused(world.run(), "which this join did not write");
    CHECK(world.group_members("vg0") == (std::vector<std::string>{"sda"}));
}

TEST(Storage, AnOrphanVolumeWithoutOurMarkerIsNotTakenForOurs) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute", "fast");
    world.blocks.fail_change(1);
    check_refused(world.run(), "failed as planned");
    world.put_signature("sda", 512, "LVM2_member", "PV-strange");
    check_refused(world.run(), "which this join did not write");
}

TEST(Storage, ADiskThatIsReplacedByAnotherGroupAfterItWasFinishedIsRefused) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute", "fast");
    check_ok(world.run());
    world.blocks.put("/dev/sda", 1024, std::string(512, '\0'));
    world.blocks.put("/dev/sda", 1024, "GROUP vg0 GROUP-9 ");
    check_refused(world.run(), "was finished by this join, but now holds");
}

TEST(Storage, WhatAJoinStepMadeInThePoolIsNoReasonAgainstARetry) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute", "fast");
    check_ok(world.run());
    const int before = world.blocks.changes();
    world.spoil_look = [](facts::Inventory& machine) {
        facts::Disk& disk = machine.disks[0];
        disk.holds->push_back({"filesystem", "ext4", "vm", "77", "/dev/dm-0", 1080});
        facts::StackLayer layer;
        layer.name = "stratum--fast-vm";
        layer.path = "/dev/dm-0";
        layer.kind = "lvm";
        layer.group = "stratum-fast";
        layer.members = {"sda"};
        layer.open = true;
        disk.stack.push_back(layer);
        disk.mounted = true;
    };
    check_ok(world.run());
    LONGS_EQUAL(before, world.blocks.changes());
}

TEST(Storage, WhatCephMadeOfItsDiskIsLeftAndAnythingElseIsRefused) {
    const auto key = world.add_disk("sda");
    world.order(key, "ceph-osd");
    check_ok(world.run());
    const int before = world.blocks.changes();
    world.put_group("ceph-1b2c", {"sda"});
    check_ok(world.run());
    LONGS_EQUAL(before, world.blocks.changes());
    world.blocks.put("/dev/sda", 512, std::string(512, '\0'));
    world.put_signature("sda", 512, "ext4", "12");
    check_refused(world.run(), "somebody else has written to it");
    LONGS_EQUAL(before, world.blocks.changes());
}

TEST(Storage, ARoleOrPoolThatIsMissingIsRefusedNotGuessed) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute");
    check_refused(world.run(), "without a pool");
    world.node.disks[0].choice.role = "system";
    check_refused(world.run(), "role “system”");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, OneDiskOrderedTwiceIsRefused) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute", "fast");
    world.node.disks.push_back(config::NodeDisk(world.node.disks[0]));
    world.node.disks[1].choice.key = "/dev/disk/by-id/wwn-" + key;
    world.spoil_look = [](facts::Inventory& machine) {
        machine.disks[0].by_id = {"/dev/disk/by-id/wwn-" + machine.disks[0].wwn};
    };
    check_refused(world.run(), "is the same disk as");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, AComputeTailIsRefusedByName) {
    world.node.os_disk_layout = "compute-tail";
    world.node.compute_tail_pool = "default";
    check_refused(world.run(), "compute tail");
}

TEST(Storage, AnotherRootHasNoDisksToWrite) {
    furnish(world);
    auto journal = world.open_journal();
    auto context = world.context(journal);
    context.root = "/mnt/target";
    check_refused(run_storage(context), "none to write");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, SomebodyWhoWritesBetweenWipeAndGroupIsNoticed) {
    const auto key = world.add_disk("sda");
    world.order(key, "compute", "fast");
    world.before_look = [&] {
        // After the wipe the marker is the only thing on the disk.
        const auto sectors = world.blocks.sectors("/dev/sda");
        const bool is_wiped = sectors.size() == 1 && sectors.begin()->second.starts_with("STRATUM");
        if (is_wiped && world.processes.count({"wipefs"}) > 0 &&
            world.processes.count({"udevadm"}) >= 2) {
            world.blocks.put("/dev/sda", 0, std::string(512, '\0'));
            world.put_signature("sda", 0, "xfs", "somebody");
        }
    };
    CHECK(!world.run());
    LONGS_EQUAL(0, world.processes.count({"pvcreate"}));
}

TEST(Storage, AnArrayThatComesBackWhileItsMemberIsWipedIsTakenDownAgain) {
    furnish(world);
    int stops = 0;
    world.processes.on({"mdadm", "--stop"}, [&](const Command&) -> Result<Finished> {
        Finished finished;
        finished.exit_code = 0;
        if (++stops == 2) world.processes.forget_calls();
        return finished;
    });
    // It never goes: refused with the reason, the disk untouched.
    check_refused(world.run(), "was assembled again");
    CHECK(!world.blocks.written().contains("/dev/sdc"));
}

TEST(Storage, WhatIsKnownForBlankOnlyOnceItsStackIsGoneIsWiped) {
    // A mapping without any header: while it stands nobody can look behind it.
    const auto key = world.add_disk("sda");
    bool is_mapped = true;
    world.processes.on({"dmsetup", "remove", "--retry", "--uuid", "CRYPT-PLAIN-x"},
                       [&](const Command&) -> Result<Finished> {
                           is_mapped = false;
                           Finished finished;
                           finished.exit_code = 0;
                           return finished;
                       });
    world.spoil_look = [&](facts::Inventory& machine) {
        if (!is_mapped) return;
        facts::StackLayer layer;
        layer.name = "x";
        layer.path = "/dev/dm-0";
        layer.kind = "crypt";
        layer.uuid = "CRYPT-PLAIN-x";
        layer.members = {"sda"};
        layer.open = false;
        machine.disks[0].stack = {layer};
        machine.disks[0].holds.reset();
    };
    auto mapped = world.look();
    world.spoil_look(mapped);
    world.order(key, "ceph-osd").digest = to_hex(facts::contents_digest(mapped.disks[0]));
    check_ok(world.run());
    LONGS_EQUAL(0, world.blocks.sectors("/dev/sda").size());
}

TEST(Storage, AStackThatCannotBeTakenDownIsRefusedAndNotWritten) {
    const auto key = world.add_disk("sda");
    world.order(key, "ceph-osd");
    world.spoil_look = [&](facts::Inventory& machine) {
        facts::StackLayer layer;
        layer.name = "bcache0";
        layer.path = "/dev/bcache0";
        layer.kind = "other";
        layer.members = {"sda"};
        layer.open = false;
        machine.disks[0].stack = {layer};
    };
    check_refused(world.run(), "does not take such a device down");
    LONGS_EQUAL(0, world.blocks.changes());
}

TEST(Storage, PartitionsWithoutADeviceAreClearedWhereTheyAre) {
    const auto key = world.add_disk("sda");
    world.put_signature("sda", 700 * kMib + 1024, "ext4", "hidden");
    world.put_signature("sda", 900 * kMib - 1024, "zfs_member", "hidden");
    world.spoil_look = [](facts::Inventory& machine) {
        facts::Partition partition;
        partition.number = 1;
        partition.start_bytes = 700 * kMib;
        partition.size_bytes = 200 * kMib;
        partition.holds = std::vector<facts::Hold>{
            {"filesystem", "ext4", "", "hidden", "/dev/sda", 700 * kMib + 1024}};
        facts::Disk& disk = machine.disks[0];
        if (disk.name == "sda") disk.partitions = {partition};
    };
    world.order(key, "ceph-osd");
    auto spoiled = world.look();
    world.spoil_look(spoiled);
    world.node.disks[0].digest = to_hex(facts::contents_digest(spoiled.disks[0]));
    // The table is still shown after the wipe, so that it is not proved blank; the data is gone.
    check_refused(world.run(), "not proved blank");
    for (const auto& [at, text] : world.blocks.sectors("/dev/sda")) LONGS_EQUAL(0, at);
}

TEST_GROUP(WipeExtents){};

TEST(WipeExtents, PartitionsAndSignaturesAreCutAtTheDisksEnd) {
    facts::Disk disk;
    disk.path = "/dev/sda";
    disk.size_bytes = 1000 * kMib;
    facts::Partition inside, past, beyond;
    inside.start_bytes = kMib;
    inside.size_bytes = 10 * kMib;
    past.start_bytes = 990 * kMib;
    past.size_bytes = UINT64_MAX - kMib;
    beyond.start_bytes = 2000 * kMib;
    beyond.size_bytes = kMib;
    disk.partitions = {inside, past, beyond};
    disk.holds = {{"filesystem", "ext4", "", "", "/dev/sda", 500 * kMib + 1080},
                  {"filesystem", "ext4", "", "", "/dev/dm-0", 700 * kMib}};
    const std::vector<Extent> due = {
        {kMib, 10 * kMib}, {500 * kMib, 8192}, {990 * kMib, 10 * kMib}};
    CHECK(extents_of(disk) == due);
}

TEST(WipeExtents, ADamagedNoteIsAnErrorNotAnEmptyOne) {
    DiskWorld world;
    auto journal = world.open_journal();
    auto context = world.context(journal);
    PlannedDisk planned;
    planned.plan = "abc";
    world.files.put("/state/wipe-abc.json", "{\"extents\": [");
    CHECK(!note_extents(context, planned, {}).has_value());
    world.files.put("/state/wipe-abc.json",
                    "{\"extents\":[{\"startBytes\":4096,\"sizeBytes\":512}]}");
    const auto noted = note_extents(context, planned, {});
    CHECK(noted.has_value());
    CHECK(*noted == (std::vector<Extent>{{4096, 512}}));
}

TEST_GROUP(WipeMarker){};

TEST(WipeMarker, ItNamesItsPlanAndNothingElseDoes) {
    const std::string plan(64, 'a');
    LONGS_EQUAL(512, wipe_marker("j-1", plan).size());
    STRCMP_EQUAL(plan.c_str(), marked_plan(wipe_marker("j-1", plan)).c_str());
    STRCMP_EQUAL("", marked_plan(std::string(512, '\0')).c_str());
    STRCMP_EQUAL("", marked_plan("STRATUM-WIPE 1 short").c_str());
    STRCMP_EQUAL("", marked_plan("STRATUM-WIPE 1 " + std::string(64, 'z')).c_str());
}
