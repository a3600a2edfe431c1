#include <string>
#include <vector>

#include "common/facts/disk_verdict.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::facts;

namespace {

Disk disk_named(const std::string& name, const std::string& wwn,
                const std::vector<std::string>& ids, const std::string& serial = "WX11A1B2C3D4") {
    Disk disk;
    disk.name = name;
    disk.path = "/dev/" + name;
    disk.wwn = wwn;
    for (auto& id : ids) disk.by_id.push_back("/dev/disk/by-id/" + id);
    disk.serial = serial;
    return disk;
}

std::vector<Disk> machine() {
    return {disk_named("sda", "0x5000c500a1b2c301",
                       {"scsi-35000c500a1b2c301", "wwn-0x5000c500a1b2c301"}, "ZC1A0001"),
            disk_named("nvme0n1", "", {"nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456"},
                       "S6B0NL0W123456"),
            disk_named("vda", "", {}, "")};
}

std::string name_found(const std::vector<Disk>& disks, std::string_view key) {
    const auto found = find_disk(disks, key);
    return found ? (*found)->name : found.error().message;
}

} // namespace

TEST_GROUP(DiskKeys){};

TEST(DiskKeys, placeholders_are_no_identity) {
    for (const char* text : {"",
                             "0",
                             "0000000000000000",
                             "0x0000000000000000",
                             "ffffffff",
                             "FFFF-FFFF",
                             "AAAA",
                             "0123456789",
                             "123456789",
                             "0123456789ABCDEF",
                             "none",
                             "None",
                             "Default string",
                             "To be filled by O.E.M.",
                             "Not Specified",
                             "eui.0000000000000000",
                             "0x5000000000000000",
                             "eui.0000000000000001",
                             "xxxxxxxxxxxx",
                             "0x5000c50000000000",
                             "0x5000000000000001",
                             "eui.0025385000000000",
                             "0x600a0980000000010000000000000000",
                             "0xDEADBEEFdeadbeef",
                             "SERIAL",
                             "NoSerial",
                             "no serial",
                             "Unknown serial",
                             "S/N",
                             "DISK",
                             "TEMP",
                             "1",
                             "x",
                             "-",
                             "000000000033",
                             "00000012",
                             "  "})
        CHECK_TEXT(is_placeholder_identity(text), text);
}

TEST(DiskKeys, real_serials_are_an_identity) {
    for (const char* text :
         {"S6B0NL0W123456", "WD-WX11A1B2C3D4", "0x5000c500a1b2c301", "AAA1", "eui.0025385b01234567",
          "CAPTURES", "QM00005", "00000123", "0000012", "0x5000c50000000001",
          "eui.0025385000000001", "SERIAL7", "0x600a0980000000010000000000000001"})
        CHECK_TEXT(!is_placeholder_identity(text), text);
}

TEST(DiskKeys, the_wwn_is_the_best_key_then_the_first_by_id_path) {
    const auto disks = machine();
    STRCMP_EQUAL("0x5000c500a1b2c301", best_key(disks[0]).c_str());
    STRCMP_EQUAL("/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456",
                 best_key(disks[1]).c_str());
    STRCMP_EQUAL("", best_key(disks[2]).c_str());
    LONGS_EQUAL(3, keys_of(disks[0]).size());
}

TEST(DiskKeys, a_link_that_names_the_contents_is_no_key) {
    const auto disk = disk_named("sdb", "", {"lvm-pv-uuid-abc-def", "dm-name-vg0-data"}, "");
    CHECK(keys_of(disk).empty());
}

TEST(DiskKeys, a_link_of_a_partition_or_a_boot_area_is_no_key) {
    for (const char* end : {"-part1", "-part12", "-boot0", "-rpmb"}) {
        Disk disk;
        disk.serial = "WX11A1B2C3D4";
        disk.by_id = {"/dev/disk/by-id/ata-WDC_WD40EFRX_WX11A1B2C3D4" + std::string(end)};
        CHECK(keys_of(disk).empty());
        disk.by_id = {"/dev/disk/by-id/ata-WDC_WD40EFRX" + std::string(end) + "_WX11A1B2C3D4"};
        CHECK_EQUAL(1, keys_of(disk).size());
    }
}

