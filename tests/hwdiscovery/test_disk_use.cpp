#include <algorithm>
#include <string>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/disk_use.hpp"
#include "hwdiscovery/disks.hpp"
#include "tests/hwdiscovery/block_records.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

const facts::Disk& named(const std::vector<facts::Disk>& disks, const std::string& name) {
    const auto found = std::find_if(disks.begin(), disks.end(),
                                    [&](const auto& disk) { return disk.name == name; });
    CHECK_TEXT(found != disks.end(), name.c_str());
    return *found;
}

bool is_refused(const facts::Disk& disk, const std::string& words) {
    return join(facts::judge(disk).refusals, ";").find(words) != std::string::npos;
}

BlockRecord loop_block(const std::string& name, const std::string& dev,
                       const std::string& backing) {
    BlockRecord block;
    block.name = name;
    block.dev = dev;
    block.size_bytes = 1u << 30;
    block.backing_file = backing;
    return block;
}

} // namespace

TEST_GROUP(HwDiskUse) {
    DiskRecords records = machine_of(
        {disk_block("sda", "8:0"), partition_block("sda", 1, "8:1"), disk_block("sdb", "8:16")});
    facts::Disk disk(const std::string& name) {
        return named(make_disks(records), name);
    }
};

TEST(HwDiskUse, a_swap_file_makes_the_disk_of_its_filesystem_a_swap) {
    records.usage.mounts = {{"8:1", "/", "ext4", "/dev/sda1", {}},
                            {"8:16", "/data", "ext4", "/dev/sdb", {}}};
    records.usage.swaps = {"/data/swapfile"};
    CHECK(!disk("sda").swap);
    CHECK(disk("sdb").swap);
    CHECK(is_refused(disk("sdb"), "swap"));
    records.usage.swaps = {"/database/swapfile"}; // below "/", not below "/data"
    CHECK(disk("sda").swap);
    CHECK(!disk("sdb").swap);
}

TEST(HwDiskUse, a_swap_file_on_a_filesystem_over_two_disks_uses_both) {
    records.btrfs["u-1"] = {"sda1", "sdb"};
    records.usage.mounts = {{"0:40", "/data", "btrfs", "/dev/sda1", {}}};
    records.usage.swaps = {"/data/swapfile"};
    CHECK(disk("sda").swap);
    CHECK(disk("sdb").swap);
}

TEST(HwDiskUse, a_swap_whose_node_was_removed_is_still_a_swap) {
    records.usage.swaps = parse_swaps("Filename Type\n/dev/sda1\\040(deleted) partition\n");
    CHECK(disk("sda").swap);
}

TEST(HwDiskUse, a_loop_over_a_partition_stands_on_it) {
    auto blocks = records.blocks;
    blocks.push_back(loop_block("loop0", "7:0", "/dev/sda1"));
    records = machine_of(blocks);
    records.contents["loop0"] = content_with("filesystem", "ext4", "inner");
    records.usage.mounts = {{"7:0", "/mnt", "ext4", "/dev/loop0", {}}};
    CHECK(disk("sda").mounted);
    STRCMP_EQUAL("loop0", disk("sda").stack.at(0).name.c_str());
    CHECK(!disk("sdb").mounted);
}

TEST(HwDiskUse, a_loop_over_a_file_stands_on_the_disk_of_its_filesystem) {
    auto blocks = records.blocks;
    blocks.push_back(loop_block("loop0", "7:0", "/data/images/a.img (deleted)"));
    records = machine_of(blocks);
    records.usage.mounts = {{"8:1", "/", "ext4", "/dev/sda1", {}},
                            {"8:16", "/data", "xfs", "/dev/sdb", {}},
                            {"7:0", "/mnt", "ext4", "/dev/loop0", {}}};
    STRCMP_EQUAL("loop0", disk("sdb").stack.at(0).name.c_str());
    LONGS_EQUAL(2, disk("sdb").mounts.size());
    CHECK(disk("sda").stack.empty());
    CHECK(disk("sdb").closure.empty()); // the loop is no other disk that loses something
}

TEST(HwDiskUse, of_two_mounts_at_one_place_the_later_has_the_file) {
    records.usage.mounts = {{"8:1", "/data", "ext4", "/dev/sda1", {}},
                            {"8:16", "/data", "ext4", "/dev/sdb", {}}};
    records.usage.swaps = {"/data/swapfile"};
    CHECK(disk("sdb").swap);
    CHECK(!disk("sda").swap);
}

