#include <algorithm>
#include <string>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/udev_names.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

std::string bytes(std::string_view hex) {
    const auto raw = from_hex(hex).value();
    return {raw.begin(), raw.end()};
}

BlockRecord nvme() {
    BlockRecord block;
    block.name = "nvme0n1";
    block.sysfs = "/sys/devices/pci0000:00/0000:00:02.0/nvme/nvme0/nvme0n1";
    block.nvme = NvmeRecord{"Samsung SSD 980 PRO 2TB", "S6B0NL0W123456", "eui.0025385b01234567", 1};
    return block;
}

BlockRecord scsi() {
    BlockRecord block;
    block.name = "sda";
    block.sysfs =
        "/sys/devices/pci0000:00/0000:00:04.0/virtio0/host0/target0:0:0/0:0:0:0/block/sda";
    block.scsi = ScsiRecord{"SEAGATE ",
                            "ST4000NM017A    ",
                            0,
                            "naa.5000c500a1b2c301",
                            bytes("008000085a43314130303031"),
                            bytes("0083000c"
                                  "01030008"
                                  "5000c500a1b2c301"),
                            ""};
    return block;
}

bool has(const std::vector<std::string>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

facts::Disk disk_named(const std::string& name, const std::string& wwn) {
    facts::Disk disk;
    disk.name = name;
    disk.path = "/dev/" + name;
    disk.wwn = wwn;
    disk.by_id = {"/dev/disk/by-id/wwn-" + wwn};
    return disk;
}

} // namespace

TEST_GROUP(HwIdentity){};

TEST(HwIdentity, nvme_names_follow_udevs_rules) {
    const auto ids = derived_ids(nvme());
    CHECK(has(ids, "nvme-eui.0025385b01234567"));
    CHECK(has(ids, "nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456"));
    CHECK(has(ids, "nvme-Samsung_SSD_980_PRO_2TB_S6B0NL0W123456_1"));
    STRCMP_EQUAL("eui.0025385b01234567", identify(nvme()).wwn.c_str());
    STRCMP_EQUAL("nvme", identify(nvme()).transport.c_str());
}

TEST(HwIdentity, an_identifier_the_kernel_made_up_of_serial_and_model_is_no_wwn) {
    auto block = nvme();
    block.nvme->wwid = "nvme.1b36-5334-51454d55-00000001";
    STRCMP_EQUAL("", identify(block).wwn.c_str());
    CHECK(has(derived_ids(block), "nvme-nvme.1b36-5334-51454d55-00000001"));
}

TEST(HwIdentity, scsi_names_follow_udevs_rules) {
    const auto ids = derived_ids(scsi());
    CHECK(has(ids, "wwn-0x5000c500a1b2c301"));
    CHECK(has(ids, "scsi-35000c500a1b2c301"));
    const auto identity = identify(scsi());
    STRCMP_EQUAL("0x5000c500a1b2c301", identity.wwn.c_str());
    STRCMP_EQUAL("ZC1A0001", identity.serial.c_str());
    STRCMP_EQUAL("ST4000NM017A", identity.model.c_str());
    STRCMP_EQUAL("virtio", identity.transport.c_str());
}

TEST(HwIdentity, a_scsi_disk_with_a_serial_alone_is_named_by_vendor_model_and_serial) {
    auto block = scsi();
    block.scsi->wwid.clear();
    block.scsi->vpd83 = bytes("0083000c"
                              "02000008"
                              "5a43314130303031");
    CHECK(has(derived_ids(block), "scsi-0SEAGATE_ST4000NM017A_ZC1A0001"));
    block.scsi->vpd83.clear();
    CHECK(has(derived_ids(block), "scsi-SSEAGATE_ST4000NM017A_ZC1A0001"));
}

TEST(HwIdentity, virtio_mmc_and_multipath_names_follow_udevs_rules) {
    BlockRecord virtio;
    virtio.name = "vda";
    virtio.virtio_serial = "CAPTURES";
    CHECK(has(derived_ids(virtio), "virtio-CAPTURES"));
    BlockRecord mmc;
    mmc.name = "mmcblk0";
    mmc.mmc = MmcRecord{"MMC", "DG4016", "0x12345678"};
    CHECK(has(derived_ids(mmc), "mmc-DG4016_0x12345678"));
    BlockRecord map;
    map.name = "dm-0";
    map.dm_uuid = "mpath-3600000000000000000000000000000aa";
    CHECK(has(derived_ids(map), "dm-uuid-mpath-3600000000000000000000000000000aa"));
    CHECK(has(derived_ids(map), "wwn-0x600000000000000000000000000000aa"));
}

