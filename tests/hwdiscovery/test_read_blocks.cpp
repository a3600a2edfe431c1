#include <algorithm>
#include <string>

#include "hwdiscovery/disk_reader.hpp"
#include "hwdiscovery/read_blocks.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

// A device with the attributes that every disk has.
std::string add_disk(MemoryTree& tree, const std::string& name, const std::string& dev,
                     const std::string& folder) {
    std::string sysfs = "/sys/devices/" + folder + "/" + name;
    tree.links["/sys/class/block/" + name] = "../../devices/" + folder + "/" + name;
    if (!dev.empty()) tree.files[sysfs + "/dev"] = dev + "\n";
    tree.files[sysfs + "/size"] = "134217728\n";
    tree.files[sysfs + "/ro"] = "0\n";
    tree.files[sysfs + "/removable"] = "0\n";
    tree.files[sysfs + "/queue/logical_block_size"] = "512\n";
    return sysfs;
}

BlockRecord only_block(const MemoryTree& tree) {
    std::vector<std::string> warnings;
    const auto blocks = read_blocks(tree, warnings);
    LONGS_EQUAL(1, blocks.size());
    return blocks.front();
}

bool warns(const std::vector<std::string>& warnings, const std::string& words) {
    return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
        return warning.find(words) != std::string::npos;
    });
}

} // namespace

TEST_GROUP(HwReadBlocks) {
    MemoryTree tree;
};

TEST(HwReadBlocks, a_disk_whose_every_attribute_is_there_has_no_warning) {
    add_disk(tree, "sda", "8:0", "pci0/ata1/host0/target0:0:0/0:0:0:0/block");
    const auto disk = only_block(tree);
    CHECK(disk.warnings.empty());
    CHECK(disk.size_bytes == 64ull << 30);
    CHECK(disk.read_only == false);
}

TEST(HwReadBlocks, an_attribute_that_cannot_be_read_costs_itself_with_a_word) {
    const auto sysfs = add_disk(tree, "sda", "8:0", "pci0/block");
    for (const char* name : {"/ro", "/removable", "/size", "/queue/logical_block_size"})
        tree.files.erase(sysfs + name);
    const auto disk = only_block(tree);
    CHECK(!disk.has_size);
    CHECK(!disk.read_only.has_value());
    for (const char* words : {"size", "read-only", "removable", "block size"})
        CHECK_TEXT(warns(disk.warnings, words), words);
}

TEST(HwReadBlocks, a_size_that_no_disk_has_is_no_size) {
    const auto sysfs = add_disk(tree, "sda", "8:0", "pci0/block");
    tree.files[sysfs + "/size"] = "18446744073709551615\n";
    CHECK(!only_block(tree).has_size);
    CHECK(only_block(tree).size_bytes == 0);
}

TEST(HwReadBlocks, a_device_that_vanishes_in_mid_read_is_left_out_with_a_warning) {
    add_disk(tree, "sda", "8:0", "pci0/block");
    tree.links["/sys/class/block/sdb"] = "../../devices/gone/sdb";
    std::vector<std::string> warnings;
    LONGS_EQUAL(1, read_blocks(tree, warnings).size());
    CHECK(warns(warnings, "/dev/sdb went away"));
    CHECK(read_disk_records(tree).warnings == warnings);
}

TEST(HwReadBlocks, a_hidden_way_to_an_nvme_namespace_has_no_number_and_is_kept) {
    const auto path = add_disk(tree, "nvme0c1n1", "", "pci0/nvme/nvme1");
    tree.files[path + "/hidden"] = "1\n";
    tree.links[path + "/device"] = "../../nvme1";
    tree.files["/sys/devices/pci0/nvme/nvme1/state"] = "connecting\n";
    const auto block = only_block(tree);
    CHECK(block.hidden);
    STRCMP_EQUAL("connecting", block.nvme->state.c_str());
}

TEST(HwReadBlocks, a_namespace_whose_kernel_lists_its_paths_has_them) {
    const auto head = add_disk(tree, "nvme0n1", "259:0", "virtual/nvme-subsystem/nvme-subsys0");
    tree.links[head + "/multipath/nvme0c0n1"] = "../../../../../pci0/nvme/nvme0/nvme0c0n1";
    tree.links[head + "/multipath/nvme0c1n1"] = "../../../../../pci0/nvme/nvme1/nvme0c1n1";
    CHECK(only_block(tree).nvme->paths == (std::vector<std::string>{"nvme0c0n1", "nvme0c1n1"}));
}

