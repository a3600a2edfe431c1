#include <string>

#include "hwdiscovery/disks.hpp"
#include "hwdiscovery/membership.hpp"
#include "tests/hwdiscovery/block_records.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

constexpr std::uint64_t kDiskBytes = 2u << 20;

std::string big(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
    return bytes;
}

std::string padded(std::string text) {
    const auto length = static_cast<std::uint32_t>(text.size());
    text.resize((text.size() + 3) / 4 * 4, '\0');
    return big(length) + text;
}

// A pair of ZFS's list: its own size first.
std::string pair_of(const std::string& name, std::uint32_t kind, const std::string& value) {
    const std::string rest = padded(name) + big(kind) + big(1) + value;
    return big(static_cast<std::uint32_t>(rest.size() + 8)) + big(64) + rest;
}

} // namespace

TEST_GROUP(HwMembership) {
    std::string disk = std::string(kDiskBytes, '\0');
    ReadAt read = [this](std::uint64_t at, std::size_t size) -> std::optional<std::string> {
        if (at + size > disk.size()) return std::nullopt;
        return disk.substr(at, size);
    };
    void put(std::size_t at, const std::string& bytes) {
        disk.replace(at, bytes.size(), bytes);
    }
    SignatureRecord member(const std::string& type, std::uint64_t offset) const {
        SignatureRecord signature{"raid", type, "", "", offset, "", ""};
        add_membership(read, signature);
        return signature;
    }
    void put_label(std::size_t at) {
        put(at + 131032, "\x11\x7a\x0c\xb1\x7a\xda\x10\x02");
        put(at + 16384,
            std::string("\1\1\0\0", 4) + big(0) + big(1) +
                pair_of("version", 8, big(0) + big(5000)) + pair_of("name", 9, padded("tank")) +
                pair_of("pool_guid", 8, big(0x12345678) + big(0x9abcdef0)) + big(0) + big(0));
    }
};

TEST(HwMembership, an_osds_devices_name_its_uuid) {
    put(0, "bluestore block device\nC0FFEE00-1111-4222-8333-444455556666\n");
    const auto found = member("ceph_bluestore", 0);
    STRCMP_EQUAL("c0ffee00-1111-4222-8333-444455556666", found.group_uuid.c_str());
    put(23, "not a uuid at all, but as long as it");
    STRCMP_EQUAL("", member("ceph_bluestore", 0).group_uuid.c_str());
}

TEST(HwMembership, a_cache_and_what_it_caches_name_their_set) {
    STRCMP_EQUAL("", member("bcache", 4120).group_uuid.c_str()); // never attached
    put(4096 + 56, std::string("\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef"));
    STRCMP_EQUAL("01234567-89ab-cdef-0123-456789abcdef", member("bcache", 4120).group_uuid.c_str());
}

TEST(HwMembership, a_disk_of_intels_firmware_raid_names_its_family) {
    const std::size_t anchor = kDiskBytes - 1024;
    put(anchor + 40, std::string("\x04\x03\x02\x01", 4));
    STRCMP_EQUAL("16909060", member("isw_raid_member", anchor).group_uuid.c_str());
    put(anchor + 64, std::string("\x01\0\0\0", 4)); // the family it was made as
    STRCMP_EQUAL("1", member("isw_raid_member", anchor).group_uuid.c_str());
    STRCMP_EQUAL("", member("isw_raid_member", kDiskBytes - 8).group_uuid.c_str());
}

TEST(HwMembership, a_dynamic_disk_names_its_group) {
    put(3072 + 0xb0, std::string("1B77DA20-C717-11D0-A5BE-00A0C91DB73C\0", 37));
    STRCMP_EQUAL("1b77da20-c717-11d0-a5be-00a0c91db73c",
                 member("windows_ldm", 3072).group_uuid.c_str());
}

TEST(HwMembership, other_signatures_stay_as_they_are) {
    STRCMP_EQUAL("", member("ext4", 1080).group_uuid.c_str());
}

TEST(HwMembership, disks_of_one_set_that_nobody_started_are_tied) {
    auto records = machine_of({disk_block("sda", "8:0"), disk_block("sdb", "8:16")});
    for (const char* name : {"sda", "sdb"}) {
        records.contents[name] = content_with("raid", "isw_raid_member");
        records.contents[name].signatures[0].group_uuid = "16909060";
    }
    CHECK(make_disks(records).at(0).closure == std::vector<std::string>{"/dev/sdb"});
    records.contents["sdb"].signatures[0].type = "bcache"; // a number of another kind is no tie
    CHECK(make_disks(records).at(0).closure.empty());
}

TEST(HwMembership, a_label_of_zfs_is_found_at_either_end_with_its_pool) {
    CHECK(!read_zfs_label(read, disk.size()).has_value());
    for (std::size_t at : {std::size_t{0}, std::size_t{256} << 10, std::size_t{1536} << 10,
                           std::size_t{1792} << 10}) {
        disk.assign(kDiskBytes + 4096, '\0'); // not a multiple of a label
        put_label(at);
        const auto found = read_zfs_label(read, disk.size());
        CHECK(found.has_value());
        STRCMP_EQUAL("zfs_member", found->type.c_str());
        STRCMP_EQUAL("tank", found->label.c_str());
        STRCMP_EQUAL("1311768467463790320", found->uuid.c_str());
        LONGS_EQUAL(at + 131032, *found->offset_bytes);
    }
}

TEST(HwMembership, a_label_whose_list_makes_no_sense_is_a_label_all_the_same) {
    put_label(0);
    for (std::size_t at = 16384; at < 16384 + 160; ++at) {
        const char kept = disk[at];
        disk[at] = '\xff';
        const auto found = read_zfs_label(read, disk.size());
        CHECK(found.has_value());
        disk[at] = kept;
    }
    CHECK(!read_zfs_label(read, 512).has_value());
}
