#include "hwdiscovery/edge/live_tree.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;

TEST_GROUP(HwTree) {
    std::string folder;
    void setup() override {
        char name[] = "/tmp/stratum-tree-XXXXXX";
        folder = ::mkdtemp(name);
        std::filesystem::create_directories(folder + "/sys/devices/pci0/sda");
        std::filesystem::create_directories(folder + "/sys/class/block");
        std::ofstream(folder + "/sys/devices/pci0/sda/size") << "123\n";
        std::filesystem::create_symlink("../../devices/pci0/sda", folder + "/sys/class/block/sda");
        std::filesystem::create_symlink("/sys/devices", folder + "/inside");
        std::filesystem::create_symlink("/etc/hostname", folder + "/outside");
    }
    void teardown() override {
        std::filesystem::remove_all(folder);
    }
};

TEST(HwTree, reads_files_links_and_folders_below_its_root) {
    const auto tree = open_tree(folder);
    STRCMP_EQUAL("123", tree->text("/sys/class/block/sda/size").c_str());
    LONGS_EQUAL(123, tree->number("/sys/class/block/sda/size").value_or(0));
    STRCMP_EQUAL("/sys/devices/pci0/sda", tree->followed("/sys/class/block/sda").c_str());
    STRCMP_EQUAL("sda", tree->link_name("/sys/class/block/sda").c_str());
    CHECK(tree->list("/sys/class/block") == std::vector<std::string>{"sda"});
    CHECK(tree->exists("/sys/class/block/sda"));
}

TEST(HwTree, what_is_not_there_is_absent_and_empty) {
    const auto tree = open_tree(folder);
    CHECK(!tree->bytes("/sys/none").has_value());
    CHECK(!tree->flag("/sys/devices/pci0/sda/size").has_value());
    CHECK(tree->list("/none").empty());
    CHECK(!tree->link("/sys").has_value());
    CHECK(!tree->exists("/none"));
}

TEST(HwTree, an_absolute_link_stays_inside_its_root) {
    const auto tree = open_tree(folder);
    CHECK(tree->list("/inside") == std::vector<std::string>{"pci0"});
    CHECK(!tree->bytes("/outside").has_value());
}

TEST(HwTree, what_is_asked_of_a_path_behind_an_absolute_link_stays_inside_too) {
    std::filesystem::create_symlink("/etc", folder + "/etc-of-the-host");
    std::filesystem::create_symlink("../sda", folder + "/sys/devices/pci0/link");
    const auto tree = open_tree(folder);
    CHECK(tree->exists("/inside/pci0/sda"));
    STRCMP_EQUAL("../sda", tree->link("/inside/pci0/link").value_or("").c_str());
    CHECK(!tree->exists("/etc-of-the-host/passwd"));
    CHECK(!tree->link("/etc-of-the-host/mtab").has_value());
}

TEST(HwTree, a_file_of_several_mebibytes_is_read_whole) {
    // A host with thousands of containers has such a mountinfo: a mount not seen is a disk wiped.
    std::ofstream(folder + "/long") << std::string(3u << 20, 'm') << "end";
    LONGS_EQUAL((3u << 20) + 3, open_tree(folder)->bytes("/long")->size());
}

TEST(HwTree, the_machines_own_tree_has_a_root_of_nothing) {
    CHECK(open_tree("")->bytes("/proc/self/mountinfo").has_value());
}

TEST(HwTree, a_path_loses_its_dots) {
    STRCMP_EQUAL("/a/c", normal_path("/a/b/../c/.").c_str());
    STRCMP_EQUAL("/", normal_path("/../..").c_str());
}