TEST(HwReadBlocks, an_old_kernels_namespace_has_the_identifier_that_a_new_one_would_make) {
    const auto disk = add_disk(tree, "nvme0n1", "259:0", "pci0/nvme/nvme0");
    tree.files[disk + "/eui"] = "00 25 38 5B 01 23 45 67\n";
    tree.files[disk + "/nguid"] = "00000000-0000-0000-0000-000000000000\n";
    STRCMP_EQUAL("eui.0025385b01234567", only_block(tree).nvme->wwid.c_str());
    tree.files[disk + "/nguid"] = "36465330-5330-0138-0025-384600000001\n";
    STRCMP_EQUAL("eui.36465330533001380025384600000001", only_block(tree).nvme->wwid.c_str());
    tree.files[disk + "/wwid"] = "uuid.1\n";
    STRCMP_EQUAL("uuid.1", only_block(tree).nvme->wwid.c_str());
}

TEST(HwReadBlocks, a_boot_area_of_an_emmc_is_known_by_its_card) {
    const auto main = "/sys/devices/soc/mmc0/mmc0:0001/block/mmcblk0";
    const auto area = add_disk(tree, "mmcblk0boot0", "179:8", "soc/mmc0/mmc0:0001/block/mmcblk0");
    tree.links[area + "/device"] = "../../mmcblk0";
    tree.links[std::string(main) + "/device"] = "../../../mmc0:0001";
    tree.files["/sys/devices/soc/mmc0/mmc0:0001/type"] = "MMC\n";
    STRCMP_EQUAL("MMC", only_block(tree).mmc->type.c_str());
}

TEST(HwReadBlocks, a_usb_disk_has_the_serial_of_its_usb_device) {
    const auto disk =
        add_disk(tree, "sda", "8:0", "pci0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block");
    const std::string scsi = "/sys/devices/pci0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0";
    tree.links[disk + "/device"] = "../../../6:0:0:0";
    tree.files[scsi + "/scsi_level"] = "7\n";
    tree.files["/sys/devices/pci0/usb2/2-1/idVendor"] = "0781\n";
    tree.files["/sys/devices/pci0/usb2/2-1/serial"] = "4C530001\n";
    tree.files["/sys/devices/pci0/usb2/idVendor"] = "1d6b\n"; // the root hub, further up
    const auto block = only_block(tree);
    STRCMP_EQUAL("4C530001", block.scsi->usb_serial.c_str());
    STRCMP_EQUAL("6:0:0:0", block.scsi->address.c_str());
}

TEST(HwReadBlocks, an_array_is_read_with_what_it_is_busy_with) {
    const auto md = add_disk(tree, "md127", "9:127", "virtual/block");
    tree.files[md + "/md/level"] = "raid5\n";
    tree.files[md + "/md/sync_action"] = "recover\n";
    tree.files[md + "/md/sync_completed"] = "4096 / 65536\n";
    tree.files[md + "/md/dev-sdb1/state"] = "faulty,write_error\n";
    const auto block = only_block(tree);
    STRCMP_EQUAL("recover", block.md->sync_action.c_str());
    STRCMP_EQUAL("4096 / 65536", block.md->sync_completed.c_str());
    CHECK(block.md->faulty == std::vector<std::string>{"sdb1"});
}

TEST(HwReadBlocks, a_partition_has_the_kernels_own_words_on_it) {
    const auto part = add_disk(tree, "cciss!c0d0p1", "104:1", "pci0/block/cciss!c0d0");
    tree.files[part + "/partition"] = "1\n";
    tree.files[part + "/start"] = "2048\n";
    tree.files[part + "/uevent"] = "PARTN=1\nPARTNAME=root\nPARTUUID=AB-1\n";
    const auto block = only_block(tree);
    STRCMP_EQUAL("cciss/c0d0p1", block.name.c_str());
    STRCMP_EQUAL("cciss/c0d0", block.parent.c_str());
    STRCMP_EQUAL("root", block.partition_label.c_str());
    STRCMP_EQUAL("ab-1", block.partition_uuid.c_str());
    CHECK(block.start_bytes == 1u << 20);
}

