#include "common/facts/disk_verdict.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::facts;

namespace {

Disk used_disk() {
    Disk disk;
    disk.name = "sda";
    disk.path = "/dev/sda";
    disk.by_id = {"/dev/disk/by-id/wwn-0x5000c500a1b2c301"};
    disk.wwn = "0x5000c500a1b2c301";
    disk.serial = "ZC1A0001";
    disk.model = "ST4000NM017A";
    disk.size_bytes = 4'000'000'000'000;
    Partition partition;
    partition.number = 1;
    partition.path = "/dev/sda1";
    partition.start_bytes = 1 << 20;
    partition.size_bytes = 1 << 30;
    partition.holds = {{"lvm", "LVM2_member", "", "u-1", "/dev/sda1", 536}};
    disk.partitions = {partition};
    disk.holds = partition.holds;
    return disk;
}

// The same disk as another boot names it.
Disk as_sdb(Disk disk) {
    disk.name = "sdb";
    disk.path = "/dev/sdb";
    disk.partitions[0].path = "/dev/sdb1";
    (*disk.partitions[0].holds)[0].device = "/dev/sdb1";
    (*disk.holds)[0].device = "/dev/sdb1";
    return disk;
}

} // namespace

TEST_GROUP(ContentsDigest){};

TEST(ContentsDigest, kernel_names_do_not_count) {
    CHECK(contents_digest(used_disk()) == contents_digest(as_sdb(used_disk())));
}

TEST(ContentsDigest, mounts_health_and_an_assembled_stack_do_not_count) {
    Disk disk = used_disk();
    disk.mounted = true;
    disk.mounts = {{"/mnt", "/dev/dm-0", {}}};
    disk.holds->push_back({"filesystem", "ext4", "root", "f-1", "/dev/dm-0", 1080});
    StackLayer layer;
    layer.name = "vg0-root";
    layer.degraded = true;
    disk.stack = {layer};
    CHECK(contents_digest(used_disk()) == contents_digest(disk));
}

TEST(ContentsDigest, a_link_that_comes_late_does_not_count_where_there_is_a_wwn) {
    Disk disk = used_disk();
    disk.by_id.push_back("/dev/disk/by-id/scsi-SSEAGATE_ZC1A0001");
    CHECK(contents_digest(used_disk()) == contents_digest(disk));
}

TEST(ContentsDigest, identity_counts) {
    Disk disk = used_disk();
    disk.serial = "ZC1A0002";
    CHECK(contents_digest(used_disk()) != contents_digest(disk));
    disk = used_disk();
    disk.wwn = "0x5000c500a1b2c302";
    CHECK(contents_digest(used_disk()) != contents_digest(disk));
    disk = used_disk();
    disk.size_bytes += 512;
    CHECK(contents_digest(used_disk()) != contents_digest(disk));
}

TEST(ContentsDigest, partitions_and_what_they_hold_count) {
    Disk disk = used_disk();
    disk.partitions[0].size_bytes += 512;
    CHECK(contents_digest(used_disk()) != contents_digest(disk));
    disk = used_disk();
    (*disk.partitions[0].holds)[0].uuid = "u-2";
    CHECK(contents_digest(used_disk()) != contents_digest(disk));
    disk = used_disk();
    disk.partitions.clear();
    CHECK(contents_digest(used_disk()) != contents_digest(disk));
}

TEST(ContentsDigest, unknown_is_not_blank) {
    Disk unknown = used_disk();
    unknown.holds.reset();
    Disk blank = used_disk();
    blank.holds = std::vector<Hold>{};
    CHECK(contents_digest(unknown) != contents_digest(blank));
}
