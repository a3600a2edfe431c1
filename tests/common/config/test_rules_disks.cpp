// Rules about data disks.
#include "common/base/text.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

DiskChoice& first(Trial& t) {
    return t.request.assignment.disks->front();
}

DiskChoice& add(Trial& t, const char* key, const char* pool) {
    DiskChoice& disk = t.add_disk(key);
    disk.pool = pool;
    return disk;
}

void make_osd(DiskChoice& disk) {
    disk.role = "ceph-osd";
    disk.pool.reset();
}

// An array over the blank disk and another one.
void stack(Trial& t, const char* path, const char* other) {
    facts::Disk& disk = t.machine_disk(path);
    facts::StackLayer layer;
    layer.name = "md0";
    layer.path = "/dev/md0";
    layer.kind = "md";
    layer.level = "raid1";
    disk.stack = {layer};
    disk.closure = {other};
}

} // namespace

#define RULE_GROUP ConfigDiskRules

TEST_GROUP(ConfigDiskRules){};

RULE(disk_unknown, "disks[0].key", first(t).key = "/dev/disk/by-id/nvme-eui.0025388b71b2c4d1",
     first(t).key = "0x5000c500ffffffff",
     "no disk has the key “0x5000c500ffffffff”; the keys there are: 0x5000c500a1b2c300, "
     "0x5000c500a1b2c301, eui.0025388b71b2c4d1, eui.0025388b71b2c4d2")

TEST(ConfigDiskRules, disk_unknown_refuses_a_kernel_name_and_says_the_key) {
    Trial t;
    first(t).key = "/dev/nvme0n1";
    STRCMP_EQUAL("“/dev/nvme0n1” is a kernel name, and those change: name this disk "
                 "eui.0025388b71b2c4d1",
                 t.at("disks[0].key").c_str());
}

RULE(disk_twice, "disks[1].key", add(t, kScsiKey, "slow"),
     add(t, "/dev/disk/by-id/nvme-eui.0025388b71b2c4d1", "fast"),
     "/dev/nvme0n1 is named twice: disks[0] has it as eui.0025388b71b2c4d1")

RULE(disk_refused, "disks[0].key", t.machine_disk("/dev/nvme0n1").removable = true,
     t.machine_disk("/dev/nvme0n1").read_only = true, "/dev/nvme0n1 is read-only")

TEST(ConfigDiskRules, disk_refused_keeps_the_system_disk) {
    Trial t;
    first(t).key = "0x5000c500a1b2c300";
    first(t).confirm = "0x5000c500a1b2c300";
    STRCMP_CONTAINS("/dev/sda is a system disk", t.at("disks[0].key").c_str());
}

TEST(ConfigDiskRules, disk_refused_tells_every_cause_there_is) {
    const std::pair<void (*)(facts::Disk&), const char*> cases[] = {
        {[](facts::Disk& d) { d.transport = "usb"; }, "/dev/nvme0n1 is on USB (a stick, an "
                                                      "external disk or a BMC's virtual media)"},
        {[](facts::Disk& d) { d.size_bytes = 4ull << 30; },
         "/dev/nvme0n1 is too small: 4.0 GiB, at least 8.0 GiB are needed"},
        {[](facts::Disk& d) { d.unusable = "is the medium this program runs from"; },
         "/dev/nvme0n1 is the medium this program runs from"},
        {[](facts::Disk& d) {
             d.mounted = true;
             d.mounts = {{"/mnt", "/dev/nvme0n1p1", {}}};
         },
         "/dev/nvme0n1 is mounted: /dev/nvme0n1p1 at /mnt"}};
    for (const auto& [change, message] : cases) {
        Trial t;
        change(t.machine_disk("/dev/nvme0n1"));
        STRCMP_EQUAL(message, t.at("disks[0].key").c_str());
    }
}

RULE(disk_system_stack, "disks[0].key", stack(t, "/dev/nvme0n1", "/dev/sdb");
     first(t).confirm = kBlankKey, stack(t, "/dev/nvme0n1", "/dev/sda");
     first(t).confirm = kBlankKey,
     "/dev/nvme0n1 is in one stack with the system disk /dev/sda, which would break; choose "
     "another")

