#include <algorithm>
#include <string>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
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

bool is_blank(const facts::Disk& disk) {
    return facts::judge(disk).contents == facts::Contents::kBlank;
}

facts::Disk only_disk(const DiskRecords& records) {
    return make_disks(records).at(0);
}

DiskRecords one_disk() {
    return machine_of({disk_block("sda", "8:0")});
}

} // namespace

TEST_GROUP(HwDisks){};

TEST(HwDisks, a_disk_that_was_read_in_full_and_holds_nothing_is_blank_and_usable) {
    const auto disk = only_disk(one_disk());
    CHECK(is_blank(disk));
    CHECK(facts::judge(disk).refusals.empty());
    CHECK(disk.warnings.empty());
}

TEST(HwDisks, a_disk_that_nobody_read_is_not_blank) {
    auto records = one_disk();
    records.contents.clear();
    CHECK(!only_disk(records).holds.has_value());
}

TEST(HwDisks, a_disk_that_could_not_be_read_in_full_is_not_blank_and_says_so) {
    auto records = one_disk();
    records.contents["sda"].is_complete = false;
    records.contents["sda"].problem = "Input/output error";
    const auto disk = only_disk(records);
    CHECK(!disk.holds.has_value());
    CHECK(join(disk.warnings, ";").find("Input/output error") != std::string::npos);
}

TEST(HwDisks, a_disk_that_cannot_be_opened_alone_is_not_blank_and_is_refused) {
    auto records = one_disk();
    records.contents["sda"].exclusive = Exclusive::kBusy;
    const auto disk = only_disk(records);
    CHECK(!disk.holds.has_value());
    CHECK(disk.unusable.find("in use") != std::string::npos);
    records.contents["sda"].exclusive = Exclusive::kUnknown;
    CHECK(!only_disk(records).holds.has_value());
}

TEST(HwDisks, with_mounts_unknown_nothing_is_blank) {
    auto records = one_disk();
    records.usage.is_complete = false;
    CHECK(!only_disk(records).holds.has_value());
}

TEST(HwDisks, a_mount_outranks_what_was_recognised) {
    auto records = one_disk();
    records.usage.mounts = {{"8:0", "/mnt", "ext4", "/dev/sda", {}}};
    const auto disk = only_disk(records);
    CHECK(disk.mounted);
    CHECK(!is_blank(disk));
}

TEST(HwDisks, a_mount_in_another_namespace_is_listed_with_its_process) {
    auto records = one_disk();
    records.usage.mounts = {{"8:0", "/mnt", "ext4", "/dev/sda", 4711}};
    const auto disk = only_disk(records);
    CHECK(disk.mounted);
    LONGS_EQUAL(4711, disk.mounts.at(0).pid.value_or(0));
}

TEST(HwDisks, a_swap_in_use_is_seen_through_the_mapper) {
    auto records = machine_of(
        {disk_block("sda", "8:0"), map_block("dm-0", "254:0", "vg0-swap", "LVM-x", {"sda"})});
    records.usage.swaps = {"/dev/mapper/vg0-swap"};
    CHECK(named(make_disks(records), "sda").swap);
}

TEST(HwDisks, a_partition_the_kernel_has_is_listed_with_what_it_holds) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    records.contents["sda"].tables = {{"gpt", "t-1", 512, false}};
    TablePartition table;
    table.number = 1;
    table.start_bytes = 1u << 20;
    table.size_bytes = 1u << 20;
    table.label = "data";
    table.type = "0fc63daf-8483-4772-8e79-3d69d8477de4";
    records.contents["sda"].partitions = {table};
    records.contents["sda1"] = content_with("filesystem", "ext4", "olddata", "u-1");
    const auto disk = only_disk(records);
    LONGS_EQUAL(1, disk.partitions.size());
    STRCMP_EQUAL("data", disk.partitions[0].label.c_str());
    STRCMP_EQUAL("/dev/sda1", disk.partitions[0].path.c_str());
    STRCMP_EQUAL("olddata", disk.partitions[0].holds->at(0).label.c_str());
    LONGS_EQUAL(2, disk.holds->size());
    CHECK(!is_blank(disk));
}

