#include <functional>
#include <utility>

#include "installer/hardware_hash.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;

TEST_GROUP(HardwareHash) {
    facts::Inventory machine;
    void setup() override {
        facts::Disk disk;
        disk.name = "sda";
        disk.path = "/dev/sda";
        disk.mounts = {{"/data", "/dev/md0", 17}};
        facts::StackLayer array;
        array.name = "md0";
        array.sync = "resync";
        array.sync_percent = 3;
        array.open = true;
        disk.stack = {array};
        machine.disks = {disk};
        facts::Nic nic;
        nic.name = "eth0";
        nic.mac = "52:54:00:00:00:01";
        nic.state = facts::LinkState::kUp;
        nic.addresses = {{"10.0.0.1/24", "dhcp"}, {"2001:db8::99/64", "temporary"}};
        nic.routes = {"10.0.0.0/24", "10.9.0.0/16"};
        machine.nics = {nic};
    }
    bool is_same_after(const std::function<void(facts::Inventory&)>& change) const {
        facts::Inventory later = machine;
        change(later);
        return hardware_sha256(later) == hardware_sha256(machine);
    }
};

TEST(HardwareHash, what_changes_by_itself_does_not_count) {
    CHECK(is_same_after([](auto& m) { m.disks[0].stack[0].sync_percent = 4; }));
    CHECK(is_same_after([](auto& m) { m.disks[0].mounts[0].pid = 18; }));
    CHECK(is_same_after([](auto& m) { m.nics[0].addresses[1].cidr = "2001:db8::98/64"; }));
    CHECK(is_same_after([](auto& m) { m.nics[0].addresses.pop_back(); }));
    CHECK(is_same_after([](auto& m) { std::swap(m.nics[0].routes[0], m.nics[0].routes[1]); }));
    CHECK(is_same_after([](auto& m) { m.nics[0].lldp = {{"a", "b", "", "", {}}}; }));
}

TEST(HardwareHash, what_somebody_did_counts) {
    CHECK(!is_same_after([](auto& m) { m.nics[0].state = facts::LinkState::kDown; }));
    CHECK(!is_same_after([](auto& m) { m.nics[0].addresses[0].cidr = "10.0.0.2/24"; }));
    CHECK(!is_same_after([](auto& m) { m.nics[0].routes.pop_back(); }));
    CHECK(!is_same_after([](auto& m) { m.nics.clear(); }));
    CHECK(!is_same_after([](auto& m) { m.disks[0].stack[0].sync.clear(); }));
    CHECK(!is_same_after([](auto& m) { m.disks[0].stack[0].open = false; }));
    CHECK(!is_same_after([](auto& m) { m.disks[0].mounts.clear(); }));
    CHECK(!is_same_after([](auto& m) { m.disks[0].holds.emplace(); }));
    CHECK(!is_same_after([](auto& m) { m.warnings.emplace_back("a card is odd"); }));
}