TEST(DiskKeys, a_link_made_of_a_placeholder_serial_is_no_key) {
    CHECK(keys_of(disk_named("sdb", "", {"ata-Disk_0000000000"}, "0000000000")).empty());
    CHECK(keys_of(disk_named("sdb", "", {"ata-Disk_0000000000"}, "")).empty());
    CHECK(keys_of(disk_named("sdb", "0x0000000000000000", {"wwn-0x0000000000000000"}, "")).empty());
}

TEST(DiskKeys, a_namespaces_number_is_not_taken_for_the_serial) {
    CHECK(
        !keys_of(disk_named("nvme0n1", "", {"nvme-D_S1234567", "nvme-D_S1234567_1"}, "")).empty());
    CHECK(keys_of(disk_named("nvme0n1", "", {"nvme-D_none", "nvme-D_none_1"}, "")).empty());
}

TEST(DiskKeys, a_maps_name_made_of_a_placeholder_is_no_key) {
    CHECK(keys_of(disk_named("dm-0", "", {"dm-uuid-mpath-35000000000000000"}, "")).empty());
    LONGS_EQUAL(1, keys_of(disk_named("dm-0", "", {"dm-uuid-mpath-35000c500a1b2c301"}, "")).size());
}

TEST(DiskKeys, the_world_wide_name_is_one_however_it_is_told) {
    const std::string naa = "0x60a98000ab12cd34ef560011223344aa";
    STRCMP_EQUAL(
        naa.c_str(),
        world_wide_name(disk_named("sda", "0x60A98000AB12CD34EF560011223344AA", {})).c_str());
    for (const char* id :
         {"wwn-0x60a98000ab12cd34ef560011223344aa", "scsi-360a98000ab12cd34ef560011223344aa",
          "dm-uuid-mpath-360a98000ab12cd34ef560011223344aa"})
        STRCMP_EQUAL(naa.c_str(), world_wide_name(disk_named("sda", "", {"ata-X_Y", id})).c_str());
    STRCMP_EQUAL("eui.0025388b71b2c4d1",
                 world_wide_name(disk_named("a", "", {"nvme-eui.0025388b71b2c4d1"})).c_str());
    STRCMP_EQUAL(
        "uuid.5a1e0000-1234-4000-8000-00000000a001",
        world_wide_name(disk_named("a", "", {"nvme-uuid.5a1e0000-1234-4000-8000-00000000A001"}))
            .c_str());
}

TEST(DiskKeys, a_placeholder_a_serial_and_a_part_are_no_world_wide_names) {
    for (const char* id : {"ata-WDC_WD40EFRX_WX11A1B2C3D4", "wwn-0x0000000000000000",
                           "wwn-0x5000c500a1b2c301-part1"})
        STRCMP_EQUAL("", world_wide_name(disk_named("a", "0x0000000000000000", {id})).c_str());
    STRCMP_EQUAL("", world_wide_name(Disk{}).c_str());
}

TEST(DiskKeys, by_id_wwn_and_either_case_find_the_same_disk) {
    const auto disks = machine();
    STRCMP_EQUAL("sda", name_found(disks, "0x5000c500a1b2c301").c_str());
    STRCMP_EQUAL("sda", name_found(disks, "0x5000C500A1B2C301").c_str());
    STRCMP_EQUAL("sda", name_found(disks, "/dev/disk/by-id/wwn-0x5000c500a1b2c301").c_str());
    STRCMP_EQUAL("sda", name_found(disks, "/dev/disk/by-id/scsi-35000c500a1b2c301").c_str());
    STRCMP_EQUAL(
        "nvme0n1",
        name_found(disks, "/dev/disk/by-id/nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456").c_str());
}

TEST(DiskKeys, a_wwn_path_finds_its_disk_where_the_link_is_missing) {
    auto disks = machine();
    disks[0].by_id.clear();
    STRCMP_EQUAL("sda", name_found(disks, "/dev/disk/by-id/wwn-0x5000c500a1b2c301").c_str());
}

TEST(DiskKeys, a_kernel_name_is_refused_with_the_key_to_use_instead) {
    const auto disks = machine();
    for (const char* key : {"/dev/sda", "sda"}) {
        const auto found = find_disk(disks, key);
        CHECK(!found);
        CHECK(found.error().code == ErrorCode::kInvalid);
        CHECK(found.error().message.find("0x5000c500a1b2c301") != std::string::npos);
    }
}

TEST(DiskKeys, a_kernel_name_of_a_disk_without_a_key_says_how_to_give_it_one) {
    const auto found = find_disk(machine(), "/dev/vda");
    CHECK(!found);
    CHECK(found.error().message.find("disk.EnableUUID") != std::string::npos);
}