TEST(ConfigDiskRules, disk_system_stack_believes_the_system_disk_alone) {
    for (const char* member : {"nvme0n1", "nvme0n1p3"}) {
        Trial t;
        facts::Partition third;
        third.path = "/dev/nvme0n1p3";
        t.machine_disk("/dev/nvme0n1").partitions = {third};
        first(t).confirm = kBlankKey;
        facts::StackLayer layer;
        layer.members = {"sda3", member};
        t.machine_disk("/dev/sda").stack = {layer};
        STRCMP_EQUAL("/dev/nvme0n1 is in one stack with the system disk /dev/sda, which would "
                     "break; choose another",
                     t.at("disks[0].key").c_str());
        t.machine_disk("/dev/sda").stack[0].members = {"sda3", "nvme0n10"};
        STRCMP_EQUAL("", all_problems(t).c_str());
    }
}

RULE(disk_shared, "disks[0].key", t.cluster.holders[0].disk_keys = list("0x5000c500a1b2c309"),
     t.cluster.holders[0].disk_keys = list(kBlankKey),
     "eui.0025388b71b2c4d1 is a disk of node alpha too: a shared LUN, which only one node may have")

TEST(ConfigDiskRules, disk_twice_refuses_another_path_to_the_same_disk) {
    Trial t;
    facts::Disk& twin = t.machine_disk("/dev/sdb");
    twin.wwn.clear();
    twin.by_id = {"/dev/disk/by-id/nvme-eui.0025388b71b2c4d1",
                  "/dev/disk/by-id/ata-Example_WD1A2B3C"};
    t.machine_disk("/dev/nvme0n1").by_id = {"/dev/disk/by-id/nvme-uuid.5a1e0000-1234-a"};
    first(t).key = "/dev/disk/by-id/nvme-uuid.5a1e0000-1234-a";
    add(t, "/dev/disk/by-id/ata-Example_WD1A2B3C", "other");
    STRCMP_EQUAL("/dev/sdb is another path to /dev/nvme0n1, which disks[0] names: both are "
                 "eui.0025388b71b2c4d1",
                 t.at("disks[1].key").c_str());
}

TEST(ConfigDiskRules, disk_shared_knows_a_lun_by_its_by_id_path_alone) {
    Trial t;
    t.machine_disk("/dev/sdb").wwn.clear();
    t.machine_disk("/dev/sdb").by_id = {"/dev/disk/by-id/scsi-35000c500a1b2c301"};
    add(t, "/dev/disk/by-id/scsi-35000c500a1b2c301", "other");
    t.cluster.holders[0].disk_keys = list("0x5000C500A1B2C301");
    STRCMP_EQUAL(
        "0x5000c500a1b2c301 is a disk of node alpha too: a shared LUN, which only one node "
        "may have",
        t.at("disks[1].key").c_str());
}

// Many disks have it; none of them is another's.
TEST(ConfigDiskRules, disk_shared_accepts_a_placeholder_that_another_node_has_too) {
    Trial t;
    t.machine_disk("/dev/sdb").wwn = "0x0000000000000000";
    t.machine_disk("/dev/sdb").serial = "WD1A2B3C";
    t.machine_disk("/dev/sdb").by_id = {"/dev/disk/by-id/ata-Example_WD1A2B3C"};
    add(t, "/dev/disk/by-id/ata-Example_WD1A2B3C", "other");
    t.cluster.holders[0].disk_keys = list("0x0000000000000000");
    STRCMP_EQUAL("", all_problems(t).c_str());
    const auto planned = t.plan();
    STRCMP_EQUAL(kBlankKey, join(planned->disk_keys, " ").c_str());
}

RULE(pool_missing, "disks[0].pool", first(t).pool = "default", first(t).pool.reset(),
     "missing: a compute disk needs a pool, such as default")

RULE(pool_osd, "disks[0].pool", make_osd(first(t)), first(t).role = "ceph-osd",
     "a ceph-osd disk has no pool: Ceph decides; take it out")

RULE(pool_label, "disks[0].pool", first(t).pool = "fast-2", first(t).pool = "fast pool",
     "\"fast pool\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end")

RULE(pool_media, "disks[1].pool", add(t, kScsiKey, "slow");
     t.machine_disk("/dev/sdb").rotational = true, add(t, kScsiKey, "fast");
     t.machine_disk("/dev/sdb").rotational = true,
     "pool fast would mix flash (/dev/nvme0n1) and rotational (/dev/sdb) disks; give this one "
     "another pool")