TEST(HwReadBlocks, what_the_kernels_targets_give_away_is_read) {
    const std::string config = "/sys/kernel/config/";
    tree.files[config + "target/core/iblock_0/disk1/udev_path"] = "/dev/sda\n";
    tree.files[config + "target/core/iblock_0/disk1/enable"] = "1\n";
    tree.files[config + "target/core/alua/lu_gps/default_lu_gp/members"] = "\n";
    tree.files[config + "nvmet/subsystems/nqn.a/namespaces/1/device_path"] = "/dev/sdb\n";
    tree.files[config + "nvmet/subsystems/nqn.a/namespaces/1/enable"] = "1\n";
    tree.files[config + "nvmet/subsystems/nqn.a/namespaces/2/device_path"] = "/dev/sdc\n";
    tree.files[config + "nvmet/subsystems/nqn.a/namespaces/2/enable"] = "0\n";
    CHECK(read_disk_records(tree).exports == (std::vector<std::string>{"/dev/sda", "/dev/sdb"}));
}

TEST(HwReadBlocks, members_of_running_sets_come_from_the_kernels_lists) {
    tree.files["/sys/fs/btrfs/features/raid1c34"] = "0\n";
    tree.links["/sys/fs/btrfs/u-1/devices/cciss!c0d0p1"] = "x";
    tree.links["/sys/fs/btrfs/u-1/devices/sdb"] = "x";
    tree.links["/sys/fs/bcachefs/u-2/dev-0/block"] = "../../../../devices/pci0/block/sdc";
    tree.links["/sys/fs/bcache/u-3/cache0"] = "../../../devices/pci0/block/sdd/bcache";
    tree.links["/sys/fs/bcache/u-3/bdev0"] = "../../../devices/pci0/block/sde/sde1/bcache";
    tree.files["/proc/spl/kstat/zfs/tank/state"] = "ONLINE\n";
    tree.files["/proc/spl/kstat/zfs/arcstats"] = "x\n";
    const auto records = read_disk_records(tree);
    CHECK(records.btrfs.at("u-1") == (std::vector<std::string>{"cciss/c0d0p1", "sdb"}));
    CHECK(records.bcachefs.at("u-2") == std::vector<std::string>{"sdc"});
    CHECK(records.bcache.at("u-3") == (std::vector<std::string>{"sde1", "sdd"}));
    CHECK(records.zfs_pools == std::vector<std::string>{"tank"});
}

namespace {

const BlockRecord& named(const std::vector<BlockRecord>& blocks, const std::string& name) {
    const auto found = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const BlockRecord& one) { return one.name == name; });
    CHECK_TEXT(found != blocks.end(), name.c_str());
    return *found;
}

} // namespace

TEST(HwReadBlocks, a_partition_whose_number_makes_no_sense_is_one_of_its_disk_all_the_same) {
    add_disk(tree, "sda", "8:0", "pci0/block");
    const auto sysfs = add_disk(tree, "sda1", "8:1", "pci0/block/sda");
    std::vector<std::string> warnings;
    for (const char* number : {"", "1048576", "x", "1"}) {
        tree.files[sysfs + "/partition"] = number;
        const auto blocks = read_blocks(tree, warnings);
        STRCMP_EQUAL("sda", named(blocks, "sda1").parent.c_str());
        LONGS_EQUAL(1, named(blocks, "sda1").partition_number);
        CHECK(named(blocks, "sda1").doubt.empty());
        CHECK(!named(blocks, "sda").is_partition());
    }
    // Not even the attribute: the folder that it stands in, or the kernel's event.
    tree.files.erase(sysfs + "/partition");
    CHECK(named(read_blocks(tree, warnings), "sda1").is_partition());
    tree.files[sysfs + "/uevent"] = "DEVTYPE=disk\n";
    CHECK(!named(read_blocks(tree, warnings), "sda1").is_partition());
}

