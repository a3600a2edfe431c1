#include <algorithm>
#include <filesystem>
#include <string>

#include <fcntl.h>

#include "common/base/edge/fd.hpp"
#include "hwdiscovery/edge/blkid_probe.hpp"
#include "hwdiscovery/edge/blkid_signatures.hpp"
#include "hwdiscovery/own_signatures.hpp"
#include "tests/hwdiscovery/disk_images.hpp"
#include "tests/hwdiscovery/lvm_bytes.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

constexpr std::uint64_t kMib = 1u << 20;

ContentRecord probed(const DiskImage& image) {
    const std::string path = image.save();
    auto content = probe_device({"image", path, "", "", true});
    std::filesystem::remove(path);
    return content;
}

bool has_type(const std::vector<SignatureRecord>& signatures, std::string_view type) {
    return std::any_of(signatures.begin(), signatures.end(),
                       [&](const SignatureRecord& one) { return one.type == type; });
}

bool has_table(const ContentRecord& content, std::string_view type, bool is_backup_only) {
    return std::any_of(content.tables.begin(), content.tables.end(), [&](const auto& one) {
        return one.type == type && one.is_backup_only == is_backup_only;
    });
}

DiskImage partitioned() {
    DiskImage image(32 * kMib);
    image.put_gpt({{esp_type(), 2048, 4095, "stratum-esp"}, {linux_type(), 4096, 20479, "data"}});
    image.put_ext4(4096 * 512, "olddata");
    return image;
}

} // namespace

TEST_GROUP(ProbeImages){};

TEST(ProbeImages, zeros_are_read_in_full_and_hold_nothing) {
    const auto content = probed(DiskImage(16 * kMib));
    CHECK(content.is_complete);
    CHECK(content.signatures.empty());
    CHECK(content.tables.empty());
    CHECK(content.exclusive == Exclusive::kFree);
}

TEST(ProbeImages, a_table_and_what_stands_in_its_partitions_are_found) {
    const auto content = probed(partitioned());
    CHECK(content.is_complete);
    CHECK(has_table(content, "gpt", false));
    LONGS_EQUAL(2, content.partitions.size());
    STRCMP_EQUAL("stratum-esp", content.partitions[0].label.c_str());
    STRCMP_EQUAL("c12a7328-f81f-11d2-ba4b-00a0c93ec93b", content.partitions[0].type.c_str());
    CHECK(content.partitions[0].signatures.empty());
    LONGS_EQUAL(4096 * 512, content.partitions[1].start_bytes);
    CHECK(has_type(content.partitions[1].signatures, "ext4"));
    STRCMP_EQUAL("olddata", content.partitions[1].signatures.at(0).label.c_str());
}

TEST(ProbeImages, a_table_of_which_the_copy_alone_is_left_is_found) {
    auto image = partitioned();
    image.wipe(0, 34 * 512);
    const auto content = probed(image);
    CHECK(has_table(content, "gpt", true));
    CHECK(content.is_complete);
    LONGS_EQUAL(2, content.partitions.size());
}

TEST(ProbeImages, a_table_in_front_of_a_gpt_with_partitions_of_its_own_is_found) {
    auto image = partitioned();
    CHECK(!has_table(probed(image), kHybridType, false));
    image.put(446 + 16 + 4, "\x83");
    CHECK(has_table(probed(image), kHybridType, false));
    CHECK(has_table(probed(image), "gpt", false));
}

TEST(ProbeImages, partitions_beyond_those_that_are_looked_at_are_told_of) {
    std::vector<GptEntry> entries;
    for (std::uint64_t i = 0; i < 256; ++i)
        entries.push_back({linux_type(), 4096 + 8 * i, 4096 + 8 * i + 7, ""});
    DiskImage full(16 * kMib);
    full.put_gpt(entries);
    CHECK(probed(full).is_complete);
    LONGS_EQUAL(256, probed(full).partitions.size());
    entries.push_back({linux_type(), 20480, 20487, ""});
    DiskImage fuller(16 * kMib);
    fuller.put_gpt(entries);
    const auto content = probed(fuller);
    CHECK(!content.is_complete);
    CHECK(content.problem.find("257 partitions") != std::string::npos);
    LONGS_EQUAL(257, content.partitions.size());
}

TEST(ProbeImages, the_protective_table_alone_is_found) {
    auto image = partitioned();
    image.wipe(512, 33 * 512);
    image.wipe(32 * kMib - 33 * 512, 33 * 512);
    CHECK(!probed(image).tables.empty());
}

