#include "hwdiscovery/changes.hpp"
#include "tests/hwdiscovery/rack_7.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

std::vector<std::string> after(void (*change)(facts::Inventory&)) {
    facts::Inventory now = rack_7();
    change(now);
    return changes_between(rack_7(), now);
}

} // namespace

TEST_GROUP(HwChanges){};

TEST(HwChanges, the_same_machine_has_none) {
    CHECK(after([](facts::Inventory&) {}).empty());
    CHECK(changes_between({}, {}).empty());
}

TEST(HwChanges, a_cable_a_lease_and_a_bond_are_said) {
    CHECK(after([](auto& m) { m.nics[1].state = facts::LinkState::kUp; }) ==
          std::vector<std::string>{"eno2 is up"});
    CHECK(after([](auto& m) { m.nics[0].state = facts::LinkState::kDown; }) ==
          std::vector<std::string>{"eno1 is down"});
    CHECK(after([](auto& m) {
              m.nics[1].addresses = {{"10.0.0.7/24", "dhcp"}};
          }) == std::vector<std::string>{"eno2 has 10.0.0.7/24"});
    CHECK(after([](auto& m) { m.nics[0].addresses.clear(); }) ==
          std::vector<std::string>{"eno1 has no address"});
    CHECK(after([](auto& m) { m.nics[1].master = "bond0"; }) ==
          std::vector<std::string>{"eno2 is a member of bond0"});
}

TEST(HwChanges, what_comes_and_what_goes_is_said_by_the_name_that_people_use) {
    CHECK(after([](auto& m) { m.disks.pop_back(); }) ==
          std::vector<std::string>{"/dev/vdb is gone"});
    CHECK(after([](auto& m) { m.nics.erase(m.nics.begin()); }) ==
          std::vector<std::string>{"eno1 is gone"});
    CHECK(after([](auto& m) {
              m.disks.emplace_back();
              m.disks.back().name = "sdz";
              m.disks.back().path = "/dev/sdz";
          }) == std::vector<std::string>{"/dev/sdz has come"});
}

TEST(HwChanges, a_mount_and_other_contents_are_said) {
    CHECK(after([](auto& m) { m.disks[1].mounted = true; }) ==
          std::vector<std::string>{"/dev/nvme1n1 is mounted"});
    CHECK(after([](auto& m) {
              m.disks[1].holds->push_back({"swap", "swap", "", "", "/dev/nvme1n1", {}});
          }) == std::vector<std::string>{"what /dev/nvme1n1 holds is another"});
}
