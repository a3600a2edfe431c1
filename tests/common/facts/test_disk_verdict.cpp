#include <algorithm>
#include <string>

#include "common/facts/disk_verdict.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::facts;

namespace {

Disk blank_disk() {
    Disk disk;
    disk.name = "sda";
    disk.path = "/dev/sda";
    disk.by_id = {"/dev/disk/by-id/ata-WDC_WD40EFRX_WX11A1B2C3D4",
                  "/dev/disk/by-id/wwn-0x5000c500a1b2c301"};
    disk.wwn = "0x5000c500a1b2c301";
    disk.model = "WDC WD40EFRX";
    disk.serial = "WX11A1B2C3D4";
    disk.size_bytes = 4'000'000'000'000;
    disk.transport = "sata";
    disk.read_only = false;
    disk.holds = std::vector<Hold>{};
    return disk;
}

bool refuses_with(const Disk& disk, std::string_view words) {
    const auto refusals = judge(disk).refusals;
    return std::any_of(refusals.begin(), refusals.end(), [&](const std::string& refusal) {
        return refusal.find(words) != std::string::npos;
    });
}

bool loses(const Disk& disk, std::string_view words) {
    const auto losses = judge(disk).losses;
    return std::find(losses.begin(), losses.end(), words) != losses.end();
}

} // namespace

TEST_GROUP(DiskVerdict){};

TEST(DiskVerdict, a_blank_disk_with_a_wwn_may_be_used_and_loses_nothing) {
    const auto verdict = judge(blank_disk());
    CHECK(verdict.refusals.empty());
    CHECK(verdict.contents == Contents::kBlank);
    CHECK(verdict.losses.empty());
    CHECK(verdict.also_breaks.empty());
}

TEST(DiskVerdict, a_default_disk_is_refused_and_its_contents_are_unknown) {
    const auto verdict = judge(Disk{});
    CHECK(!verdict.refusals.empty());
    CHECK(verdict.contents == Contents::kUnknown);
}

TEST(DiskVerdict, a_disk_nobody_could_read_is_unknown_never_blank) {
    Disk disk = blank_disk();
    disk.holds.reset();
    CHECK(judge(disk).contents == Contents::kUnknown);
    CHECK(judge(disk).refusals.empty());
    CHECK(!judge(disk).losses.empty());
}

TEST(DiskVerdict, an_unusable_disk_is_refused_with_its_reason) {
    Disk disk = blank_disk();
    disk.unusable = "is an optical drive";
    CHECK(refuses_with(disk, "is an optical drive"));
}

TEST(DiskVerdict, a_system_disk_is_refused_even_when_nothing_is_mounted) {
    Disk disk = blank_disk();
    disk.system = true;
    CHECK(refuses_with(disk, "system disk"));
    CHECK(judge(disk).contents == Contents::kHolds);
}

TEST(DiskVerdict, a_mounted_disk_is_refused_and_says_what_is_mounted_where) {
    Disk disk = blank_disk();
    disk.mounted = true;
    disk.mounts = {{"/boot", "/dev/sda1", {}}, {"/mnt", "/dev/dm-0", 4711}};
    CHECK(refuses_with(disk, "/dev/sda1 at /boot, /dev/dm-0 at /mnt (in process 4711)"));
}

TEST(DiskVerdict, a_mounted_disk_whose_mounts_are_not_known_is_refused_too) {
    Disk disk = blank_disk();
    disk.mounted = true;
    CHECK(refuses_with(disk, "is mounted"));
}

TEST(DiskVerdict, swap_in_use_is_refused) {
    Disk disk = blank_disk();
    disk.swap = true;
    CHECK(refuses_with(disk, "swap"));
}

TEST(DiskVerdict, a_stack_that_somebody_holds_open_is_refused) {
    Disk disk = blank_disk();
    StackLayer layer;
    layer.name = "vg0-data";
    layer.kind = "lvm";
    layer.open = true;
    disk.stack = {layer};
    CHECK(refuses_with(disk, "vg0-data"));
}

TEST(DiskVerdict, a_stack_that_is_merely_assembled_may_be_used) {
    Disk disk = blank_disk();
    StackLayer layer;
    layer.name = "vg0-data";
    layer.kind = "lvm";
    layer.group = "vg0";
    layer.open = false;
    disk.stack = {layer};
    CHECK(judge(disk).refusals.empty());
    CHECK(judge(disk).contents == Contents::kHolds);
    CHECK(loses(disk, "an LVM volume group vg0"));
}