TEST(HwDisks, a_partition_the_table_alone_has_is_listed_at_its_place) {
    auto records = one_disk();
    records.contents["sda"].tables = {{"gpt", "t-1", 67108352, true}};
    TablePartition table;
    table.number = 1;
    table.start_bytes = 1u << 20;
    table.size_bytes = 1u << 20;
    table.signatures = {{"filesystem", "ext4", "olddata", "", 1080, "", ""}};
    records.contents["sda"].partitions = {table};
    const auto disk = only_disk(records);
    LONGS_EQUAL((1u << 20) + 1080, *disk.partitions.at(0).holds->at(0).offset_bytes);
    STRCMP_EQUAL("gpt (backup only)", disk.holds->at(0).type.c_str());
}

TEST(HwDisks, an_empty_partition_is_proved_blank_and_its_disk_is_not) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    const auto disk = only_disk(records);
    CHECK(disk.partitions.at(0).holds.has_value());
    CHECK(disk.partitions.at(0).holds->empty());
    CHECK(!is_blank(disk));
}

TEST(HwDisks, a_partition_that_could_not_be_read_is_unknown) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    records.contents["sda1"].is_complete = false;
    CHECK(!only_disk(records).partitions.at(0).holds.has_value());
}

TEST(HwDisks, the_free_tail_is_what_is_left_behind_the_last_partition) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    LONGLONGS_EQUAL((64ll << 30) - (2ll << 20) - (1ll << 20),
                    static_cast<long long>(only_disk(records).free_tail_bytes.value_or(0)));
    CHECK(!only_disk(one_disk()).free_tail_bytes.has_value());
}

TEST(HwDisks, where_there_may_be_more_partitions_than_are_listed_no_tail_is_free) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    CHECK(only_disk(records).free_tail_bytes.has_value());
    auto hybrid = records;
    hybrid.contents["sda"].tables = {{"gpt", "t-1", 512, false}, {"dos (hybrid)", "", 510, false}};
    CHECK(!only_disk(hybrid).free_tail_bytes.has_value());
    STRCMP_EQUAL("dos (hybrid)", only_disk(hybrid).holds->at(1).type.c_str());
    for (int i = 1; i <= 257; ++i) {
        TablePartition one;
        one.number = i;
        one.start_bytes = static_cast<std::uint64_t>(i) << 20;
        one.size_bytes = 1u << 20;
        records.contents["sda"].partitions.push_back(one);
    }
    const auto disk = only_disk(records);
    CHECK(!disk.free_tail_bytes.has_value());
    LONGS_EQUAL(256, disk.partitions.size());
    CHECK(join(disk.warnings, ";").find("partitions") != std::string::npos);
}

TEST(HwDisks, behind_a_partition_past_the_disks_end_no_tail_is_free) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    records.blocks[1].size_bytes = 65ull << 30;
    CHECK(!only_disk(records).free_tail_bytes.has_value());
    records.blocks[1].start_bytes = ~0ull - 511;
    CHECK(!only_disk(records).free_tail_bytes.has_value());
}

TEST(HwDisks, a_device_that_nobody_can_place_is_shown_unusable_and_never_blank) {
    auto records = machine_of({partition_block("sda", 1, "8:1")});
    CHECK(make_disks(records).empty());
    records.blocks[0].parent.clear();
    records.blocks[0].doubt = "the kernel does not say what it is a part of";
    const auto disk = only_disk(records);
    CHECK(disk.unusable.find("what it is a part of") != std::string::npos);
    CHECK(!is_blank(disk));
}

TEST(HwDisks, a_partition_whose_place_is_out_of_range_has_none_and_leaves_no_tail) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    TablePartition odd;
    odd.number = 2;
    odd.start_bytes = ~0ull - 511;
    odd.size_bytes = 1u << 20;
    records.contents["sda"].partitions = {odd};
    const auto disk = only_disk(records);
    CHECK(!disk.free_tail_bytes.has_value());
    for (const auto& one : disk.partitions)
        if (one.number == 2) LONGS_EQUAL(0, one.start_bytes + one.size_bytes);
    CHECK(join(disk.warnings, ";").find("partition 2 stands where no disk") != std::string::npos);
    records.contents["sda"].partitions.clear();
    CHECK(only_disk(records).free_tail_bytes.has_value());
    records.blocks[1].has_start = false;
    CHECK(!only_disk(records).free_tail_bytes.has_value());
}

