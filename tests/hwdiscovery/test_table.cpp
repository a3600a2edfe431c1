#include "common/base/text.hpp"
#include "hwdiscovery/discover.hpp"
#include "hwdiscovery/table.hpp"
#include "hwdiscovery/table_text.hpp"

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

TEST(HwTable, words_wrap_at_spaces_alone) {
    CHECK(wrapped("aa bb cccccc d", 5) == (std::vector<std::string>{"aa bb", "cccccc", "d"}));
    CHECK(wrapped("", 5).empty());
}
