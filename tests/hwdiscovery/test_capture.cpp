#include "hwdiscovery/capture.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/stat.h>

#include "common/base/document.hpp"
#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/edge/capture_folder.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;
namespace fs = std::filesystem;

namespace {

using Entries = std::map<std::string, RecordedEntry>;
using Kind = RecordedEntry::Kind;

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

unsigned mode_of(const std::string& path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777u : 0;
}

DiscoverOptions captured(const std::string& root) {
    DiscoverOptions options;
    options.root = root;
    return options;
}

} // namespace

TEST_GROUP(Capture) {
    std::string folder;
    void setup() override {
        char name[] = "/tmp/stratum-capture-XXXXXX";
        folder = ::mkdtemp(name);
    }
    void teardown() override {
        fs::remove_all(folder);
    }
};

TEST(Capture, of_this_machine_reads_back_as_the_same_inventory) {
    const std::string target = folder + "/machine";
    const auto inventory = capture({}, target);
    CHECK(inventory.has_value());
    auto back = discover(captured(target));
    back.warnings = inventory->warnings; // said of the asking
    STRCMP_EQUAL(write_json(to_node(*inventory), 1).c_str(), write_json(to_node(back), 1).c_str());
    CHECK(parse_json(text_of(target + "/expected.json")).root.value() == to_node(*inventory));
    // A join code may stand on the kernel's command line, and anything on a process's.
    CHECK(!fs::exists(target + "/proc/cmdline"));
    for (const auto& entry : fs::recursive_directory_iterator(target + "/proc"))
        CHECK(entry.path().filename() != "cmdline" && entry.path().filename() != "environ");
}

TEST(Capture, of_a_captured_machine_is_that_machine_again) {
    const std::string target = folder + "/machine";
    const auto inventory = capture(captured("tests/machines/full-stack"), target);
    CHECK(inventory.has_value());
    LONGS_EQUAL(6, inventory->disks.size());
    CHECK(*inventory == discover(captured(target)));
    CHECK(*inventory == discover(captured("tests/machines/full-stack")));
}