TEST(HwDisks, an_array_ties_its_disks_together) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"),
                               disk_block("sdc", "8:32"), md_block("md0", "9:0", {"sda", "sdb"})});
    const auto disks = make_disks(records);
    CHECK(named(disks, "sda").closure == std::vector<std::string>{"/dev/sdb"});
    CHECK(named(disks, "sdb").closure == std::vector<std::string>{"/dev/sda"});
    CHECK(named(disks, "sdc").closure.empty());
    CHECK(!is_blank(named(disks, "sda")));
    STRCMP_EQUAL("md", named(disks, "sda").stack.at(0).kind.c_str());
}

TEST(HwDisks, an_array_that_nobody_assembled_ties_its_disks_by_its_uuid) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    for (const char* name : {"sda", "sdb"})
        records.contents[name] = content_with("raid", "linux_raid_member", "box:0", "array-1");
    CHECK(make_disks(records).at(0).closure == std::vector<std::string>{"/dev/sdb"});
}

TEST(HwDisks, a_volume_group_that_nobody_activated_ties_its_disks_by_its_uuid) {
    auto records = machine_of(
        {disk_block("sda", "8:0"), disk_block("sdb", "8:16"), disk_block("sdc", "8:32")});
    for (const char* name : {"sda", "sdb", "sdc"}) {
        records.contents[name] = content_with("raid", "LVM2_member", "", std::string("pv-") + name);
        // Two groups of one name: the uuid tells them apart.
        records.contents[name].signatures[0].group = "vg0";
        records.contents[name].signatures[0].group_uuid =
            std::string(name) == "sdc" ? "group-2" : "group-1";
    }
    const auto disks = make_disks(records);
    CHECK(named(disks, "sda").closure == std::vector<std::string>{"/dev/sdb"});
    CHECK(named(disks, "sdc").closure.empty());
    STRCMP_EQUAL("vg0", named(disks, "sda").holds->at(0).label.c_str());
}

TEST(HwDisks, every_member_of_a_mounted_btrfs_is_mounted) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    records.btrfs["u-1"] = {"sda", "sdb"};
    records.usage.mounts = {{"0:40", "/mnt", "btrfs", "/dev/sda", {}}};
    const auto disks = make_disks(records);
    CHECK(named(disks, "sda").mounted);
    CHECK(named(disks, "sdb").mounted);
    CHECK(named(disks, "sdb").closure == std::vector<std::string>{"/dev/sda"});
}

TEST(HwDisks, every_member_of_a_mounted_pool_is_mounted) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    records.contents["sda"] = content_with("filesystem", "zfs_member", "tank", "1");
    records.contents["sdb"] = content_with("filesystem", "zfs_member", "tank", "1");
    records.usage.mounts = {{"0:41", "/tank/data", "zfs", "tank/data", {}}};
    for (const auto& disk : make_disks(records)) CHECK(disk.mounted);
}

TEST(HwDisks, a_multipath_map_is_the_disk_and_its_paths_are_refused_with_its_key) {
    auto paths = std::vector{disk_block("sda", "8:0"), disk_block("sdb", "8:16")};
    for (auto& path : paths) path.scsi->wwid = "naa.600000000000000000000000000012aa";
    auto map = map_block("dm-0", "254:0", "mpatha", "mpath-3600000000000000000000000000012aa",
                         {"sda", "sdb"});
    auto part = map_block("dm-1", "254:1", "mpatha-part1",
                          "part1-mpath-3600000000000000000000000000012aa", {"dm-0"});
    const auto disks = make_disks(machine_of({paths[0], paths[1], map, part}));
    const auto& disk = named(disks, "dm-0");
    LONGS_EQUAL(3, disks.size());
    CHECK(facts::judge(disk).refusals.empty());
    LONGS_EQUAL(1, disk.partitions.size());
    LONGS_EQUAL(1, disk.partitions[0].number);
    CHECK(disk.stack.empty());
    CHECK(disk.closure.empty());
    for (const char* name : {"sda", "sdb"}) {
        CHECK(named(disks, name).unusable.find("mpatha") != std::string::npos);
        CHECK(named(disks, name).unusable.find("0x600000000000000000000000000012aa") !=
              std::string::npos);
    }
}