TEST(HwReadBlocks, below_a_controller_or_an_emmc_stands_a_disk) {
    tree.files["/sys/devices/pci0/nvme0/dev"] = "243:0\n";
    add_disk(tree, "nvme0n1", "259:0", "pci0/nvme0");
    add_disk(tree, "mmcblk0", "179:0", "mmc0/block");
    add_disk(tree, "mmcblk0boot0", "179:8", "mmc0/block/mmcblk0");
    std::vector<std::string> warnings;
    for (const auto& block : read_blocks(tree, warnings)) CHECK(!block.is_partition());
}

TEST(HwReadBlocks, a_partition_outside_its_disks_folder_goes_by_its_name_or_is_doubtful) {
    tree.files["/sys/class/block/nvme0n1p2/dev"] = "259:2\n";
    tree.files["/sys/class/block/nvme0n1p2/partition"] = "2\n";
    tree.files["/sys/class/block/odd/dev"] = "250:1\n";
    tree.files["/sys/class/block/odd/uevent"] = "DEVTYPE=partition\n";
    std::vector<std::string> warnings;
    auto blocks = read_blocks(tree, warnings);
    for (const char* name : {"nvme0n1p2", "odd"})
        CHECK(named(blocks, name).doubt.find("what it is a part of") != std::string::npos);
    add_disk(tree, "nvme0n1", "259:0", "pci0/nvme0");
    tree.files.erase("/sys/class/block/nvme0n1p2/partition");
    blocks = read_blocks(tree, warnings);
    STRCMP_EQUAL("nvme0n1", named(blocks, "nvme0n1p2").parent.c_str());
    CHECK(named(blocks, "nvme0n1p2").doubt.empty());
}

TEST(HwReadBlocks, a_start_that_no_disk_reaches_is_no_start) {
    add_disk(tree, "sda", "8:0", "pci0/block");
    const auto sysfs = add_disk(tree, "sda1", "8:1", "pci0/block/sda");
    tree.files[sysfs + "/partition"] = "1";
    std::vector<std::string> warnings;
    tree.files[sysfs + "/start"] = "2048";
    CHECK(named(read_blocks(tree, warnings), "sda1").has_start);
    tree.files[sysfs + "/start"] = "36028797018963967";
    const auto part = named(read_blocks(tree, warnings), "sda1");
    CHECK(!part.has_start);
    CHECK(part.start_bytes == 0);
    CHECK(warns(part.warnings, "where it starts"));
}

TEST(HwReadBlocks, a_disk_whose_layers_do_not_fit_together_is_doubtful) {
    std::vector<std::string> warnings;
    const auto doubt_of = [&](const std::string& name) {
        return named(read_blocks(tree, warnings), name).doubt;
    };
    const auto sda = add_disk(tree, "sda", "8:0", "pci0/block");
    const auto sda1 = add_disk(tree, "sda1", "8:1", "pci0/block/sda");
    const auto bcache = add_disk(tree, "bcache0", "252:0", "virtual/block");
    tree.files[sda1 + "/holders/bcache0/x"] = "";
    tree.files[bcache + "/slaves/sda1/x"] = "";
    for (const char* name : {"sda", "sda1", "bcache0"}) STRCMP_EQUAL("", doubt_of(name).c_str());
    tree.files[sda1 + "/holders/dm-9/x"] = "";
    CHECK(doubt_of("sda").find("dm-9 holds sda1") != std::string::npos);
    tree.files.erase(sda1 + "/holders/dm-9/x");
    tree.files[sda + "/holders/sda/x"] = "";
    CHECK(!doubt_of("sda").empty());
    tree.files.erase(sda + "/holders/sda/x");
    tree.files[sda + "/slaves/bcache0/x"] = ""; // each is made of the other
    tree.files.erase(bcache + "/slaves/sda1/x");
    tree.files[bcache + "/slaves/sda/x"] = "";
    CHECK(!doubt_of("sda").empty());
    CHECK(!doubt_of("bcache0").empty());
}

TEST(HwReadBlocks, an_array_of_which_nothing_can_be_read_is_no_disk) {
    std::vector<std::string> warnings;
    const auto sysfs = add_disk(tree, "md0", "9:0", "virtual/block");
    CHECK(named(read_blocks(tree, warnings), "md0").doubt.find("array") != std::string::npos);
    tree.files[sysfs + "/md/level"] = "raid1";
    STRCMP_EQUAL("", named(read_blocks(tree, warnings), "md0").doubt.c_str());
}
