#include <fstream>
#include <sstream>

#include "common/base/terminal.hpp"
#include "common/base/text.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/table.hpp"
#include "hwdiscovery/table_text.hpp"
#include "tests/hwdiscovery/rack_7.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

facts::Inventory machine() {
    DiscoverOptions options;
    options.root = "tests/machines/full-stack";
    return discover(options);
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_GROUP(HwTable){};

TEST(HwTable, no_line_is_wider_than_asked) {
    for (int columns : {80, 60, 120})
        for (const auto& line : split(render_table(machine(), columns, false, true), '\n'))
            // A key is never broken.
            CHECK_TEXT(width_of(line) <= static_cast<std::size_t>(columns) ||
                           has(line, "/dev/disk"),
                       line.c_str());
}

TEST(HwTable, each_disk_says_what_it_holds_and_why_it_may_not_be_used) {
    const auto text = render_table(machine(), 80, false, true);
    CHECK(has(text, "ext4 “bulk” on /dev/sdb"));
    CHECK(has(text, "it is mounted: /dev/dm-0 at /run/m"));
    CHECK(has(text, "wiping it also takes from /dev/nvme1n1"));
    CHECK(has(text, "0x5000c500a1b2c301"));
    CHECK(has(text, "not usable"));
    CHECK(has(text, "802.3ad of enp0s6, enp0s7"));
}

TEST(HwTable, a_blank_disk_and_one_of_unknown_contents_say_so) {
    facts::Inventory inventory;
    facts::Disk disk;
    disk.path = "/dev/sda";
    disk.wwn = "0x5000c500a1b2c301";
    disk.size_bytes = 1ull << 40;
    disk.holds = std::vector<facts::Hold>{};
    inventory.disks = {disk};
    CHECK(has(render_table(inventory, 80, false, true), "  blank\n"));
    inventory.disks[0].holds.reset();
    CHECK(has(render_table(inventory, 80, false, true), "not known to be blank\n"));
}

TEST(HwTable, without_utf8_it_is_plain_ascii_and_without_colour_has_no_escapes) {
    auto inventory = machine();
    inventory.disks[0].model = "Früh\x1b[31m";
    for (char c : render_table(inventory, 80, false, false))
        CHECK(c == '\n' || (c >= ' ' && c <= '~'));
    CHECK(has(render_table(inventory, 80, true, true), "\x1b[31mnot usable\x1b[0m"));
}

TEST(HwTable, a_usable_disk_says_what_it_takes_and_a_refused_one_does_not) {
    facts::Inventory inventory;
    facts::Disk disk;
    disk.path = "/dev/sda";
    disk.wwn = "0x5000c500a1b2c301";
    disk.size_bytes = 1ull << 40;
    disk.holds = std::vector<facts::Hold>{};
    inventory.disks = {disk};
    const auto drawn = [&] { return render_table(inventory, 80, false, true); };
    CHECK(has(drawn(), "it may be used: nothing is on it"));
    inventory.disks[0].holds->push_back({"filesystem", "ext4", "old", "", "/dev/sda", {}});
    CHECK(has(drawn(), "only with a confirmation: what it holds would be lost"));
    inventory.disks[0].holds.reset();
    CHECK(has(drawn(), "what is on it is not known"));
    inventory.disks[0].mounted = true;
    CHECK(!has(drawn(), "confirmation"));
    CHECK(has(drawn(), "it is mounted"));
}

TEST(HwTable, an_array_that_is_not_as_it_should_be_is_said_and_one_in_order_is_not) {
    facts::Inventory inventory;
    facts::Disk disk;
    disk.path = "/dev/sda";
    facts::StackLayer array;
    array.path = "/dev/md0";
    array.level = "raid5";
    array.degraded = false;
    disk.stack = {array};
    inventory.disks = {disk};
    CHECK(!has(render_table(inventory, 120, false, true), "health"));
    auto& layer = inventory.disks[0].stack[0];
    layer.degraded = true;
    layer.failed = {"sdc1"};
    layer.sync = "recover";
    layer.sync_percent = 12;
    CHECK(has(render_table(inventory, 120, false, true),
              "/dev/md0 raid5: degraded, sdc1 failed, recover at 12 %"));
}

TEST(HwTable, wide_characters_take_two_cells_and_combining_ones_none) {
    LONGS_EQUAL(5, width_of("Früh."));
    LONGS_EQUAL(4, width_of("数据"));
    LONGS_EQUAL(1, width_of("e\xcc\x81"));
    LONGS_EQUAL(2, width_of("\xf0\x9f\x92\xbe")); // a floppy disk
    LONGS_EQUAL(0, width_of(""));
    LONGS_EQUAL(3, width_of("\xef\xbf\xbd“a")); // U+FFFD, a quotation mark, a
}

TEST(HwTable, a_line_of_wide_characters_is_cut_at_its_cells) {
    facts::Inventory inventory;
    facts::Disk disk;
    for (int i = 0; i < 30; ++i) disk.path += "数";
    disk.holds.emplace();
    inventory.disks = {disk};
    for (const auto& line : split(render_table(inventory, 41, false, true), '\n'))
        CHECK_TEXT(width_of(line) <= 41, line.c_str());
}

TEST(HwTable, a_label_cannot_turn_the_line_that_it_stands_in) {
    facts::Inventory inventory;
    inventory.hostname = "a\xe2\x80\xae"
                         "b"; // right-to-left override
    const auto drawn = render_table(inventory, 80, false, true);
    CHECK(!has(drawn, "\xe2\x80\xae"));
    CHECK(has(drawn, "a\xef\xbf\xbd"
                     "b"));
}

TEST(HwTable, a_note_is_wrapped_and_not_cut) {
    facts::Inventory inventory;
    inventory.warnings = {
        "one two three four five six seven eight nine ten eleven twelve thirteen"};
    CHECK(has(render_table(inventory, 40, false, true),
              "note: one two three four five six seven\neight nine ten eleven twelve thirteen\n"));
}

// The same machine as it was drawn when somebody last looked at the drawing. To draw it anew after
// a change that is meant: STRATUM_DRAW_GOLDEN=1 with this test, then look at the difference.
TEST(HwTable, the_drawing_of_a_machine_is_the_one_that_was_looked_at) {
    struct Drawing {
        const char* name;
        int columns;
        bool colour, utf8;
    };
    for (const Drawing& one :
         {Drawing{"80", 80, false, true}, Drawing{"60", 60, false, true},
          Drawing{"120", 120, false, true}, Drawing{"80-ascii", 80, false, false},
          Drawing{"80-colour", 80, true, true}}) {
        const auto drawn = render_table(rack_7(), one.columns, one.colour, one.utf8);
        const std::string path = std::string("tests/hwdiscovery/golden/table-") + one.name + ".txt";
        if (!environment("STRATUM_DRAW_GOLDEN").empty()) std::ofstream(path) << drawn;
        std::ifstream file(path);
        std::stringstream wanted;
        wanted << file.rdbuf();
        STRCMP_EQUAL_TEXT(wanted.str().c_str(), drawn.c_str(), path.c_str());
    }
}

TEST(HwTable, words_wrap_at_spaces_alone) {
    CHECK(wrapped("aa bb cccccc d", 5) == (std::vector<std::string>{"aa bb", "cccccc", "d"}));
    CHECK(wrapped("", 5).empty());
}