RULE(pool_blocks, "disks[1].pool", add(t, kScsiKey, "fast"), add(t, kScsiKey, "fast");
     t.machine_disk("/dev/sdb").logical_block_size = 4096,
     "pool fast would mix block sizes: 512 (/dev/nvme0n1) and 4096 (/dev/sdb); give this one "
     "another pool")

RULE(class_osd, "disks[0].storageClass", make_osd(first(t)), make_osd(first(t));
     first(t).storage_class = "gold",
     "a ceph-osd disk has no storage class: Ceph decides; take it out")

RULE(class_label, "disks[0].storageClass", first(t).storage_class = "gold",
     first(t).storage_class = "Gold",
     "\"Gold\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end")

RULE(class_once, "disks[1].storageClass", add(t, kScsiKey, "fast"),
     add(t, kScsiKey, "fast").storage_class = "gold",
     "pool fast has storage class fast at disks[0] and gold here; one pool has one")

RULE(wipe_confirmed, "disks[0].confirm", first(t).key = kOldKey;
     first(t).confirm = kOldKey, first(t).key = kOldKey,
     "/dev/nvme1n1 is not blank: ext4 “olddata” on /dev/nvme1n1 would be wiped; to allow that, "
     "set confirm to eui.0025388b71b2c4d2")

TEST(ConfigDiskRules, wipe_confirmed_needs_exactly_the_key_that_was_given) {
    Trial t;
    first(t).key = kOldKey;
    first(t).confirm = "yes";
    STRCMP_EQUAL("/dev/nvme1n1 is not blank: ext4 “olddata” on /dev/nvme1n1 would be wiped; to "
                 "allow that, set confirm to eui.0025388b71b2c4d2 (it is \"yes\")",
                 t.at("disks[0].confirm").c_str());
}

TEST(ConfigDiskRules, wipe_confirmed_holds_for_a_disk_that_is_not_proved_blank) {
    Trial t;
    t.machine_disk("/dev/nvme0n1").holds.reset();
    STRCMP_EQUAL("/dev/nvme0n1 is not blank: whatever is on it (not all of it could be read) "
                 "would be wiped; to allow that, set confirm to eui.0025388b71b2c4d1",
                 t.at("disks[0].confirm").c_str());
}

TEST(ConfigDiskRules, wipe_confirmed_says_which_other_disks_lose_something) {
    Trial t;
    stack(t, "/dev/nvme0n1", "/dev/sdb");
    STRCMP_EQUAL("/dev/nvme0n1 is not blank: the raid1 array md0 would be wiped, and /dev/sdb "
                 "would lose something with it; to allow that, set confirm to "
                 "eui.0025388b71b2c4d1",
                 t.at("disks[0].confirm").c_str());
}

RULE(confirm_key, "disks[0].confirm", first(t).confirm = kBlankKey, first(t).confirm = kOldKey,
     "\"eui.0025388b71b2c4d2\" is not this disk's key, eui.0025388b71b2c4d1; the disk is blank "
     "and needs no confirmation")

RULE(disks_needed, "disks", t.request.assignment.disks->clear(),
     t.request.assignment.disks->clear();
     t.join.inventory.install_record->os_disk_layout = "whole-disk",
     "none is assigned, and the system has its own disks whole, so there is nothing to keep VMs "
     "on; assign one of 0x5000c500a1b2c301 (/dev/sdb, 1.00 TB), eui.0025388b71b2c4d1 "
     "(/dev/nvme0n1, 1.00 TB), eui.0025388b71b2c4d2 (/dev/nvme1n1, 1.00 TB)")

TEST(ConfigDiskRules, disks_needed_is_waived_by_the_cluster) {
    Trial t;
    t.request.assignment.disks->clear();
    t.join.inventory.install_record->os_disk_layout = "whole-disk";
    t.cluster.allow_no_compute = true;
    STRCMP_EQUAL("", all_problems(t).c_str());
}

TEST(ConfigDiskRules, disks_needed_reads_the_layout_off_a_machine_without_a_record) {
    Trial t;
    t.request.assignment.disks->clear();
    t.join.inventory.install_record.reset();
    STRCMP_EQUAL("", all_problems(t).c_str());
    t.machine_disk("/dev/sda").free_tail_bytes = 1 << 20;
    CHECK(!t.at("disks").empty());
}