TEST(HwDiskUse, a_btrfs_whose_mount_names_no_device_that_is_known_is_mounted_all_the_same) {
    records.btrfs["u-1"] = {"sda1", "sdb"};
    records.usage.mounts = {{"0:40", "/", "btrfs", "/dev/root", {}}};
    CHECK(disk("sda").mounted);
    CHECK(disk("sdb").mounted);
    CHECK(disk("sdb").system);
}

TEST(HwDiskUse, a_pool_with_nothing_mounted_is_in_use_when_it_is_imported) {
    records.contents["sdb"] = content_with("filesystem", "zfs_member", "tank", "1");
    records.contents["sdb"].exclusive = Exclusive::kBusy;
    records.zfs_pools = {"tank"};
    CHECK(is_refused(disk("sdb"), "ZFS pool tank is imported"));
}

TEST(HwDiskUse, every_member_by_udevs_word_of_a_mounted_pool_is_mounted) {
    records.contents.clear();
    for (auto& block : records.blocks)
        block.udev = UdevRecord{{}, {{"ID_FS_TYPE", "zfs_member"}, {"ID_FS_LABEL", "tank"}}};
    records.usage.mounts = {{"0:41", "/tank/snap", "zfs", "tank@monday", {}}};
    CHECK(disk("sda").mounted);
    CHECK(disk("sdb").mounted);
}

TEST(HwDiskUse, a_filesystem_in_user_space_stands_on_its_device) {
    records.usage.mounts = {{"0:50", "/mnt", "fuseblk", "/dev/sdb", {}}};
    CHECK(disk("sdb").mounted);
    records.usage.mounts = {{"0:5", "/dev", "devtmpfs", "/dev/sdb", {}}};
    CHECK(!disk("sdb").mounted);
}

TEST(HwDiskUse, a_source_with_colons_is_one_path_but_for_bcachefs) {
    records.blocks[2].udev = UdevRecord{{"disk/by-path/pci-0000:00:04.0-scsi-0:0:0:0"}, {}};
    records.usage.mounts = {
        {"0:40", "/mnt", "btrfs", "/dev/disk/by-path/pci-0000:00:04.0-scsi-0:0:0:0", {}}};
    CHECK(disk("sdb").mounted);
    records.usage.mounts = {{"0:41", "/mnt", "fuse.sshfs", "host:/dev/sdb", {}}};
    CHECK(!disk("sdb").mounted);
    records.usage.mounts = {{"0:42", "/mnt", "bcachefs", "/dev/sda1:/dev/sdb", {}}};
    CHECK(disk("sda").mounted);
    CHECK(disk("sdb").mounted);
}

TEST(HwDiskUse, every_member_of_a_mounted_bcachefs_is_mounted) {
    records.bcachefs["u-2"] = {"sda1", "sdb"};
    records.usage.mounts = {{"0:60", "/mnt", "bcachefs", "/dev/sdb", {}}};
    CHECK(disk("sda").mounted);
    CHECK(disk("sda").closure == std::vector<std::string>{"/dev/sdb"});
}

TEST(HwDiskUse, a_cache_set_that_runs_ties_its_disks_and_keeps_them) {
    auto blocks = records.blocks;
    auto bcache = map_block("bcache0", "252:0", "", "", {"sdb"});
    blocks.push_back(bcache);
    records = machine_of(blocks);
    records.bcache["u-3"] = {"sda1", "sdb"};
    records.contents["sda1"].exclusive = Exclusive::kBusy;
    CHECK(is_refused(disk("sda"), "bcache"));
    CHECK(disk("sda").closure == std::vector<std::string>{"/dev/sdb"});
    STRCMP_EQUAL("bcache0", disk("sdb").stack.at(0).name.c_str());
    LONGS_EQUAL(2, make_disks(records).size()); // bcache0 is a layer, no disk
}

TEST(HwDiskUse, a_partition_that_somebody_has_is_told_although_another_explains_the_disk) {
    auto blocks = records.blocks;
    blocks.push_back(partition_block("sda", 2, "8:2"));
    blocks.push_back(map_block("dm-0", "254:0", "vg0-a", "LVM-x", {"sda1"}));
    records = machine_of(blocks);
    records.contents["sda"].exclusive = Exclusive::kBusy;
    records.contents["sda1"].exclusive = Exclusive::kBusy;
    CHECK(!is_refused(disk("sda"), "alone"));
    records.contents["sda2"].exclusive = Exclusive::kBusy;
    CHECK(is_refused(disk("sda"), "/dev/sda2 alone"));
}

