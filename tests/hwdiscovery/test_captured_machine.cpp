#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/document.hpp"
#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/discover.hpp"
#include "tests/hwdiscovery/node_diff.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

const char* const kMachines = "tests/machines";
const char* const kMachine = "tests/machines/full-stack";
constexpr std::size_t kShownDifferences = 20;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// Every folder that says what is expected of it, in order of names.
std::vector<std::string> machines() {
    std::vector<std::string> folders;
    for (const auto& entry : std::filesystem::directory_iterator(kMachines))
        if (std::filesystem::exists(entry.path() / "expected.json"))
            folders.push_back(entry.path().string());
    std::sort(folders.begin(), folders.end());
    return folders;
}

Node expected_node(const std::string& folder) {
    DocumentLimits limits;
    limits.max_bytes = 16u << 20;
    const auto parsed = parse_json(text_of(folder + "/expected.json"), limits);
    CHECK_TEXT(parsed.root.has_value(), (folder + "/expected.json is no JSON").c_str());
    return *parsed.root;
}

facts::Inventory expected(const std::string& folder = kMachine) {
    Findings findings;
    auto inventory = facts::read_inventory(expected_node(folder), {}, findings);
    CHECK_TEXT(findings.empty(), (folder + "/expected.json is no inventory").c_str());
    return inventory;
}

facts::Inventory discovered(const std::string& root, bool probe_contents = true) {
    DiscoverOptions options;
    options.root = root;
    const std::string founder(trim(text_of(root + "/founder-address")));
    if (const auto address = IpAddress::parse(founder)) options.founder_address = *address;
    options.probe_contents = probe_contents;
    return discover(options);
}

// Empty: the same. Else the first places where the two differ.
std::string difference(const facts::Inventory& wanted, const facts::Inventory& found) {
    auto lines = differences(to_node(wanted), to_node(found));
    const std::size_t count = lines.size();
    if (count > kShownDifferences) lines.resize(kShownDifferences);
    return join(lines, "\n") +
           (count > lines.size() ? "\n… " + std::to_string(count) + " in all" : "");
}

} // namespace

TEST_GROUP(CapturedMachines){};

TEST(CapturedMachines, each_gives_the_inventory_that_is_expected_of_it) {
    CHECK(!machines().empty());
    std::string report;
    for (const auto& folder : machines()) {
        const auto lines = differences(expected_node(folder), to_node(discovered(folder)));
        for (std::size_t i = 0; i < std::min(lines.size(), kShownDifferences); ++i)
            report += "\n" + folder + ": " + lines[i];
        if (lines.size() > kShownDifferences)
            report += "\n" + folder + ": … " + std::to_string(lines.size()) + " in all";
    }
    if (!report.empty()) FAIL(report.c_str());
}

TEST(CapturedMachines, each_expectation_is_an_inventory_that_the_api_takes_whole) {
    for (const auto& folder : machines()) {
        const auto lines = differences(expected_node(folder), to_node(expected(folder)));
        if (!lines.empty()) FAIL((folder + ": " + lines.front()).c_str());
    }
}

TEST(CapturedMachines, where_nothing_was_read_nothing_is_blank) {
    for (const auto& folder : machines())
        for (const auto& disk : discovered(folder, false).disks)
            CHECK_TEXT(facts::judge(disk).contents != facts::Contents::kBlank,
                       (folder + ": " + disk.path).c_str());
}

TEST(CapturedMachines, each_key_names_one_disk) {
    for (const auto& folder : machines()) {
        const auto disks = discovered(folder).disks;
        for (const auto& disk : disks) {
            const bool is_path = std::any_of(disks.begin(), disks.end(), [&](const auto& map) {
                return std::find(map.paths.begin(), map.paths.end(), disk.name) != map.paths.end();
            });
            if (is_path) continue;
            for (const auto& key : facts::keys_of(disk)) {
                const auto found = facts::find_disk(disks, key);
                std::string where = folder;
                where += ": ";
                where += key;
                CHECK_TEXT(found && (*found)->path == disk.path, where.c_str());
            }
        }
    }
}

// One machine in two states: at the second boot the array assembled itself, the encryption stayed
// closed, a disk was gone and another had taken its name.
TEST(CapturedMachines, after_another_boot_the_same_disks_have_the_same_keys_and_digests) {
    const auto before = discovered(kMachine).disks;
    const auto after = discovered(std::string(kMachine) + "-second-boot").disks;
    const auto named = [](const std::vector<facts::Disk>& disks, const std::string& name) {
        const auto found = std::find_if(disks.begin(), disks.end(),
                                        [&](const auto& disk) { return disk.name == name; });
        CHECK_TEXT(found != disks.end(), name.c_str());
        return *found;
    };
    for (const auto& [then, now] :
         {std::pair{"sda", "sda"}, std::pair{"sdc", "sdb"}, std::pair{"nvme0n1", "nvme0n1"},
          std::pair{"nvme1n1", "nvme1n1"}}) {
        const auto old = named(before, then), same = named(after, now);
        STRCMP_EQUAL(facts::best_key(old).c_str(), facts::best_key(same).c_str());
        CHECK_TEXT(facts::contents_digest(old) == facts::contents_digest(same), then);
    }
    const auto gone = facts::find_disk(after, facts::best_key(named(before, "sdb")));
    CHECK(!gone && gone.error().code == ErrorCode::kNotFound);
}

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
    STRCMP_EQUAL("", difference(wanted, inventory).c_str());
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
    CHECK(inventory.disks.at(2).holds == expected().disks.at(2).holds);
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

TEST(CapturedMachines, an_empty_folder_gives_an_empty_inventory_with_a_warning) {
    const auto inventory = discovered(std::string(kMachine) + "/proc");
    CHECK(inventory.disks.empty());
    CHECK(!inventory.warnings.empty());
}

TEST(CapturedMachines, this_machine_gives_an_inventory_that_the_api_takes) {
    const auto node = to_node(discover());
    Findings findings;
    const auto back = facts::read_inventory(node, {}, findings);
    CHECK(findings.empty());
    CHECK(to_node(back) == node);
    CHECK(!back.hostname.empty());
}