TEST(ProbeImages, both_tables_gone_leave_what_stood_in_the_partitions_unseen_but_the_disk_blank) {
    // Nothing recognises it any more; this is what "blank" can mean at most.
    auto image = partitioned();
    image.wipe(0, 34 * 512);
    image.wipe(32 * kMib - 33 * 512, 33 * 512);
    CHECK(probed(image).tables.empty());
}

TEST(ProbeImages, what_is_left_of_things_and_files_on_a_bare_disk_are_found_at_their_places) {
    struct Left {
        std::string_view type;
        std::uint64_t at;
        std::string bytes;
    };
    const std::uint64_t size = 16 * kMib;
    const std::vector<Left> all = {{kGptHeaderType, 512, "EFI PART"},
                                   {kGptHeaderType, 4096, "EFI PART"},
                                   {kGptHeaderType, size - 512, "EFI PART"},
                                   {kGptHeaderType, size - 4096, "EFI PART"},
                                   {kNtfsCopyType, size - 509, "NTFS    "},
                                   {kFatCopyType, 6 * 512 + 82, "FAT32   "},
                                   {kHfsCopyType, size - 1024, std::string("H+\0\x04", 4)},
                                   {kHfsCopyType, size - 1024, std::string("HX\0\x05", 4)},
                                   {kBitlockerType, 3, "-FVE-FS-"},
                                   {"qcow2", 0, "QFI\xfb"},
                                   {"vmdk", 0, "KDMV"},
                                   {"sqlite", 0, "SQLite format 3"},
                                   {"tar", 257, "ustar"}};
    for (const auto& one : all) {
        DiskImage image(size);
        image.put(one.at, one.bytes);
        CHECK_TEXT(has_type(probed(image).signatures, one.type), one.bytes.c_str());
        DiskImage moved(size);
        moved.put(one.at > size / 2 ? one.at - 8 : one.at + 8, one.bytes);
        CHECK_TEXT(!has_type(probed(moved).signatures, one.type), one.bytes.c_str());
    }
    CHECK(probed(partitioned()).signatures.empty());
}

TEST(ProbeImages, each_member_and_filesystem_is_found_on_the_whole_disk) {
    DiskImage ext4(16 * kMib);
    ext4.put_ext4(0, "whole");
    CHECK(has_type(probed(ext4).signatures, "ext4"));
    DiskImage swap(16 * kMib);
    swap.put_swap(0, "sw");
    CHECK(has_type(probed(swap).signatures, "swap"));
    DiskImage luks(16 * kMib);
    luks.put_luks(0);
    CHECK(has_type(probed(luks).signatures, "crypto_LUKS"));
    DiskImage md(16 * kMib);
    md.put_md(0, 16 * kMib, false, "oldbox:sys");
    CHECK(has_type(probed(md).signatures, "linux_raid_member"));
    STRCMP_EQUAL("oldbox:sys", probed(md).signatures.at(0).label.c_str());
}

TEST(ProbeImages, a_superblock_at_the_very_end_is_found) {
    DiskImage md(16 * kMib);
    md.put_md(0, 16 * kMib, true, "oldbox:end");
    CHECK(has_type(probed(md).signatures, "linux_raid_member"));
}

TEST(ProbeImages, a_superblock_whose_checksum_is_wrong_is_still_somebodys) {
    DiskImage md(16 * kMib);
    md.put_md(0, 16 * kMib, false, "oldbox:sys");
    md.put_number(4096 + 216, 0xdeadbeef, 4);
    CHECK(has_type(probed(md).signatures, "linux_raid_member"));
}

TEST(ProbeImages, every_signature_is_listed_not_the_one_that_would_be_chosen) {
    DiskImage image(16 * kMib);
    image.put_ext4(0, "first");
    image.put_md(0, 16 * kMib, true, "oldbox:end");
    image.put_luks(0);
    const auto content = probed(image);
    CHECK(has_type(content.signatures, "ext4"));
    CHECK(has_type(content.signatures, "linux_raid_member"));
    CHECK(has_type(content.signatures, "crypto_LUKS"));
}

TEST(ProbeImages, two_arrays_whose_members_stand_at_either_end_are_both_listed) {
    // libblkid alone tells of the first of a kind only.
    DiskImage image(16 * kMib);
    image.put_md(0, 16 * kMib, true, "oldbox:end", '\x66');
    image.put_md(0, 16 * kMib, false, "newbox:start", '\x77');
    const auto content = probed(image);
    LONGS_EQUAL(2, content.signatures.size());
    CHECK(content.signatures.at(0).label != content.signatures.at(1).label);
    CHECK(content.signatures.at(0).uuid != content.signatures.at(1).uuid);
}

