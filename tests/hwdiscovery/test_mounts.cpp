#include <algorithm>

#include "hwdiscovery/mounts.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

const char* const kOwn =
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "30 1 8:1 / /mnt/with\\040space rw,relatime shared:1 - ext4 /dev/sda1 rw\n";

} // namespace

TEST_GROUP(HwMounts){};

TEST(HwMounts, a_line_gives_device_place_type_and_source) {
    const auto mounts = parse_mountinfo(kOwn);
    LONGS_EQUAL(2, mounts.size());
    STRCMP_EQUAL("8:1", mounts[1].dev.c_str());
    STRCMP_EQUAL("/mnt/with space", mounts[1].path.c_str());
    STRCMP_EQUAL("ext4", mounts[1].type.c_str());
    STRCMP_EQUAL("/dev/sda1", mounts[1].source.c_str());
}

TEST(HwMounts, a_line_that_makes_no_sense_is_left_out) {
    CHECK(parse_mountinfo("nonsense\n1 2 3 4\n30 1 8:1 / /mnt rw\n").empty());
}

TEST(HwMounts, a_mount_without_a_source_is_a_mount_of_its_device) {
    const auto mounts = parse_mountinfo("30 1 8:1 / /mnt rw shared:1 - ext4  rw\n");
    LONGS_EQUAL(1, mounts.size());
    STRCMP_EQUAL("ext4", mounts[0].type.c_str());
    STRCMP_EQUAL("", mounts[0].source.c_str());
}

TEST(HwMounts, a_namespace_that_may_not_be_looked_into_leaves_everything_open) {
    MemoryTree tree;
    tree.files["/proc/self/mountinfo"] = kOwn;
    tree.links["/proc/4711/ns/mnt"] = "mnt:[2]";
    CHECK(!read_usage(tree).is_complete);
    // Another process of it tells.
    tree.links["/proc/4712/ns/mnt"] = "mnt:[2]";
    tree.files["/proc/4712/mountinfo"] = kOwn;
    CHECK(read_usage(tree).is_complete);
}

TEST(HwMounts, a_list_that_is_cut_off_may_hide_a_mount) {
    MemoryTree tree;
    tree.files["/proc/self/mountinfo"] = std::string(16u << 20, '\n');
    CHECK(!read_usage(tree).is_complete);
    tree.files["/proc/self/mountinfo"].pop_back();
    CHECK(read_usage(tree).is_complete);
}

TEST(HwMounts, swaps_are_read_without_their_heading) {
    const auto swaps =
        parse_swaps("Filename Type Size Used Priority\n/dev/dm-1 partition 1 0 -2\n");
    CHECK(swaps == std::vector<std::string>{"/dev/dm-1"});
}

TEST(HwMounts, a_mount_of_another_namespace_is_found_with_its_process) {
    MemoryTree tree;
    tree.files["/proc/self/mountinfo"] = kOwn;
    tree.links["/proc/self/ns/mnt"] = "mnt:[1]";
    tree.links["/proc/10/ns/mnt"] = "mnt:[1]";
    tree.files["/proc/10/mountinfo"] = kOwn;
    tree.links["/proc/4711/ns/mnt"] = "mnt:[2]";
    tree.files["/proc/4711/mountinfo"] = "30 1 7:0 / /mnt rw - ext4 /dev/loop0 rw\n";
    const auto usage = read_usage(tree);
    CHECK(usage.is_complete);
    LONGS_EQUAL(3, usage.mounts.size());
    LONGS_EQUAL(4711, usage.mounts[2].pid.value_or(0));
    STRCMP_EQUAL("7:0", usage.mounts[2].dev.c_str());
}

TEST(HwMounts, without_mountinfo_nobody_knows_what_is_mounted) {
    CHECK(!read_usage(MemoryTree{}).is_complete);
}

TEST(HwMounts, swaps_that_may_not_be_read_leave_everything_open) {
    MemoryTree tree;
    tree.files["/proc/self/mountinfo"] = kOwn;
    CHECK(read_usage(tree).is_complete); // a kernel without swap
    tree.files["/proc/swaps/x"] = "";    // there, and no file that can be read
    const auto usage = read_usage(tree);
    CHECK(!usage.is_complete);
    CHECK(usage.problem.find("/proc/swaps") != std::string::npos);
}