TEST(HwIdentity, a_device_without_an_identity_has_no_names) {
    BlockRecord block;
    block.name = "vda";
    CHECK(derived_ids(block).empty());
    CHECK(identify(block).by_id.empty());
}

TEST(HwIdentity, the_way_to_the_disk_tells_how_it_is_attached) {
    auto block = scsi();
    const auto transport_at = [&](const char* path) {
        block.sysfs = path;
        return identify(block).transport;
    };
    STRCMP_EQUAL("usb", transport_at("/sys/devices/pci0/usb2/2-1/host6/block/sda").c_str());
    STRCMP_EQUAL("sata", transport_at("/sys/devices/pci0/ata1/host1/block/sda").c_str());
    STRCMP_EQUAL("iscsi", transport_at("/sys/devices/platform/host3/session1/block/sda").c_str());
    STRCMP_EQUAL("fc", transport_at("/sys/devices/pci0/host3/rport-3:0-1/block/sda").c_str());
    STRCMP_EQUAL("sas", transport_at("/sys/devices/pci0/host3/end_device-3:0/block/sda").c_str());
    STRCMP_EQUAL("", transport_at("/sys/devices/pci0/host3/block/sda").c_str());
    BlockRecord card;
    card.mmc = MmcRecord{"SD", "SD32G", "0x1"};
    STRCMP_EQUAL("sd", identify(card).transport.c_str());
    card.mmc->type = "MMC";
    STRCMP_EQUAL("mmc", identify(card).transport.c_str());
}

TEST(HwIdentity, udevs_links_are_taken_as_they_are) {
    auto block = nvme();
    block.udev = UdevRecord{{"disk/by-id/nvme-own", "disk/by-path/pci-1"}, {}};
    CHECK(identify(block).by_id == std::vector<std::string>{"/dev/disk/by-id/nvme-own"});
}

TEST(HwIdentity, udev_fills_what_sysfs_does_not_tell) {
    BlockRecord block;
    block.name = "sdz";
    block.udev = UdevRecord{{},
                            {{"ID_MODEL", "Some_Disk"},
                             {"ID_SERIAL_SHORT", "X1234567"},
                             {"ID_WWN", "0x5000c500a1b2c309"}}};
    const auto identity = identify(block);
    STRCMP_EQUAL("Some Disk", identity.model.c_str());
    STRCMP_EQUAL("X1234567", identity.serial.c_str());
    STRCMP_EQUAL("0x5000c500a1b2c309", identity.wwn.c_str());
}

TEST(HwIdentity, a_placeholder_is_no_wwn) {
    auto block = nvme();
    block.nvme->wwid = "eui.0000000000000000";
    STRCMP_EQUAL("", identify(block).wwn.c_str());
}

TEST(HwIdentity, bytes_that_are_no_text_do_not_get_through) {
    auto block = nvme();
    block.nvme->model = "bad\xff";
    CHECK(is_utf8(identify(block).model));
    for (const auto& path : identify(block).by_id) CHECK(is_utf8(path));
}

TEST(HwIdentity, a_key_that_two_disks_share_names_neither) {
    std::vector<facts::Disk> disks = {disk_named("sda", "0x5000c500a1b2c301"),
                                      disk_named("sdb", "0x5000c500a1b2c301"),
                                      disk_named("sdc", "0x5000c500a1b2c302")};
    drop_shared_keys(disks);
    CHECK(facts::best_key(disks[0]).empty());
    CHECK(facts::best_key(disks[1]).empty());
    LONGS_EQUAL(1, disks[0].warnings.size()); // both keys in one sentence
    STRCMP_EQUAL("0x5000c500a1b2c302", facts::best_key(disks[2]).c_str());
    for (auto& disk : disks) warn_of_missing_key(disk);
    CHECK(disks[1].warnings.back().find("multipathd") != std::string::npos);
    CHECK(disks[2].warnings.empty());
}

TEST(HwIdentity, namespaces_of_one_controller_share_its_name_without_a_word) {
    const std::string controller = "/dev/disk/by-id/nvme-Disk_S1";
    std::vector<facts::Disk> disks = {disk_named("nvme0n1", "eui.0025385b01234567"),
                                      disk_named("nvme0n2", "eui.0025385b01234568")};
    disks[0].by_id = {controller, controller + "_1"};
    disks[1].by_id = {controller, controller + "_2"};
    drop_shared_keys(disks);
    for (const auto& disk : disks) {
        CHECK(disk.warnings.empty());
        LONGS_EQUAL(2, facts::keys_of(disk).size());
    }
}