TEST(ProbeImages, a_second_copy_of_the_same_thing_is_listed_once) {
    DiskImage image(16 * kMib);
    image.put_md(0, 16 * kMib, true, "box:one");
    image.put_md(0, 16 * kMib, false, "box:one");
    LONGS_EQUAL(1, probed(image).signatures.size());
    const auto tables = probed(partitioned()).tables;
    LONGS_EQUAL(1, std::count_if(tables.begin(), tables.end(),
                                 [](const TableRecord& one) { return one.type == "gpt"; }));
}

TEST(ProbeImages, an_old_tables_copy_behind_a_new_dos_table_is_listed_beside_it) {
    auto image = partitioned();
    image.wipe(0, 34 * 512);
    image.put_dos(2048, 4096);
    const auto content = probed(image);
    CHECK(has_table(content, "dos", false));
    CHECK(has_table(content, "gpt", true));
}

TEST(ProbeImages, a_volume_whose_label_is_wiped_still_holds_its_groups_metadata) {
    DiskImage image(16 * kMib);
    image.put(0, lvm_volume(lvm_text("vg0", "7KZe2j-h1eu-quAN-ScKl-c2lv-a5h9-z2IzhK")));
    CHECK(!has_type(probed(image).signatures, "LVM2_metadata")); // said by LVM2_member
    image.wipe(512, 8);
    CHECK(!has_type(probed(image).signatures, "LVM2_member"));
    CHECK(has_type(probed(image).signatures, "LVM2_metadata"));
}

TEST(ProbeImages, members_in_a_place_as_small_as_a_floppy_are_found) {
    for (const bool at_end : {false, true}) {
        DiskImage md(kMib);
        md.put_md(0, kMib, at_end, "oldbox:boot");
        CHECK(has_type(probed(md).signatures, "linux_raid_member"));
    }
    DiskImage image(32 * kMib);
    image.put_gpt({{linux_type(), 2048, 4095, "bios"}});
    image.put(kMib, lvm_volume(lvm_text("vg0", "7KZe2j-h1eu-quAN-ScKl-c2lv-a5h9-z2IzhK")));
    CHECK(has_type(probed(image).partitions.at(0).signatures, "LVM2_member"));
}

TEST(ProbeImages, what_cannot_be_read_to_its_end_is_not_proved_and_says_why) {
    const std::string path = DiskImage(kMib).save();
    const stratum::edge::Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    CHECK(read_contents_of({file.get(), 0, kMib}).problem.empty());
    CHECK(!read_contents_of({file.get(), 0, 2 * kMib}).problem.empty());
    std::filesystem::remove(path);
    // A folder: every read of it is an error.
    const stratum::edge::Fd folder(::open("/tmp", O_RDONLY | O_CLOEXEC));
    const auto contents = read_contents_of({folder.get(), 0, kMib});
    CHECK(contents.problem.find("Is a directory") != std::string::npos);
    CHECK(contents.signatures.empty());
}

TEST(ProbeImages, an_lvm_member_names_its_group) {
    DiskImage image(16 * kMib);
    image.put(0, lvm_volume(lvm_text("vg0", "7KZe2j-h1eu-quAN-ScKl-c2lv-a5h9-z2IzhK")));
    const auto content = probed(image);
    CHECK(has_type(content.signatures, "LVM2_member"));
    STRCMP_EQUAL("vg0", content.signatures.at(0).group.c_str());
    STRCMP_EQUAL("7KZe2j-h1eu-quAN-ScKl-c2lv-a5h9-z2IzhK",
                 content.signatures.at(0).group_uuid.c_str());
}

TEST(ProbeImages, what_libblkid_does_not_know_is_found_all_the_same) {
    DiskImage bsd(16 * kMib);
    bsd.put(512, "\x57\x45\x56\x82");
    CHECK(has_type(probed(bsd).signatures, "bsd"));
    DiskImage geom(16 * kMib);
    geom.put(16 * kMib - 512, "GEOM::ELI");
    CHECK(has_type(probed(geom).signatures, "freebsd_geom"));
    DiskImage softraid(16 * kMib);
    softraid.put(8192, "marcCRAM");
    CHECK(has_type(probed(softraid).signatures, "openbsd_softraid"));
}

TEST(ProbeImages, a_partition_that_reaches_past_the_disk_proves_nothing) {
    DiskImage image(32 * kMib);
    image.put_gpt({{linux_type(), 2048, 32 * kMib / 512 * 4, "too long"}});
    CHECK(!probed(image).is_complete || probed(image).partitions.empty());
}

TEST(ProbeImages, another_device_at_the_path_than_was_seen_is_not_read) {
    const std::string path = DiskImage(kMib).save();
    const auto content = probe_device({"image", path, "8:0", "", true});
    std::filesystem::remove(path);
    CHECK(!content.is_complete);
    CHECK(content.problem.find("another device") != std::string::npos);
}
