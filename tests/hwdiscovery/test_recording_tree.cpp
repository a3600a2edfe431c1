#include "hwdiscovery/recording_tree.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum::hw;
using Kind = RecordedEntry::Kind;

TEST_GROUP(RecordingTree) {
    MemoryTree machine;
    void setup() override {
        machine.files["/sys/devices/pci0/host0/block/sda/size"] = "8\n";
        machine.files["/sys/devices/pci0/host0/model"] = "DISK\n";
        machine.links["/sys/devices/pci0/host0/block/sda/device"] = "../..";
        machine.links["/sys/class/block/sda"] = "../../devices/pci0/host0/block/sda";
    }
};

TEST(RecordingTree, answers_as_the_tree_behind_it) {
    const RecordingTree tree(machine);
    STRCMP_EQUAL("8", tree.text("/sys/class/block/sda/size").c_str());
    CHECK(tree.list("/sys/class/block") == machine.list("/sys/class/block"));
    STRCMP_EQUAL("../../devices/pci0/host0/block/sda",
                 tree.link("/sys/class/block/sda").value_or("").c_str());
    CHECK(tree.exists("/sys/class/block/sda/device"));
    CHECK(!tree.exists("/sys/class/block/sdb"));
    CHECK(!tree.bytes("/none").has_value());
}

TEST(RecordingTree, keeps_a_file_under_its_real_path_and_the_links_on_the_way) {
    const RecordingTree tree(machine);
    CHECK(tree.bytes("/sys/class/block/sda/device/model").has_value());
    const std::map<std::string, RecordedEntry> wanted = {
        {"/sys/class/block/sda", {Kind::kLink, "../../devices/pci0/host0/block/sda"}},
        {"/sys/devices/pci0/host0/block/sda/device", {Kind::kLink, "../.."}},
        {"/sys/devices/pci0/host0/model", {Kind::kFile, "DISK\n"}}};
    CHECK(tree.recorded() == wanted);
}

TEST(RecordingTree, keeps_nothing_of_what_is_not_there) {
    const RecordingTree tree(machine);
    CHECK(!tree.bytes("/sys/class/block/sda/device/vendor").has_value());
    CHECK(!tree.exists("/sys/class/block/sda/md"));
    CHECK(tree.list("/sys/class/block/sda/slaves").empty());
    CHECK(tree.recorded().empty());
}

TEST(RecordingTree, keeps_every_name_of_a_listing_as_what_it_is) {
    machine.links["/sys/class/block/sda/holders/dm-0"] = "../../dm-0"; // not asked for again
    machine.links["/sys/devices/pci0/host0/block/sda/holders/dm-0"] = "../../../dm-0";
    const RecordingTree tree(machine);
    CHECK(tree.list("/sys/class/block/sda/holders") == std::vector<std::string>{"dm-0"});
    CHECK(tree.list("/sys/devices/pci0/host0") == (std::vector<std::string>{"block", "model"}));
    const auto recorded = tree.recorded();
    CHECK(recorded.at("/sys/devices/pci0/host0/block/sda/holders/dm-0") ==
          (RecordedEntry{Kind::kLink, "../../../dm-0"}));
    CHECK(recorded.at("/sys/devices/pci0/host0/model") == (RecordedEntry{Kind::kFile, ""}));
    // The folder of the holders: it says for itself that it is there.
    CHECK(recorded.count("/sys/devices/pci0/host0/block") == 0);
}

TEST(RecordingTree, what_is_there_and_cannot_be_read_stays_so) {
    class Unreadable final : public Tree {
    public:
        std::optional<std::string> bytes(const std::string&) const override { return {}; }
        std::vector<std::string> list(const std::string&) const override { return {"speed"}; }
        std::optional<std::string> link(const std::string&) const override { return {}; }
        bool exists(const std::string&) const override { return true; }
    };
    const Unreadable source;
    const RecordingTree tree(source);
    CHECK(tree.exists("/sys/speed"));
    CHECK(!tree.bytes("/sys/speed").has_value());
    CHECK(tree.recorded().at("/sys/speed").kind == Kind::kUnreadable);
}

TEST(RecordingTree, of_proc_it_keeps_processes_and_what_was_read) {
    machine.files["/proc/12/mountinfo"] = "m";
    machine.files["/proc/kallsyms"] = "secret";
    machine.files["/proc/swaps"] = "s";
    const RecordingTree tree(machine);
    CHECK(tree.list("/proc").size() == 3);
    CHECK(tree.bytes("/proc/swaps").has_value());
    const auto recorded = tree.recorded();
    LONGS_EQUAL(2, recorded.size());
    CHECK(recorded.count("/proc/12") == 1);
    CHECK(recorded.count("/proc/swaps") == 1);
}

TEST(RecordingTree, links_in_a_ring_end) {
    machine.links["/a"] = "b";
    machine.links["/b"] = "a";
    class Ring final : public Tree {
    public:
        std::optional<std::string> bytes(const std::string&) const override { return "x"; }
        std::vector<std::string> list(const std::string&) const override { return {}; }
        std::optional<std::string> link(const std::string&) const override { return "/a/a"; }
        bool exists(const std::string&) const override { return true; }
    };
    const Ring source;
    const RecordingTree tree(source);
    CHECK(tree.bytes("/a").has_value());
    CHECK(!tree.recorded().empty());
}
