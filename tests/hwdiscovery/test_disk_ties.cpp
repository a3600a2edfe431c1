#include <algorithm>
#include <string>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/disks.hpp"
#include "tests/hwdiscovery/block_records.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

using Names = std::vector<std::string>;

const facts::Disk& named(const std::vector<facts::Disk>& disks, const std::string& name) {
    const auto found = std::find_if(disks.begin(), disks.end(),
                                    [&](const auto& disk) { return disk.name == name; });
    CHECK_TEXT(found != disks.end(), name.c_str());
    return *found;
}

bool warns(const facts::Disk& disk, const std::string& words) {
    return join(disk.warnings, ";").find(words) != std::string::npos;
}

ContentRecord member_of_group(const std::string& name, const std::string& uuid) {
    auto content = content_with("raid", "LVM2_member", "", "pv-" + uuid + name);
    content.signatures[0].group = name;
    content.signatures[0].group_uuid = uuid;
    return content;
}

// Intel firmware RAID: a container without a size over two disks, and a volume in it.
std::vector<BlockRecord> intel_raid() {
    auto container = md_block("md127", "9:127", {"sda", "sdb"});
    container.size_bytes = 0;
    container.md =
        MdRecord{"", "00000000-0000-0000-0000-000000000000", "external:imsm", "inactive", {}, {}};
    auto volume = md_block("md126", "9:126", {"sda", "sdb"});
    volume.md = MdRecord{"raid1", "v-uuid", "external:/md127/0", "clean", 0, {}};
    return {disk_block("sda", "8:0"), disk_block("sdb", "8:16"), volume, container};
}

// One LUN as sda and as sdb, and no map over it; sdc is another.
DiskRecords two_ways() {
    auto records = machine_of(
        {disk_block("sda", "8:0"), disk_block("sdb", "8:16"), disk_block("sdc", "8:32")});
    records.blocks[1].scsi->wwid = "naa.5000C500A1B2C310";
    return records;
}

} // namespace

TEST_GROUP(HwDiskTies){};

TEST(HwDiskTies, a_group_that_stands_on_an_array_ties_the_arrays_disks_to_the_groups) {
    // md0 over sda and sdb is a volume of a group that sdc is in too; nothing of it is active.
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"),
                               disk_block("sdc", "8:32"), md_block("md0", "9:0", {"sda", "sdb"})});
    records.contents["md0"] = member_of_group("vg0", "g-1");
    records.contents["sdc"] = member_of_group("vg0", "g-1");
    const auto disks = make_disks(records);
    CHECK(named(disks, "sda").closure == (Names{"/dev/sdb", "/dev/sdc"}));
    CHECK(named(disks, "sdc").closure == (Names{"/dev/sda", "/dev/sdb"}));
}

TEST(HwDiskTies, a_neighbours_other_neighbour_loses_nothing) {
    // sdb is in an array with sda and, by another partition, in one with sdc.
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"),
                               partition_block("sdb", 1, "8:17"), partition_block("sdb", 2, "8:18"),
                               disk_block("sdc", "8:32"), md_block("md0", "9:0", {"sda", "sdb1"}),
                               md_block("md1", "9:1", {"sdb2", "sdc"})});
    const auto disks = make_disks(records);
    CHECK(named(disks, "sda").closure == Names{"/dev/sdb"});
    CHECK(named(disks, "sdb").closure == (Names{"/dev/sda", "/dev/sdc"}));
}