TEST(HwDisks, two_paths_without_a_map_are_refused_for_want_of_a_key) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    for (auto& block : records.blocks) block.scsi->wwid = "naa.5000c500a1b2c399";
    for (const auto& disk : make_disks(records)) CHECK(!facts::judge(disk).refusals.empty());
}

TEST(HwDisks, the_root_the_state_partition_our_esp_and_the_install_record_make_a_system_disk) {
    auto mounted = one_disk();
    mounted.usage.mounts = {{"8:0", "/", "ext4", "/dev/sda", {}}};
    CHECK(only_disk(mounted).system);

    auto named_partition = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    named_partition.blocks[1].partition_label = "stratum-state";
    CHECK(only_disk(named_partition).system);
    named_partition.blocks[1].partition_label = "stratum-esp";
    CHECK(!only_disk(named_partition).system); // the name without the type is not ours

    auto recorded = one_disk();
    recorded.install_record = facts::InstallRecord{"1", "whole-disk", {"0x5000c500a1b2c310"}, ""};
    CHECK(only_disk(recorded).system);
    CHECK(!only_disk(one_disk()).system);
}

TEST(HwDisks, a_root_of_another_namespace_is_not_ours) {
    auto records = one_disk();
    records.usage.mounts = {{"8:0", "/", "ext4", "/dev/sda", 4711}};
    CHECK(!only_disk(records).system);
    CHECK(only_disk(records).mounted);
}

TEST(HwDisks, the_medium_the_machine_was_booted_from_is_refused) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    TablePartition table;
    table.number = 1;
    table.start_bytes = 1u << 20;
    table.uuid = "ab78090f-0aa2-c848-a080-5c3bd91fe7e7";
    records.contents["sda"].partitions = {table};
    records.boot_partition_uuid = "AB78090F-0aa2-c848-a080-5c3bd91fe7e7";
    CHECK(only_disk(records).unusable.find("runs from") != std::string::npos);
    CHECK(only_disk(records).system);
    records.blocks[0].sysfs = "/sys/devices/pci0/usb1/1-1/host6/block/sda";
    CHECK(only_disk(records).unusable.find("runs from") != std::string::npos);
    CHECK(!only_disk(records).system);
}

TEST(HwDisks, a_disk_in_one_stack_with_the_system_is_refused) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1"),
                               disk_block("sdb", "8:16"), md_block("md0", "9:0", {"sda", "sdb"})});
    records.blocks[1].partition_label = "stratum-state";
    CHECK(named(make_disks(records), "sdb").unusable.find("/dev/sda") != std::string::npos);
}

TEST(HwDisks, a_layer_that_a_program_holds_open_is_said_to_be_open) {
    auto records =
        machine_of({disk_block("sda", "8:0"), map_block("dm-0", "254:0", "vg0-a", "LVM-x", {"sda"}),
                    map_block("dm-1", "254:1", "crypt0", "CRYPT-LUKS2-x", {"dm-0"})});
    records.contents["dm-0"].dm_open_count = 1; // the map above it
    records.contents["dm-1"].dm_open_count = 0;
    auto disk = named(make_disks(records), "sda");
    LONGS_EQUAL(2, disk.stack.size());
    STRCMP_EQUAL("crypt0", disk.stack[0].name.c_str()); // what has to go first
    CHECK(disk.stack[0].open == false);
    CHECK(disk.stack[1].open == false);
    records.contents["dm-1"].dm_open_count = 1;
    disk = named(make_disks(records), "sda");
    CHECK(disk.stack[0].open == true);
    CHECK(!facts::judge(disk).refusals.empty());
}