TEST(Capture, holds_what_was_read_and_nothing_else) {
    fs::create_directories(folder + "/source");
    fs::copy("tests/machines/full-stack", folder + "/source",
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    std::ofstream(folder + "/source/sys/devices/key") << "not asked for";
    CHECK(capture(captured(folder + "/source"), folder + "/machine").has_value());
    CHECK(fs::exists(folder + "/machine/run/udev/data/b8:0"));
    CHECK(fs::exists(folder + "/machine/contents.json"));
    CHECK(!fs::exists(folder + "/machine/sys/devices/key"));
}

TEST(Capture, is_closed_to_others) {
    fs::create_directories(folder + "/machine");
    fs::permissions(folder + "/machine", fs::perms::all);
    CHECK(capture(captured("tests/machines/full-stack"), folder + "/machine/").has_value());
    LONGS_EQUAL(0700, mode_of(folder + "/machine"));
    LONGS_EQUAL(0700, mode_of(folder + "/machine/sys"));
    LONGS_EQUAL(0600, mode_of(folder + "/machine/expected.json"));
}

TEST(Capture, refuses_a_folder_with_something_in_it_and_leaves_it) {
    std::ofstream(folder + "/notes") << "mine";
    const auto refused = capture({}, folder);
    CHECK(!refused.has_value());
    CHECK(refused.error().code == ErrorCode::kConflict);
    STRCMP_CONTAINS("notes", refused.error().message.c_str());
    LONGS_EQUAL(1, std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Capture, refuses_a_link_a_file_and_a_folder_without_a_parent) {
    fs::create_directories(folder + "/empty");
    fs::create_directory_symlink(folder + "/empty", folder + "/link");
    std::ofstream(folder + "/file") << "";
    for (const char* name : {"/link", "/file", "/none/machine"})
        CHECK(!capture({}, folder + name).has_value());
    CHECK(fs::is_empty(folder + "/empty"));
}

TEST(Capture, writes_nothing_outside_its_folder_whatever_paths_and_links_say) {
    const auto target = CaptureFolder::claim(folder + "/machine");
    CHECK(target.has_value());
    CHECK(target->write({{"/out", {Kind::kLink, ".."}}}).has_value());
    CHECK(!target->write({{"/out/file", {Kind::kFile, "x"}}}).has_value());
    CHECK(!target->write({{"/../file", {Kind::kFile, "x"}}}).has_value());
    CHECK(!target->write({{"/a/../../file", {Kind::kFile, "x"}}}).has_value());
    CHECK(!fs::exists(folder + "/file"));
}

TEST(Capture, keeps_what_could_not_be_read_unreadable) {
    const auto target = CaptureFolder::claim(folder + "/machine");
    CHECK(target->write({{"/sys/speed", {Kind::kUnreadable, ""}}}).has_value());
    CHECK(fs::exists(folder + "/machine/sys/speed"));
    DiscoverOptions options = captured(folder + "/machine");
    CHECK(discover(options).disks.empty());
    CHECK(fs::is_directory(folder + "/machine/sys/speed"));
    CHECK(!fs::is_empty(folder + "/machine/sys/speed")); // git would drop it
}

TEST(Capture, what_opened_devices_told_survives_whole) {
    ContentRecord full;
    full.is_complete = true;
    full.problem = "not all of it could be read";
    full.signatures = {{"raid", "linux_raid_member", "box:0", "u-1", 4096, "vg", "vg-uuid"}};
    full.tables = {{"gpt", "u-2", 512, true}};
    TablePartition partition;
    partition.number = 3;
    partition.start_bytes = 1u << 20;
    partition.size_bytes = 5ull << 40;
    partition.type = "0x83";
    partition.label = "root";
    partition.uuid = "u-3";
    partition.is_container = true;
    partition.signatures = {{"filesystem", "ext4", "", "u-4", 0, "", ""}};
    partition.tables = {{"dos", "", 510, false}};
    full.partitions = {partition};
    full.exclusive = Exclusive::kBusy;
    full.dm_open_count = 0;
    full.dm_target = "multipath";
    full.dm_status = "2 0 0 0 1 1 A 0 1 2 8:208 A 0 0 1";
    full.writer = Writer{4711, "mkfs.ext4"};
    for (const Exclusive exclusive : {Exclusive::kBusy, Exclusive::kFree, Exclusive::kUnknown}) {
        full.exclusive = exclusive;
        const auto back = read_contents(to_node({{"cciss/c0d0", full}, {"sda", ContentRecord{}}}));
        LONGS_EQUAL(2, back.size());
        CHECK(back.at("cciss/c0d0") == full);
        CHECK(back.at("sda") == ContentRecord{});
    }
}

TEST(Capture, what_the_route_socket_told_survives_whole) {
    LinkRecord full;
    full.index = 7;
    full.name = "bond0.42";
    full.alt_names = {"enp3s0", "enx525400aa0001"};
    full.mac = "52:54:00:aa:00:01";
    full.permanent_mac = "52:54:00:aa:00:02";
    full.hardware_type = 1;
    full.kind = "vlan";
    full.mtu = 1500;
    full.max_mtu = 4294967295u;
    full.carrier = true;
    full.master = "br0";
    full.parent = "bond0";
    full.vlan_id = 0;
    full.addresses = {{"10.42.0.5/24", true, false, false},
                      {"fe80::1/64", false, false, true},
                      {"fd42::9/128", true, true, false}};
    full.parent_bus = "pci";
    full.parent_device = "0000:03:00.0";
    full.driver = "igb";
    full.firmware_version = "1.63";
    LinkRecord down = full, bare;
    down.kind = "bond";
    down.vlan_id.reset();
    down.bond = {"802.3ad", "layer3+4", "fast", 100};
    down.carrier = false;
    down.hardware_type = 512;
    bare.name = "sit0";
    const std::vector<LinkRecord> links = {full, down, bare};
    CHECK(parse_ip_links(ip_links_node(links)) == links);
    const std::vector<RouteRecord> routes = {{"10.42.0.0/24", "", "bond0.42", 0, true},
                                             {"", "10.42.0.1", "bond0.42", 4294967295u, true},
                                             {"", "", "ppp0", 0, false},
                                             {"10.1.1.1/32", "10.42.0.1", "bond0.42", 5, true},
                                             {"fd42::/64", "", "bond0.42", 256, false}};
    CHECK(parse_ip_routes(ip_routes_node(routes)) == routes);
}