TEST(HwDiskTies, two_groups_of_one_name_are_told_apart_and_said) {
    auto records = machine_of(
        {disk_block("sda", "8:0"), disk_block("sdb", "8:16"), disk_block("sdc", "8:32"),
         map_block("dm-0", "254:0", "vg0-root",
                   "LVM-aaaaaabbbbccccddddeeeeffffgggggg0123456789abcdef0123456789abcdef",
                   {"sda"})});
    records.contents["sda"] = member_of_group("vg0", "aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg");
    records.contents["sdb"] = member_of_group("vg0", "other0-0000-0000-0000-0000-0000-000000");
    records.contents["sdc"] = member_of_group("vg1", "third0-0000-0000-0000-0000-0000-000000");
    const auto disks = make_disks(records);
    CHECK(named(disks, "sda").closure.empty());
    STRCMP_EQUAL("aaaaaa-bbbb-cccc-dddd-eeee-ffff-gggggg",
                 named(disks, "sda").stack.at(0).group_uuid.c_str());
    CHECK(warns(named(disks, "sda"), "2 LVM volume groups named vg0"));
    CHECK(warns(named(disks, "sda"), "other0-0000"));
    CHECK(warns(named(disks, "sdb"), "aaaaaa-bbbb"));
    CHECK(named(disks, "sdc").warnings.empty());
}

TEST(HwDiskTies, a_physical_volume_without_metadata_is_tied_by_what_another_says) {
    auto records = machine_of(
        {disk_block("sda", "8:0"), disk_block("sdb", "8:16"), disk_block("sdc", "8:32")});
    records.contents["sda"] = member_of_group("vg0", "g-1");
    records.contents["sda"].signatures[0].group_members = {"pv-a", "pv-b"};
    records.contents["sdb"] = content_with("raid", "LVM2_member", "", "pv-b");
    records.contents["sdc"] = content_with("raid", "LVM2_member", "", "pv-c");
    const auto disks = make_disks(records);
    CHECK(named(disks, "sdb").closure == Names{"/dev/sda"});
    CHECK(named(disks, "sdc").closure.empty());
}

TEST(HwDiskTies, one_osds_devices_are_tied_by_its_uuid) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    for (const char* name : {"sda", "sdb"})
        records.contents[name] = content_with("other", "ceph_bluestore", "", "osd-uuid");
    CHECK(make_disks(records).at(0).closure == Names{"/dev/sdb"});
}

TEST(HwDiskTies, a_container_array_is_listed_with_its_reason_and_ties_no_one_itself) {
    const auto disks = make_disks(machine_of(intel_raid()));
    LONGS_EQUAL(3, disks.size());
    const auto& container = named(disks, "md127");
    STRCMP_EQUAL("is a container array (imsm), no disk: its disks are sda, sdb, its volumes md126",
                 container.unusable.c_str());
    CHECK(container.closure.empty());
    CHECK(!container.holds.has_value());
    CHECK(named(disks, "sda").closure == Names{"/dev/sdb"});
}

TEST(HwDiskTies, a_volume_comes_before_its_container_in_the_order_to_take_down) {
    const auto disks = make_disks(machine_of(intel_raid()));
    const auto& stack = named(disks, "sda").stack;
    LONGS_EQUAL(2, stack.size());
    STRCMP_EQUAL("md126", stack[0].name.c_str());
    STRCMP_EQUAL("raid1", stack[0].level.c_str());
    STRCMP_EQUAL("md127", stack[1].name.c_str());
    STRCMP_EQUAL("container", stack[1].level.c_str());
    CHECK(!stack[1].degraded.has_value());
    STRCMP_EQUAL("", stack[1].uuid.c_str()); // zeros are none
}

TEST(HwDiskTies, an_array_whose_uuid_the_kernel_does_not_know_has_mdadms) {
    auto blocks = intel_raid();
    blocks[2].md->uuid.clear();
    blocks[2].udev = UdevRecord{{}, {{"MD_UUID", "9d2f3ce6:1b0a4d51:7c7e8a90:0011aabb"}}};
    STRCMP_EQUAL("9d2f3ce6-1b0a-4d51-7c7e-8a900011aabb",
                 make_disks(machine_of(blocks)).at(1).stack.at(0).uuid.c_str());
}