TEST(HwDisks, a_degraded_array_names_the_members_it_gave_up) {
    auto records = machine_of({disk_block("sda", "8:0"), md_block("md0", "9:0", {"sda"})});
    records.blocks[1].md->degraded = 1;
    records.blocks[1].md->faulty = {"sdb1"};
    const auto disk = named(make_disks(records), "sda");
    CHECK(disk.stack.at(0).degraded == true);
    CHECK(disk.stack.at(0).failed == std::vector<std::string>{"sdb1"});
}

TEST(HwDisks, what_udev_saw_is_heard_where_nobody_could_look_and_proves_nothing) {
    auto records = one_disk();
    records.contents.clear();
    records.is_probed = false;
    records.blocks[0].udev = UdevRecord{{}, {{"ID_FS_TYPE", "ext4"}, {"ID_FS_LABEL", "old"}}};
    CHECK(only_disk(records).holds->at(0).label == "old");
    // After a wipe udev may still remember: what was read counts.
    records.contents["sda"] = blank_content();
    CHECK(is_blank(only_disk(records)));
}

TEST(HwDisks, bytes_that_are_no_text_cost_themselves_and_nothing_else) {
    const std::string odd = "a\xff\xfe";
    auto loop = disk_block("loop0", "7:0");
    loop.backing_file = "/data/" + odd;
    auto array = md_block("md0", "9:0", {"sda"});
    array.md->level = array.md->uuid = odd;
    array.md->faulty = {odd};
    auto records =
        machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1"), array,
                    map_block("dm-0", "254:0", "vg-" + odd, "LVM-" + odd, {"sda1"}), loop});
    records.blocks[0].scsi->vendor = records.blocks[0].scsi->model = odd;
    records.blocks[0].scsi->state = odd;
    records.blocks[1].partition_label = odd;
    records.blocks[0].udev = UdevRecord{{"disk/by-id/ata-" + odd}, {{"ID_SERIAL_SHORT", odd}}};
    records.contents["sda1"] = content_with("filesystem", odd, odd, odd);
    records.contents["sda1"].problem = odd;
    records.contents["md0"] = content_with("raid", "LVM2_member", odd, odd);
    records.contents["md0"].signatures[0].group = records.contents["md0"].signatures[0].group_uuid =
        odd;
    records.contents["loop0"].writer = Writer{1, odd};
    records.usage.mounts = {{"8:1", "/" + odd, odd, odd, {}}};
    facts::Inventory inventory;
    inventory.disks = make_disks(records);
    Findings findings;
    const auto back = facts::read_inventory(facts::to_node(inventory), {}, findings);
    CHECK(findings.empty());
    CHECK(back.disks == inventory.disks); // nothing had to be mended on the way
    CHECK(named(inventory.disks, "sda").mounted);
}

TEST(HwDisks, a_text_is_no_longer_than_the_api_takes) {
    auto loop = disk_block("loop0", "7:0");
    loop.backing_file = "/" + std::string(4095, 'b');
    auto records = machine_of({loop});
    records.usage.mounts = {{"7:0", "/" + std::string(8000, '\xff'), "ext4", "", {}}};
    facts::Inventory inventory;
    inventory.disks = make_disks(records);
    Findings findings;
    (void)facts::read_inventory(facts::to_node(inventory), {}, findings);
    CHECK(findings.empty());
}

TEST(HwDisks, what_could_not_be_read_is_said_beside_what_was_found) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1"),
                               map_block("dm-0", "254:0", "vg0-a", "LVM-x", {"sda1"})});
    records.contents["sda1"] = content_with("filesystem", "ext4", "old");
    CHECK(only_disk(records).warnings.empty());
    for (const char* name : {"sda", "sda1", "dm-0"}) {
        auto hurt = records;
        hurt.contents[name].is_complete = false;
        hurt.contents[name].problem = "Input/output error";
        const auto words = join(only_disk(hurt).warnings, ";");
        CHECK_TEXT(words.find(std::string("/dev/") + name + " holds is not known") !=
                       std::string::npos,
                   words.c_str());
    }
}

TEST(HwDisks, a_removable_disk_of_a_hot_swap_bay_is_usable_with_a_note) {
    auto records = one_disk();
    records.blocks[0].removable = true;
    CHECK(facts::judge(only_disk(records)).refusals.empty());
    CHECK(join(only_disk(records).warnings, ";").find("removable") != std::string::npos);
}