TEST(HwIdentity, a_disk_that_is_of_no_use_shares_its_key_all_the_same) {
    std::vector<facts::Disk> disks = {disk_named("sda", "0x5000C500A1B2C301"),
                                      disk_named("sdb", "0x5000c500a1b2c301")};
    disks[0].by_id = disks[1].by_id;
    disks[0].unusable = "is the medium this machine runs from";
    drop_shared_keys(disks);
    CHECK(facts::best_key(disks[1]).empty());
}

TEST(HwIdentity, a_disk_without_a_key_says_how_to_give_it_one) {
    facts::Disk disk;
    disk.path = "/dev/vda";
    warn_of_missing_key(disk);
    CHECK(disk.warnings.at(0).find("disk.EnableUUID") != std::string::npos);
    facts::Disk optical;
    optical.unusable = "is an optical drive";
    warn_of_missing_key(optical);
    CHECK(optical.warnings.empty());
}

TEST(HwIdentity, udevs_names_of_the_disk_that_had_the_number_before_are_left_out) {
    auto block = scsi();
    block.udev = UdevRecord{{"disk/by-id/wwn-0x5000c500ffffff01"},
                            {{"ID_WWN", "0x5000c500ffffff01"}, {"ID_MODEL", "Old"}}};
    const auto identity = identify(block);
    CHECK(has(identity.by_id, "/dev/disk/by-id/wwn-0x5000c500a1b2c301"));
    CHECK(!has(identity.by_id, "/dev/disk/by-id/wwn-0x5000c500ffffff01"));
    LONGS_EQUAL(1, identity.warnings.size());
    // The same WWN, shorter or with its extension, is the same disk.
    block.udev->properties["ID_WWN"] = "0x5000c500a1b2c301";
    CHECK(identify(block).warnings.empty());
    block.scsi->vpd83.clear();
    block.scsi->wwid = "naa.600000000000000000000000000012aa";
    block.udev->properties["ID_WWN"] = "0x6000000000000000";
    CHECK(identify(block).warnings.empty());
}

TEST(HwIdentity, an_ata_disk_of_an_old_kernel_is_named_by_page_83_alone) {
    auto block = scsi();
    block.scsi->vendor = "ATA     ";
    block.scsi->model = "WDC WD40EFRX-68N";
    std::string text = "ATA     WDC WD40EFRX-68N32N0";
    text.resize(48, ' ');
    text += "     WD-WX11A1B2C3D4";
    block.scsi->vpd83 = std::string("\0\x83\0\x48\x02\x01\0\x44", 8) + text;
    block.scsi->vpd80.clear();
    CHECK(has(derived_ids(block), "ata-WDC_WD40EFRX-68N32N0_WD-WX11A1B2C3D4"));
    STRCMP_EQUAL("WDC WD40EFRX-68N32N0", identify(block).model.c_str());
    STRCMP_EQUAL("WD-WX11A1B2C3D4", identify(block).serial.c_str());
}

TEST(HwIdentity, a_usb_disk_is_named_by_udevs_rule) {
    auto block = scsi();
    block.sysfs = "/sys/devices/pci0/usb2/2-1/2-1:1.0/host6/target6:0:0/6:0:0:0/block/sda";
    block.scsi->vendor = "SanDisk ";
    block.scsi->model = "Ultra Fit       ";
    block.scsi->vpd83.clear();
    block.scsi->vpd80.clear();
    block.scsi->wwid.clear();
    block.scsi->usb_serial = "4C530001";
    block.scsi->address = "6:0:0:0";
    CHECK(derived_ids(block) == std::vector<std::string>{"usb-SanDisk_Ultra_Fit_4C530001-0:0"});
    STRCMP_EQUAL("4C530001", identify(block).serial.c_str());
}

TEST(HwIdentity, an_area_of_an_emmc_has_no_name_of_its_own) {
    BlockRecord area;
    area.name = "mmcblk0boot0";
    area.mmc = MmcRecord{"MMC", "DG4016", "0x12345678"};
    CHECK(derived_ids(area).empty());
    STRCMP_EQUAL("mmc", identify(area).transport.c_str());
    for (const char* name : {"mmcblk0boot1", "mmcblk12rpmb", "mmcblk0gp0"})
        CHECK_TEXT(is_emmc_area(name), name);
    for (const char* name : {"mmcblk0", "mmcblk12", "mmcblk0p1", "sdaboot0"})
        CHECK_TEXT(!is_emmc_area(name), name);
}

