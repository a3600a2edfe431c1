#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/document.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/discover.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

const char* const kMachine = "tests/machines/full-stack";

facts::Inventory expected() {
    std::ifstream file(std::string(kMachine) + "/expected.json");
    std::stringstream text;
    text << file.rdbuf();
    Findings findings;
    const auto parsed = parse_json(text.str());
    CHECK(parsed.root.has_value());
    auto inventory = facts::read_inventory(*parsed.root, {}, findings);
    CHECK(findings.empty());
    return inventory;
}

facts::Inventory discovered(const std::string& root, bool probe_contents = true) {
    DiscoverOptions options;
    options.root = root;
    options.founder_address = *IpAddress::parse("10.0.2.2");
    options.probe_contents = probe_contents;
    return discover(options);
}

} // namespace

TEST_GROUP(CapturedMachine) {
    std::string copy;
    void setup() override {
        char name[] = "/tmp/stratum-machine-XXXXXX";
        copy = std::string(::mkdtemp(name)) + "/full-stack";
        std::filesystem::copy(kMachine, copy,
                              std::filesystem::copy_options::recursive |
                                  std::filesystem::copy_options::copy_symlinks);
    }
    void teardown() override {
        std::filesystem::remove_all(std::filesystem::path(copy).parent_path());
    }
};

TEST(CapturedMachine, gives_the_expected_inventory) {
    const auto inventory = discovered(kMachine);
    STRCMP_EQUAL(write_json(to_node(expected()), 1).c_str(),
                 write_json(to_node(inventory), 1).c_str());
    CHECK(inventory == expected());
}

TEST(CapturedMachine, gives_the_same_without_udevs_database_but_fewer_names) {
    std::filesystem::remove_all(copy + "/run");
    auto inventory = discovered(copy);
    auto wanted = expected();
    for (std::size_t i = 0; i < wanted.disks.size(); ++i) {
        auto& mine = inventory.disks.at(i);
        auto& full = wanted.disks[i];
        STRCMP_EQUAL(facts::best_key(full).c_str(), facts::best_key(mine).c_str());
        CHECK(!mine.by_id.empty());
        for (const auto& path : mine.by_id)
            CHECK(std::find(full.by_id.begin(), full.by_id.end(), path) != full.by_id.end());
        CHECK(facts::contents_digest(full) == facts::contents_digest(mine));
        mine.by_id.clear();
        full.by_id.clear();
    }
    // In this capture the drivers' names stand in udev's database alone.
    for (auto* side : {&inventory, &wanted})
        for (auto& nic : side->nics) nic.driver.clear();
    CHECK(inventory == wanted);
}

TEST(CapturedMachine,
     knows_from_udev_what_is_there_and_calls_nothing_blank_where_nothing_was_read) {
    std::filesystem::remove(copy + "/contents.json");
    const auto inventory = discovered(copy);
    for (const auto& disk : inventory.disks)
        CHECK(facts::judge(disk).contents != facts::Contents::kBlank);
    CHECK(!inventory.disks.back().holds.has_value()); // vda: udev saw nothing
    STRCMP_EQUAL("bulk", inventory.disks.at(3).holds->at(0).label.c_str());
    CHECK(discovered(kMachine, false).disks == inventory.disks);
}

TEST(CapturedMachine, one_unreadable_attribute_costs_that_attribute) {
    const std::string sda = copy + "/sys/devices/pci0000:00/0000:00:04.0/virtio0/host0/target0:0:0/"
                                   "0:0:0:0";
    std::filesystem::remove(sda + "/model");
    std::filesystem::remove(sda + "/block/sda/queue/rotational");
    std::filesystem::remove_all(copy + "/run");
    const auto inventory = discovered(copy);
    LONGS_EQUAL(6, inventory.disks.size());
    STRCMP_EQUAL("", inventory.disks.at(2).model.c_str());
    CHECK(!inventory.disks.at(2).rotational.has_value());
    STRCMP_EQUAL("0x5000c500a1b2c301", inventory.disks.at(2).wwn.c_str());
}

TEST(CapturedMachine, without_iproute2s_output_sysfs_tells_what_it_can) {
    std::filesystem::remove(copy + "/ip-addr.json");
    const auto nics = discovered(copy).nics;
    LONGS_EQUAL(5, nics.size());
    STRCMP_EQUAL("52:54:00:aa:00:01", nics.at(0).permanent_mac.c_str());
    STRCMP_EQUAL("vlan", nics.at(4).kind.c_str());
    LONGS_EQUAL(42, nics.at(4).vlan_id.value_or(0));
}

TEST(CapturedMachine, an_empty_folder_gives_an_empty_inventory_with_a_warning) {
    const auto inventory = discovered(copy + "/proc");
    CHECK(inventory.disks.empty());
    CHECK(!inventory.warnings.empty());
}

TEST(CapturedMachine, this_machine_gives_an_inventory_that_the_api_takes) {
    const auto node = to_node(discover());
    Findings findings;
    const auto back = facts::read_inventory(node, {}, findings);
    CHECK(findings.empty());
    CHECK(to_node(back) == node);
    CHECK(!back.hostname.empty());
}