TEST(HwDisks, a_read_only_disk_costs_only_itself) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    records.blocks[1].read_only = true;
    const auto disks = make_disks(records);
    CHECK(facts::judge(named(disks, "sda")).refusals.empty());
    CHECK(join(facts::judge(named(disks, "sdb")).refusals, ";").find("read-only") !=
          std::string::npos);
}

TEST(HwDisks, a_maps_partitions_are_found_by_their_uuid_however_they_are_called) {
    for (const char* spelling : {"mpatha1", "mpatha-part1", "mpathap1"}) {
        auto map = map_block("dm-0", "254:0", "mpatha", "mpath-3600000000000000000000000000000aa",
                             {"sda", "sdb"});
        auto part = map_block("dm-1", "254:1", spelling,
                              "part1-mpath-3600000000000000000000000000000aa", {"dm-0"});
        const auto disks = make_disks(
            machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"), map, part}));
        const auto& disk = named(disks, "dm-0");
        CHECK(disk.paths == (std::vector<std::string>{"sda", "sdb"}));
        LONGS_EQUAL(1, disk.partitions.size());
        LONGS_EQUAL(1, disk.partitions[0].number);
        LONGS_EQUAL(1, std::count_if(disks.begin(), disks.end(), [](const auto& one) {
                        return facts::judge(one).refusals.empty();
                    }));
        const auto by_path = facts::find_disk(disks, facts::best_key(named(disks, "sda")));
        CHECK(by_path &&
              facts::judge(**by_path).refusals.at(0).find("mpatha: use") != std::string::npos);
    }
}

TEST(HwDisks, a_path_that_does_not_work_is_told_of_the_disk) {
    auto map = map_block("dm-0", "254:0", "mpatha", "mpath-3600000000000000000000000000000aa",
                         {"sda", "sdb"});
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"), map});
    for (auto& block : records.blocks)
        if (block.scsi) block.scsi->state = "running";
    const auto words = [&] { return join(named(make_disks(records), "dm-0").warnings, ";"); };
    STRCMP_EQUAL("", words().c_str());
    records.contents["dm-0"].dm_status = "2 0 0 0 1 1 A 0 2 1 8:0 A 0 1 8:16 F 1 1";
    STRCMP_EQUAL("the path sdb to it does not work: it is failed", words().c_str());
    records.blocks[0].scsi->state = "offline";
    CHECK(words().find("the path sda to it does not work: it is offline") != std::string::npos);
}

TEST(HwDisks, a_namespace_with_several_ways_is_one_disk) {
    BlockRecord head;
    head.name = "nvme0n2";
    head.dev = "259:1";
    head.size_bytes = 64ull << 30;
    head.nvme = NvmeRecord{"Disk", "S1", "eui.0025385b01234567", 2};
    std::vector<BlockRecord> blocks = {head};
    for (const char* name : {"nvme0c0n2", "nvme0c1n2", "nvme0c0n1", "nvme1c0n2"}) {
        BlockRecord path;
        path.name = name;
        path.hidden = true;
        path.nvme = NvmeRecord{"Disk", "S1", "eui.0025385b01234567", 2, "live"};
        blocks.push_back(path);
    }
    const auto disks = make_disks(machine_of(blocks));
    LONGS_EQUAL(1, disks.size());
    CHECK(disks[0].paths == (std::vector<std::string>{"nvme0c0n2", "nvme0c1n2"}));
    CHECK(facts::judge(disks[0]).refusals.empty());
    LONGS_EQUAL(1, probe_targets(blocks).size());
}

TEST(HwDisks, behind_a_whole_disk_that_is_claimed_nothing_is_free) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1"),
                               md_block("md0", "9:0", {"sda"})});
    CHECK(!only_disk(records).free_tail_bytes.has_value());
    records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    CHECK(only_disk(records).free_tail_bytes.has_value());
    records.contents["sda"].signatures = {
        {"raid", "linux_raid_member", "", "u-1", (64ull << 30) - 8192, "", ""}};
    CHECK(!only_disk(records).free_tail_bytes.has_value());
}