TEST(HwIdentity, a_path_of_a_multipath_device_does_not_take_the_maps_key) {
    std::vector<facts::Disk> disks = {disk_named("sda", "0x5000c500a1b2c301"),
                                      disk_named("dm-0", "0x5000c500a1b2c301")};
    disks[1].paths = {"sda"};
    drop_shared_keys(disks);
    STRCMP_EQUAL("0x5000c500a1b2c301", facts::best_key(disks[1]).c_str());
}

TEST(HwIdentity, no_name_made_of_a_shared_wwn_or_serial_is_left_to_one_of_two_ways) {
    std::vector<facts::Disk> disks = {disk_named("sda", "0x5000C500A1B2C301"),
                                      disk_named("sdb", "")};
    const std::string folder = "/dev/disk/by-id/";
    disks[0].serial = disks[1].serial = "ZC1 4A001";
    disks[0].by_id = {folder + "ata-DISK_ZC1_4A001", folder + "scsi-35000c500a1b2c301"};
    disks[1].by_id = {folder + "dm-uuid-mpath-35000c500a1b2c301", folder + "scsi-1ATA_ZC1_4A001",
                      folder + "virtio-own-name"};
    drop_shared_keys(disks);
    CHECK(facts::keys_of(disks[0]).empty());
    CHECK(facts::keys_of(disks[1]) == std::vector<std::string>{folder + "virtio-own-name"});
    LONGS_EQUAL(1, disks[0].warnings.size());
    CHECK(disks[0].warnings[0].find("ZC1 4A001 are also /dev/sdb's") != std::string::npos);
    CHECK(disks[0].warnings[0].find("probably one disk by two ways") != std::string::npos);
}

TEST(HwIdentity, a_serial_alone_that_two_disks_share_leaves_each_its_wwn) {
    std::vector<facts::Disk> disks = {disk_named("sda", "0x5000c500a1b2c301"),
                                      disk_named("sdb", "0x5000c500a1b2c302")};
    disks[0].serial = disks[1].serial = "ARRAY0042";
    drop_shared_keys(disks);
    for (const auto& disk : disks) {
        LONGS_EQUAL(2, facts::keys_of(disk).size());
        CHECK(disk.warnings.empty());
    }
}

TEST(HwIdentity, a_wwn_and_a_link_with_it_are_one_key) {
    std::vector<facts::Disk> disks = {disk_named("sda", "0x5000c500a1b2c301"),
                                      disk_named("sdb", "")};
    disks[0].by_id.clear();
    disks[1].by_id = {"/dev/disk/by-id/wwn-0x5000C500A1B2C301"};
    drop_shared_keys(disks);
    for (const auto& disk : disks) CHECK(facts::keys_of(disk).empty());
}

TEST(HwIdentity, a_controllers_name_is_no_key_where_its_namespaces_names_are_shared) {
    const std::string name = "/dev/disk/by-id/nvme-Disk_S1234567";
    std::vector<facts::Disk> disks = {disk_named("nvme0n1", ""), disk_named("nvme1n1", "")};
    for (auto& disk : disks) disk.by_id = {name, name + "_1"};
    disks[1].by_id.push_back("/dev/disk/by-id/nvme-eui.0025385b01234567");
    drop_shared_keys(disks);
    CHECK(facts::keys_of(disks[0]).empty());
    LONGS_EQUAL(1, facts::keys_of(disks[1]).size());
}

TEST(HwIdentity, what_names_spell_of_the_device_is_one_identifier) {
    facts::Disk disk;
    disk.wwn = "0x5000C500A1B2C301";
    disk.by_id = {"/dev/disk/by-id/wwn-0x5000c500a1b2c301",
                  "/dev/disk/by-id/scsi-35000c500a1b2c301",
                  "/dev/disk/by-id/dm-uuid-mpath-35000c500a1b2c301",
                  "/dev/disk/by-id/scsi-35000000000000000", "/dev/disk/by-id/ata-DISK_S1234567"};
    CHECK(world_wide_ids(disk) == std::set<std::string>{"5000c500a1b2c301"});
    disk.wwn = "eui.0025385b01234567";
    disk.by_id = {"/dev/disk/by-id/nvme-eui.0025385b01234567"};
    CHECK(world_wide_ids(disk) == std::set<std::string>{"0025385b01234567"});
}
