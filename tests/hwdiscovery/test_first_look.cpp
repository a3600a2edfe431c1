#include <algorithm>
#include <string>

#include "hwdiscovery/first_look.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

constexpr std::uint64_t kMib = 1u << 20;
constexpr std::uint64_t kSize = 4 * kMib;

bool is_excused(const std::string& bytes, const std::string& reader, bool is_whole_disk = true) {
    const auto names = readers_not_needed(
        std::string_view(bytes).substr(0, kXfsLogBytes),
        [&](std::uint64_t at, std::size_t size) -> std::optional<std::string> {
            if (at + size > bytes.size()) return std::nullopt;
            return bytes.substr(at, size);
        },
        bytes.size(), is_whole_disk);
    return std::find(names.begin(), names.end(), reader) != names.end();
}

std::string with(std::uint64_t at, const std::string& bytes) {
    std::string disk(kSize, '\0');
    return disk.replace(at, bytes.size(), bytes);
}

} // namespace

TEST_GROUP(FirstLook){};

TEST(FirstLook, on_zeros_none_of_the_far_readers_is_needed) {
    const std::string zeros(kSize, '\0');
    CHECK(is_excused(zeros, "xfs_external_log"));
    CHECK(is_excused(zeros, "zfs_member"));
    CHECK(is_excused(zeros, "promise_fasttrack_raid_member"));
}

TEST(FirstLook, a_record_in_any_sector_of_the_first_256_kib_calls_for_xfs) {
    for (const std::uint64_t sector : {0u, 1u, 300u, 511u})
        CHECK(!is_excused(with(sector * 512, "\xfe\xed\xba\xbe"), "xfs_external_log"));
    CHECK(is_excused(with(512 * 512, "\xfe\xed\xba\xbe"), "xfs_external_log"));
    CHECK(is_excused(with(700, "\xfe\xed\xba\xbe"), "xfs_external_log"));
}

TEST(FirstLook, what_looks_like_any_of_the_four_labels_calls_for_zfs) {
    for (const std::uint64_t label :
         {std::uint64_t{0}, kMib / 4, kSize - kMib / 2, kSize - kMib / 4})
        for (const char order : {'\0', '\1'})
            CHECK(!is_excused(with(label + kZfsPairsAt, std::string{'\1', order}), "zfs_member"));
    CHECK(is_excused(with(kZfsPairsAt, "\1\2"), "zfs_member"));
    CHECK(is_excused(with(kZfsPairsAt, "\2\1"), "zfs_member"));
}

TEST(FirstLook, labels_stand_before_the_last_whole_quarter_of_a_mib) {
    LONGS_EQUAL(0, zfs_labels(kMib - 1).size());
    const auto labels = zfs_labels(kMib + 5000);
    LONGS_EQUAL(4, labels.size());
    LONGS_EQUAL(kMib / 2, labels[2]);
    LONGS_EQUAL(3 * kMib / 4, labels[3]);
}

TEST(FirstLook, a_mark_at_any_of_its_places_calls_for_promise_on_a_whole_disk_alone) {
    for (const std::uint64_t back :
         {63u, 255u, 256u, 16u, 399u, 591u, 675u, 735u, 911u, 974u, 991u, 951u, 3087u}) {
        const auto disk = with(kSize - back * 512, "Promise Technology, Inc.");
        CHECK(!is_excused(disk, "promise_fasttrack_raid_member"));
        CHECK(is_excused(disk, "promise_fasttrack_raid_member", false));
    }
    CHECK(is_excused(with(kSize - 62 * 512, "Promise Technology, Inc."),
                     "promise_fasttrack_raid_member"));
}

TEST(FirstLook, what_cannot_be_read_excuses_nobody) {
    const auto names = readers_not_needed(
        {}, [](std::uint64_t, std::size_t) { return std::nullopt; }, kSize, true);
    CHECK(names.empty());
}