TEST(DiskKeys, other_paths_that_move_are_refused) {
    for (const char* key :
         {"/dev/disk/by-path/pci-0000:00:04.0", "/dev/disk/by-uuid/1234", "/dev/zz"}) {
        const auto found = find_disk(machine(), key);
        CHECK(!found);
        CHECK(found.error().code == ErrorCode::kInvalid);
    }
}

TEST(DiskKeys, an_unknown_key_lists_the_keys_there_are) {
    const auto found = find_disk(machine(), "0x5000c500ffffff01");
    CHECK(!found);
    CHECK(found.error().code == ErrorCode::kNotFound);
    CHECK(found.error().message.find("0x5000c500a1b2c301") != std::string::npos);
    CHECK(found.error().message.find("nvme-Samsung") != std::string::npos);
}

TEST(DiskKeys, an_empty_key_names_nothing) {
    CHECK(!find_disk(machine(), ""));
}

TEST(DiskKeys, a_key_of_two_disks_is_a_conflict) {
    auto disks = machine();
    disks.push_back(disk_named("sdb", "0x5000c500a1b2c301", {}));
    const auto found = find_disk(disks, "0x5000c500a1b2c301");
    CHECK(!found);
    CHECK(found.error().code == ErrorCode::kConflict);
}

TEST(DiskKeys, a_placeholder_key_is_refused_although_one_disk_has_it) {
    const std::vector<Disk> disks = {disk_named("sdb", "", {"ata-Disk_00000000"}, "00000000")};
    const auto found = find_disk(disks, "/dev/disk/by-id/ata-Disk_00000000");
    CHECK(!found);
    CHECK(found.error().code == ErrorCode::kInvalid);
}

TEST(DiskKeys, nvme_keys_name_the_namespace_not_its_controller) {
    const std::string controller = "nvme-Samsung_SSD_980_S6B0NL0W1";
    const auto numbered = disk_named("nvme0n1", "", {controller, controller + "_1"}, "S6B0NL0W1");
    CHECK(keys_of(numbered) == std::vector<std::string>{"/dev/disk/by-id/" + controller + "_1"});
    const auto named = disk_named("nvme0n1", "eui.0025385b01234567",
                                  {controller, "nvme-eui.0025385b01234567"}, "S6B0NL0W1");
    CHECK(keys_of(named) ==
          (std::vector<std::string>{"eui.0025385b01234567",
                                    "/dev/disk/by-id/nvme-eui.0025385b01234567"}));
    // An old udev knows no other name.
    CHECK(!best_key(disk_named("nvme0n1", "", {controller}, "S6B0NL0W1")).empty());
}

TEST(DiskKeys, a_controllers_name_chooses_its_only_namespace_and_none_of_two) {
    const std::string controller = "nvme-Samsung_SSD_980_S6B0NL0W1";
    auto disks =
        std::vector{disk_named("nvme0n1", "", {controller, controller + "_1"}, "S6B0NL0W1")};
    STRCMP_EQUAL("nvme0n1", name_found(disks, "/dev/disk/by-id/" + controller).c_str());
    disks.push_back(disk_named("nvme0n2", "", {controller + "_2"}, "S6B0NL0W1"));
    const auto found = find_disk(disks, "/dev/disk/by-id/" + controller);
    CHECK(!found);
    STRCMP_CONTAINS("does not name a disk for certain", found.error().message.c_str());
}

TEST(DiskKeys, a_key_of_a_map_and_its_paths_names_the_map_and_one_of_a_path_alone_the_path) {
    auto disks = std::vector{
        disk_named("sda", "0x600000000000000000000000000000ab", {"scsi-SVENDOR_LUN_42A1"}, "42A1"),
        disk_named("sdb", "0x600000000000000000000000000000ab", {}, "42A1"),
        disk_named("dm-0", "0x600000000000000000000000000000ab", {}, "")};
    CHECK(!find_disk(disks, "0x600000000000000000000000000000ab")); // nobody says they are one
    disks[2].paths = {"sda", "sdb"};
    STRCMP_EQUAL("dm-0", name_found(disks, "0x600000000000000000000000000000ab").c_str());
    STRCMP_EQUAL("sda", name_found(disks, "/dev/disk/by-id/scsi-SVENDOR_LUN_42A1").c_str());
}
