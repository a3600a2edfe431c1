#include <string>
#include <vector>

#include "hwdiscovery/disk_list.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

facts::Disk disk(const std::string& name, const std::string& unusable = "", bool system = false) {
    facts::Disk one;
    one.name = name;
    one.unusable = unusable;
    one.system = system;
    return one;
}

std::string names(const std::vector<facts::Disk>& disks) {
    std::string all;
    for (const auto& one : disks) all += one.name + " ";
    return all;
}

} // namespace

TEST_GROUP(DiskList){};

TEST(DiskList, what_fits_stays_and_nothing_is_said) {
    std::vector<facts::Disk> disks = {disk("loop0", "is a loop device"), disk("sda")};
    STRCMP_EQUAL("", shorten_disks(disks, 2).c_str());
    STRCMP_EQUAL("loop0 sda ", names(disks).c_str());
}

TEST(DiskList, disks_that_nobody_can_use_give_way_to_those_behind_them) {
    std::vector<facts::Disk> disks = {disk("loop0", "is a loop device"),
                                      disk("loop1", "is a loop device"), disk("sda"), disk("sdb")};
    const auto said = shorten_disks(disks, 3);
    STRCMP_EQUAL("loop0 sda sdb ", names(disks).c_str());
    CHECK(said.find("has 4 disks, 3 are listed") != std::string::npos);
    CHECK(said.find("1 that cannot be used") != std::string::npos);
}

TEST(DiskList, a_disk_of_the_system_stays_whatever_it_is) {
    std::vector<facts::Disk> disks = {disk("sda"), disk("sdb"), disk("sdc", "is read-only", true)};
    const auto said = shorten_disks(disks, 2);
    STRCMP_EQUAL("sda sdc ", names(disks).c_str());
    CHECK(said.find("and 1 others") != std::string::npos);
}
