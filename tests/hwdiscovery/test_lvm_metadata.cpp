#include "hwdiscovery/lvm_metadata.hpp"
#include "tests/hwdiscovery/lvm_bytes.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

const char* const kUuid = "7KZe2j-h1eu-quAN-ScKl-c2lv-a5h9-z2IzhK";

std::optional<LvmGroup> group_in(const std::string& bytes) {
    return read_lvm_group([&](std::uint64_t offset, std::size_t size) {
        if (offset + size > bytes.size()) return std::optional<std::string>{};
        return std::optional(bytes.substr(offset, size));
    });
}

} // namespace

TEST_GROUP(LvmMetadata){};

TEST(LvmMetadata, the_group_is_read_from_the_volume_itself) {
    const auto group = group_in(lvm_volume(lvm_text("vg_sys", kUuid)));
    CHECK(group.has_value());
    STRCMP_EQUAL("vg_sys", group->name.c_str());
    STRCMP_EQUAL(kUuid, group->uuid.c_str());
}

TEST(LvmMetadata, the_groups_volumes_are_listed_by_their_own_uuids_alone) {
    const std::string one = "aaaaaa-0000-0000-0000-0000-0000-000001";
    const std::string two = "aaaaaa-0000-0000-0000-0000-0000-000002";
    const auto group = parse_lvm_text(
        "vg0 {\nid = \"" + std::string(kUuid) + "\"\nphysical_volumes {\n\npv0 {\nid = \"" + one +
        "\"\ndevice = \"/dev/sda\"\ndevice_id = \"" + std::string(38, 'x') +
        "\"\n}\n\npv1 {\n\tid = \"" + two + "\"\n}\n}\n\nlogical_volumes {\nlv0 {\nid = \"" +
        std::string(38, 'y') + "\"\n}\n}\n}\n");
    CHECK(group->members == (std::vector<std::string>{one, two}));
    CHECK(parse_lvm_text("vg0 {\nid = \"u\"\nphysical_volumes {")->members.empty());
}

TEST(LvmMetadata, text_that_runs_over_the_rings_end_is_put_together) {
    const auto group = group_in(lvm_volume(lvm_text("vg0", kUuid), 8192 - 10));
    CHECK(group == (LvmGroup{"vg0", kUuid}));
}

TEST(LvmMetadata, damaged_or_missing_metadata_gives_no_group) {
    CHECK(!group_in(std::string(32768, '\0')));
    CHECK(!group_in("short"));
    auto no_magic = lvm_volume(lvm_text("vg0", kUuid));
    no_magic[4096 + 4] = 'X';
    CHECK(!group_in(no_magic));
    auto no_area = lvm_volume(lvm_text("vg0", kUuid));
    put_little(no_area, 512 + 32 + 72, 0, 8);
    CHECK(!group_in(no_area));
    auto huge = lvm_volume(lvm_text("vg0", kUuid));
    put_little(huge, 4096 + 48, 1ull << 60, 8);
    CHECK(!group_in(huge));
    CHECK(!group_in(lvm_volume("no section here")));
    CHECK(!group_in(lvm_volume("two words {\nid = \"x\"\n}")));
}

TEST(LvmMetadata, names_with_hyphens_are_taken_apart_right) {
    STRCMP_EQUAL("vg_sys", parse_lvm_name("vg_sys-root").group.c_str());
    STRCMP_EQUAL("root", parse_lvm_name("vg_sys-root").volume.c_str());
    STRCMP_EQUAL("my-vg", parse_lvm_name("my--vg-my--lv").group.c_str());
    STRCMP_EQUAL("my-lv", parse_lvm_name("my--vg-my--lv").volume.c_str());
    STRCMP_EQUAL("vg", parse_lvm_name("vg-lv-tpool").group.c_str());
}

TEST(LvmMetadata, a_bare_uuid_gets_lvms_hyphens) {
    STRCMP_EQUAL(kUuid, lvm_uuid("7KZe2jh1euquANScKlc2lva5h9z2IzhK").c_str());
    STRCMP_EQUAL("short", lvm_uuid("short").c_str());
}