TEST(HwDisks, a_disk_whose_size_could_not_be_read_is_said_to_be_just_that) {
    auto records = one_disk();
    records.blocks[0].has_size = false;
    records.blocks[0].size_bytes = 0;
    CHECK(only_disk(records).unusable.find("size could not be read") != std::string::npos);
}

TEST(HwDisks, an_array_says_what_it_is_busy_with) {
    auto records = machine_of({disk_block("sda", "8:0"), md_block("md0", "9:0", {"sda"})});
    records.blocks[1].md->sync_action = "recover";
    records.blocks[1].md->sync_completed = "4096 / 65536";
    auto layer = only_disk(records).stack.at(0);
    STRCMP_EQUAL("recover", layer.sync.c_str());
    LONGS_EQUAL(6, layer.sync_percent.value_or(-1));
    records.blocks[1].md->sync_action = "idle";
    CHECK(only_disk(records).stack.at(0).sync.empty());
    CHECK(!only_disk(records).stack.at(0).sync_percent.has_value());
}

TEST(HwDisks, lvms_raid_names_the_leg_that_died) {
    auto records = machine_of({disk_block("sda", "8:0"),
                               map_block("dm-0", "254:0", "vg0-a_rimage_0", "LVM-x", {"sda"}),
                               map_block("dm-1", "254:1", "vg0-a_rimage_1", "LVM-y", {"sda"}),
                               map_block("dm-2", "254:2", "vg0-a", "LVM-z", {"dm-0", "dm-1"})});
    records.contents["dm-2"].dm_target = "raid";
    records.contents["dm-2"].dm_status = "raid1 2 AD 32768/131072 recover 0 0 -";
    const auto layer = only_disk(records).stack.at(0);
    STRCMP_EQUAL("vg0-a", layer.name.c_str());
    STRCMP_EQUAL("raid1", layer.level.c_str());
    CHECK(layer.degraded == true);
    CHECK(layer.failed == std::vector<std::string>{"vg0-a_rimage_1"});
    LONGS_EQUAL(25, layer.sync_percent.value_or(-1));
}

TEST(HwDisks, kinds_of_maps_are_told_by_uuid_or_target) {
    const auto kind_of = [](const std::string& uuid, const std::string& target) {
        auto records =
            machine_of({disk_block("sda", "8:0"), map_block("dm-0", "254:0", "x", uuid, {"sda"})});
        records.contents["dm-0"].dm_target = target;
        return only_disk(records).stack.at(0).kind;
    };
    STRCMP_EQUAL("integrity", kind_of("CRYPT-INTEGRITY-x", "integrity").c_str());
    STRCMP_EQUAL("integrity", kind_of("", "integrity").c_str());
    STRCMP_EQUAL("verity", kind_of("CRYPT-VERITY-x", "verity").c_str());
    STRCMP_EQUAL("crypt", kind_of("CRYPT-LUKS2-x", "crypt").c_str());
    STRCMP_EQUAL("other", kind_of("", "linear").c_str());
}

TEST(HwDisks, targets_leave_out_what_must_not_be_read) {
    auto empty = disk_block("sdb", "8:16");
    empty.size_bytes = 0;
    auto floppy = disk_block("fd0", "2:0");
    auto hidden = disk_block("sdc", "8:32");
    hidden.hidden = true;
    const auto targets = probe_targets({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1"),
                                        empty, floppy, hidden, disk_block("sdd", "8:48")});
    LONGS_EQUAL(3, targets.size());
    CHECK(!targets[0].reads_partitions); // the kernel has them
    CHECK(targets[2].reads_partitions);
}

TEST(HwDisks, lists_are_no_longer_than_the_api_takes) {
    auto records = one_disk();
    for (int i = 0; i < 300; ++i)
        records.contents["sda"].signatures.push_back(
            {"filesystem", "ext4", "fs" + std::to_string(i), "", 1080, "", ""});
    const auto disk = only_disk(records);
    LONGS_EQUAL(256, disk.holds->size());
    CHECK(!disk.warnings.empty());
}