TEST(HwDiskTies, a_volume_comes_before_its_container_whatever_their_numbers) {
    auto blocks = intel_raid();
    std::swap(blocks[2].name, blocks[3].name);
    blocks[2].md->metadata = "external:/md126/0";
    const auto stack = named(make_disks(machine_of(blocks)), "sda").stack;
    STRCMP_EQUAL("md127", stack.at(0).name.c_str());
    STRCMP_EQUAL("md126", stack.at(1).name.c_str());
}

TEST(HwDiskTies, our_state_in_an_array_is_known_by_udevs_word_and_by_the_table_alone) {
    auto records = machine_of({disk_block("sda", "8:0"), md_block("md0", "9:0", {"sda"})});
    CHECK(!named(make_disks(records), "sda").system);
    TablePartition state;
    state.number = 1;
    state.label = "stratum-state";
    records.contents["md0"].partitions = {state};
    CHECK(named(make_disks(records), "sda").system);
    records.contents["md0"].partitions.clear();
    auto part = partition_block("md0", 1, "259:0");
    part.name = "md0p1";
    part.udev = UdevRecord{{},
                           {{"ID_PART_ENTRY_NAME", "stratum-esp"},
                            {"ID_PART_ENTRY_TYPE", "c12a7328-f81f-11d2-ba4b-00a0c93ec93b"}}};
    records.blocks.push_back(part);
    CHECK(named(make_disks(records), "sda").system);
    records.blocks.back().udev->properties["ID_PART_ENTRY_TYPE"] = "other";
    CHECK(!named(make_disks(records), "sda").system);
}

TEST(HwDiskTies, a_volume_that_is_read_only_is_known_by_its_container_too) {
    auto blocks = intel_raid();
    blocks[2].md->metadata = "external:-md127/0";
    STRCMP_EQUAL("md127", container_of(blocks[2]).c_str());
    STRCMP_EQUAL("", container_of(blocks[3]).c_str());
    STRCMP_EQUAL("", container_of(blocks[0]).c_str());
}

TEST(HwDiskTies, our_state_in_a_volume_of_firmware_raid_makes_both_disks_system_disks) {
    auto blocks = intel_raid();
    auto state = partition_block("md126", 1, "259:0");
    state.name = "md126p1";
    state.partition_label = "stratum-state";
    blocks.push_back(state);
    for (const char* name : {"sda", "sdb"})
        CHECK(named(make_disks(machine_of(blocks)), name).system);
}

TEST(HwDiskTies, a_root_on_lvm_over_an_array_makes_every_disk_below_a_system_disk) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16"),
                               md_block("md0", "9:0", {"sda", "sdb"}),
                               map_block("dm-0", "254:0", "vg0-root", "LVM-x", {"md0"})});
    records.usage.mounts = {{"254:0", "/", "ext4", "/dev/mapper/vg0-root", {}}};
    for (const auto& disk : make_disks(records)) CHECK(disk.system);
}

TEST(HwDiskTies, a_boot_partition_of_its_own_and_the_state_make_a_system_disk) {
    for (const char* place : {"/boot", "/boot/efi", "/var/lib/stratum", "/usr"}) {
        auto records = machine_of({disk_block("sda", "8:0")});
        records.usage.mounts = {{"8:0", place, "ext4", "/dev/sda", {}}};
        CHECK_TEXT(make_disks(records).at(0).system, place);
        records.usage.mounts[0].path = "/srv";
        CHECK_TEXT(!make_disks(records).at(0).system, place);
    }
}

TEST(HwDiskTies, a_recorded_key_that_two_disks_share_makes_both_system_disks) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    for (auto& block : records.blocks) block.scsi->wwid = "naa.5000c500a1b2c399";
    records.install_record =
        facts::InstallRecord{"1", "whole-disk", {"/dev/disk/by-id/wwn-0x5000C500A1B2C399"}, ""};
    for (const auto& disk : make_disks(records)) CHECK(disk.system);
}

