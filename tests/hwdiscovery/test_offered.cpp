#include <string>

#include "hwdiscovery/offered.hpp"
#include "tests/hwdiscovery/block_records.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

namespace {

BlockRecord plain(const std::string& name, std::uint64_t size = 1ull << 34) {
    BlockRecord block;
    block.name = name;
    block.dev = "1:1";
    block.size_bytes = size;
    return block;
}

std::string reason_of(const BlockRecord& block) {
    const std::vector<BlockRecord> blocks = {block};
    return never_usable(block, BlockGraph(blocks));
}

} // namespace

TEST_GROUP(Offered){};

TEST(Offered, disks_are_listed_without_a_reason) {
    for (const char* name : {"sda", "nvme0n1", "vda", "mmcblk0", "xvda", "dasda"}) {
        CHECK_TEXT(is_listed(plain(name)), name);
        STRCMP_EQUAL_TEXT("", reason_of(plain(name)).c_str(), name);
    }
}

TEST(Offered, odd_devices_are_listed_with_their_reason) {
    for (const char* name : {"sr0", "fd0", "zram0", "ram0", "nbd0", "mmcblk0boot0", "mmcblk0boot1",
                             "mmcblk0rpmb", "mtdblock0"}) {
        CHECK_TEXT(is_listed(plain(name)), name);
        CHECK_TEXT(!reason_of(plain(name)).empty(), name);
    }
    CHECK(!reason_of(plain("sda", 0)).empty());
}

TEST(Offered, a_scsi_drive_of_the_optical_kind_is_optical_whatever_its_name) {
    auto block = plain("sdz");
    block.scsi = ScsiRecord{};
    block.scsi->type = 5;
    CHECK(reason_of(block).find("optical") != std::string::npos);
}

TEST(Offered, a_loop_is_listed_when_something_is_behind_it) {
    auto loop = plain("loop0");
    CHECK(!is_listed(loop));
    loop.backing_file = "/tmp/image";
    CHECK(is_listed(loop));
    CHECK(reason_of(loop).find("/tmp/image") != std::string::npos);
}

TEST(Offered, partitions_arrays_maps_hidden_paths_and_unbound_devices_are_no_disks) {
    CHECK(!is_listed(partition_block("sda", 1, "8:1")));
    CHECK(!is_listed(md_block("md0", "9:0", {})));
    CHECK(!is_listed(map_block("dm-0", "254:0", "vg-lv", "LVM-x", {})));
    CHECK(!is_listed(map_block("dm-0", "254:0", "x", "", {})));
    CHECK(!is_listed(plain("nbd0", 0)));
    auto hidden = plain("nvme0c0n1");
    hidden.hidden = true;
    CHECK(!is_listed(hidden));
}

TEST(Offered, a_zoned_disk_that_its_host_manages_is_refused_and_one_that_is_not_is_offered) {
    auto block = plain("sda");
    block.zoned = "host-managed";
    CHECK(reason_of(block).find("zoned") != std::string::npos);
    for (const char* zoned : {"none", "host-aware", ""}) {
        block.zoned = zoned;
        STRCMP_EQUAL("", reason_of(block).c_str());
    }
}

TEST(Offered, a_scsi_disk_that_the_kernel_gave_up_is_refused) {
    auto block = plain("sda");
    block.scsi = ScsiRecord{};
    for (const char* state : {"offline", "transport-offline", "deleted"}) {
        block.scsi->state = state;
        CHECK_TEXT(reason_of(block).find(state) != std::string::npos, state);
    }
    for (const char* state : {"running", "blocked", ""}) {
        block.scsi->state = state;
        STRCMP_EQUAL("", reason_of(block).c_str());
    }
    block.has_size = false;
    CHECK(reason_of(block).find("size could not be read") != std::string::npos);
}