TEST(HwDiskUse, a_program_that_writes_to_a_disk_is_told_with_its_number_and_name) {
    records.contents["sdb"].writer = Writer{4711, "qemu-system-x86"};
    CHECK(is_refused(disk("sdb"), "process 4711 (qemu-system-x86) has /dev/sdb open for writing"));
    CHECK(!is_refused(disk("sda"), "process"));
    records.contents["sda1"].writer = Writer{12, ""};
    CHECK(is_refused(disk("sda"), "process 12 has /dev/sda1 open"));
}

TEST(HwDiskUse, what_this_machine_gives_to_others_is_in_use) {
    CHECK(!is_refused(disk("sda"), "others"));
    records.exports = {"/dev/sda1"};
    CHECK(is_refused(disk("sda"), "gives /dev/sda1 to others"));
    CHECK(!is_refused(disk("sdb"), "others"));
}

TEST(HwDiskUse, a_program_that_writes_to_an_array_has_it_open) {
    auto blocks = records.blocks;
    blocks.push_back(md_block("md0", "9:0", {"sdb"}));
    records = machine_of(blocks);
    CHECK(!is_refused(disk("sdb"), "md0"));
    records.contents["md0"].writer = Writer{4711, "qemu"};
    CHECK(is_refused(disk("sdb"), "holds md0 open"));
}

TEST(HwDiskUse, a_partition_under_a_loop_is_not_called_blank) {
    auto blocks = records.blocks;
    blocks.push_back(loop_block("loop0", "7:0", "/dev/sda1"));
    records = machine_of(blocks);
    CHECK(!disk("sda").partitions.at(0).holds.has_value());
    CHECK(!disk("sda").holds.has_value());
}

TEST(HwDiskUse, a_map_that_is_a_disk_and_is_held_open_is_in_use) {
    auto map = map_block("dm-0", "254:0", "mpatha", "mpath-3600000000000000000000000000012aa",
                         {"sda", "sdb"});
    records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"), map});
    records.contents["dm-0"].dm_open_count = 0;
    CHECK(!is_refused(disk("dm-0"), "in use"));
    records.contents["dm-0"].dm_open_count = 1;
    CHECK(is_refused(disk("dm-0"), "in use"));
}

TEST(HwDiskUse, a_mount_or_a_swap_of_no_known_device_leaves_the_use_of_all_open) {
    const auto doubts = [&](std::vector<MountRecord> mounts, std::vector<std::string> swaps) {
        auto one = records;
        one.usage.mounts = std::move(mounts);
        one.usage.swaps = std::move(swaps);
        doubt_unplaced_use(one);
        const auto made = make_disks(one);
        CHECK(one.warnings.empty() == named(made, "sdb").holds.has_value());
        return join(one.warnings, ";");
    };
    const MountRecord root{"8:1", "/", "ext4", "/dev/root", {}};
    STRCMP_EQUAL("", doubts({root, {"0:22", "/proc", "proc", "proc", {}}}, {"/dev/sda1"}).c_str());
    STRCMP_EQUAL("", doubts({root}, {"/swapfile"}).c_str());
    CHECK(doubts({root, {"65:0", "/srv", "xfs", "/dev/sdq", {}}}, {}).find("65:0") !=
          std::string::npos);
    CHECK(doubts({root}, {"/dev/disk/by-id/gone"}).find("by-id/gone") != std::string::npos);
    CHECK(!doubts({{"0:30", "/", "overlay", "overlay", {}}}, {"/swapfile"}).empty());
    records.usage.is_complete = false;
    records.usage.problem = "/proc/swaps could not be read";
    CHECK(!doubts({root}, {}).empty());
}

TEST(HwDiskUse, a_place_of_the_systems_own_is_found_behind_a_thousand_others) {
    for (int i = 0; i < 1000; ++i)
        records.usage.mounts.push_back({"8:16", "/m/" + std::to_string(i), "xfs", "/dev/sdb", {}});
    CHECK(!disk("sdb").system);
    records.usage.mounts.push_back({"8:16", "/var/lib/stratum", "xfs", "/dev/sdb", {}});
    CHECK(disk("sdb").system);
    LONGS_EQUAL(33, disk("sdb").mounts.size());
}