TEST(HwDiskTies, the_boot_partition_is_known_by_the_kernels_word_where_nobody_read_the_table) {
    auto records = machine_of({disk_block("sda", "8:0"), partition_block("sda", 1, "8:1")});
    records.blocks[1].partition_uuid = "ab78090f-0aa2-c848-a080-5c3bd91fe7e7";
    records.contents.clear();
    records.boot_partition_uuid = "ab78090f-0aa2-c848-a080-5c3bd91fe7e7";
    CHECK(make_disks(records).at(0).unusable.find("runs from") != std::string::npos);
}

TEST(HwDiskTies, two_ways_to_one_disk_lose_together) {
    const auto disks = make_disks(two_ways());
    CHECK(named(disks, "sda").closure == Names{"/dev/sdb"});
    CHECK(named(disks, "sdb").closure == Names{"/dev/sda"});
    CHECK(named(disks, "sda").unusable.empty());
    CHECK(facts::best_key(named(disks, "sdb")).empty());
    CHECK(named(disks, "sdc").closure.empty());
}

TEST(HwDiskTies, another_way_to_a_disk_in_use_is_refused) {
    const auto refused = [](const DiskRecords& records, const std::string& why) {
        const auto disks = make_disks(records);
        CHECK(named(disks, "sdb").unusable.starts_with("is another way to /dev/sda"));
        CHECK_TEXT(named(disks, "sdb").unusable.ends_with(why),
                   named(disks, "sdb").unusable.c_str());
        CHECK(named(disks, "sdc").unusable.empty());
    };
    auto mounted = two_ways();
    mounted.usage.mounts = {{"8:0", "/srv", "ext4", "/dev/sda", {}}};
    refused(mounted, "is in use (mounted)");
    auto busy = two_ways();
    busy.contents["sda"].exclusive = Exclusive::kBusy;
    refused(busy, "is in use (something holds it open)");
    auto stacked = two_ways();
    stacked.blocks.push_back(map_block("dm-0", "253:0", "data", "CRYPT-LUKS2-x", {"sda"}));
    stacked.contents["dm-0"] = blank_content();
    refused(stacked, "is in use (data stands on it)");
    auto system = two_ways();
    system.usage.mounts = {{"8:0", "/", "ext4", "/dev/sda", {}}};
    refused(system, "is in use (this machine's system is on it)");
}

TEST(HwDiskTies, a_way_outside_a_multipath_map_is_another_way_to_it) {
    auto records = two_ways();
    records.blocks.push_back(
        map_block("dm-0", "253:0", "mpatha", "mpath-35000c500a1b2c310", {"sda"}));
    records.contents["dm-0"] = blank_content();
    records.usage.mounts = {{"253:0", "/srv", "ext4", "/dev/dm-0", {}}};
    const auto disks = make_disks(records);
    CHECK(named(disks, "sdb").unusable.find("is in use (mounted)") != std::string::npos);
    CHECK(named(disks, "dm-0").closure == Names{"/dev/sdb"});
    CHECK(facts::keys_of(named(disks, "dm-0")).empty());
    CHECK(facts::keys_of(named(disks, "sdb")).empty());
}

TEST(HwDiskTies, a_way_is_tied_to_what_the_other_way_stands_in) {
    auto records = two_ways();
    records.blocks.push_back(md_block("md0", "9:0", {"sda", "sdc"}));
    records.contents["md0"] = blank_content();
    CHECK(named(make_disks(records), "sdb").closure == (Names{"/dev/sda", "/dev/sdc"}));
}

TEST(HwDiskTies, disks_that_share_a_placeholder_are_not_one) {
    auto records = two_ways();
    for (std::size_t i : {0, 1}) records.blocks[i].scsi->wwid = "naa.5000c50000000000";
    records.usage.mounts = {{"8:0", "/srv", "ext4", "/dev/sda", {}}};
    const auto disks = make_disks(records);
    CHECK(named(disks, "sdb").closure.empty());
    CHECK(named(disks, "sdb").unusable.empty());
}