TEST(DiskVerdict, a_read_only_disk_is_refused_and_one_of_unknown_flag_is_not) {
    Disk disk = blank_disk();
    disk.read_only = true;
    CHECK(refuses_with(disk, "read-only"));
    disk.read_only.reset();
    CHECK(judge(disk).refusals.empty());
}

TEST(DiskVerdict, usb_and_sd_cards_are_refused_emmc_virtio_and_hot_swap_bays_are_not) {
    Disk disk = blank_disk();
    disk.transport = "usb";
    CHECK(refuses_with(disk, "USB"));
    disk.transport = "sd";
    CHECK(refuses_with(disk, "SD card"));
    for (const char* transport : {"mmc", "virtio", "sata", "sas", "nvme", "iscsi", "fc", ""}) {
        disk.transport = transport;
        disk.removable = true;
        CHECK_TEXT(judge(disk).refusals.empty(), transport);
    }
}

TEST(DiskVerdict, eight_gib_is_enough_and_one_byte_less_is_not) {
    Disk disk = blank_disk();
    disk.size_bytes = kSmallestDiskBytes;
    CHECK(judge(disk).refusals.empty());
    disk.size_bytes = kSmallestDiskBytes - 1;
    CHECK(refuses_with(disk, "too small"));
}

TEST(DiskVerdict, a_drive_without_a_medium_is_refused) {
    Disk disk = blank_disk();
    disk.size_bytes = 0;
    CHECK(refuses_with(disk, "no medium"));
}

TEST(DiskVerdict, a_disk_without_a_trustworthy_key_is_refused_and_says_how_to_give_one) {
    Disk disk = blank_disk();
    disk.wwn = "";
    disk.by_id = {};
    CHECK(refuses_with(disk, "disk.EnableUUID"));
}

TEST(DiskVerdict, every_refusal_is_told_at_once) {
    Disk disk = blank_disk();
    disk.system = true;
    disk.mounted = true;
    disk.read_only = true;
    LONGS_EQUAL(3, judge(disk).refusals.size());
}

TEST(DiskVerdict, a_partition_alone_is_contents) {
    Disk disk = blank_disk();
    Partition partition;
    partition.number = 1;
    partition.holds = std::vector<Hold>{};
    disk.partitions = {partition};
    CHECK(judge(disk).contents == Contents::kHolds);
    CHECK(!judge(disk).losses.empty());
}

TEST(DiskVerdict, losses_name_what_is_on_it_with_its_label) {
    Disk disk = blank_disk();
    Partition partition;
    partition.number = 1;
    partition.holds = {{"filesystem", "ext4", "olddata", "", "/dev/sda1", 1080}};
    disk.partitions = {partition};
    disk.holds = {{"partition-table", "gpt (backup only)", "", "", "/dev/sda", 4'000'000},
                  {"filesystem", "ext4", "olddata", "", "/dev/sda1", 1080}};
    CHECK(loses(disk, "ext4 “olddata” on /dev/sda1"));
    CHECK(loses(disk, "a partition table (gpt (backup only)) on /dev/sda"));
    LONGS_EQUAL(2, judge(disk).losses.size());
}

TEST(DiskVerdict, other_disks_of_the_closure_are_named) {
    Disk disk = blank_disk();
    disk.closure = {"/dev/sdb"};
    CHECK(judge(disk).also_breaks == std::vector<std::string>{"/dev/sdb"});
    CHECK(judge(disk).contents == Contents::kHolds);
}

TEST(DiskVerdict, what_is_no_disk_is_refused_by_its_name_where_nobody_said_so) {
    const std::pair<const char*, const char*> cases[] = {
        {"sr0", "is an optical drive"},
        {"fd0", "is a floppy drive"},
        {"loop12", "is a loop device"},
        {"zram0", "is memory"},
        {"mmcblk0boot0", "is a boot or protected area of an eMMC"},
        {"mmcblk1rpmb", "is a boot or protected area of an eMMC"}};
    for (const auto& [name, words] : cases) {
        Disk disk = blank_disk();
        disk.name = name;
        CHECK(refuses_with(disk, words));
    }
    for (const char* name : {"mmcblk0", "sda", "srx", "loop"}) {
        Disk disk = blank_disk();
        disk.name = name;
        CHECK(judge(disk).refusals.empty());
    }
}

TEST(DiskVerdict, the_transport_is_read_in_either_case) {
    Disk disk = blank_disk();
    disk.transport = "USB";
    CHECK(refuses_with(disk, "is on USB"));
}
