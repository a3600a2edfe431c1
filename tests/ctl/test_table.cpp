// Tables and texts for a terminal.

#include "ctl/table.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {

TEST_GROUP(CtlTable){};

TEST(CtlTable, columns_are_as_wide_as_their_widest_cell_and_the_last_is_not_padded) {
    STRCMP_EQUAL("ID    NAME\n"
                 "a     beta\n"
                 "long  b\n",
                 render({"ID", "NAME"}, {{"a", "beta"}, {"long", "b"}}).c_str());
}

TEST(CtlTable, a_table_without_rows_is_its_head) {
    STRCMP_EQUAL("ID  NAME\n", render({"ID", "NAME"}, {}).c_str());
}

TEST(CtlTable, width_counts_characters_and_not_bytes) {
    STRCMP_EQUAL("N   X\n"
                 "äö  1\n",
                 render({"N", "X"}, {{"äö", "1"}}).c_str());
}

TEST(CtlTable, a_cell_cannot_move_the_cursor) {
    STRCMP_EQUAL("N       X\n"
                 "a\xef\xbf\xbd[2J\xef\xbf\xbd  1\n",
                 render({"N", "X"}, {{"a\x1b[2J\n", "1"}}).c_str());
}

TEST(CtlTable, text_for_a_terminal_keeps_its_lines_and_nothing_else_that_moves_the_cursor) {
    STRCMP_EQUAL("a\tb\nc\xef\xbf\xbd[1m\n\xef\xbf\xbd\xef\xbf\xbd",
                 for_terminal("a\tb\nc\x1b[1m\n\r\xc2\x9b").c_str());
    STRCMP_EQUAL("", for_terminal("").c_str());
}

TEST(CtlTable, a_cell_shows_text_numbers_and_yes_or_no) {
    Node node = Node::object();
    node.set("text", "beta").set("empty", "").set("number", Node::integer(-7));
    node.set("yes", Node::boolean(true)).set("no", Node::boolean(false)).set("list", Node::array());
    const auto shown = [&](const char* name) { return cell(node, name); };
    STRCMP_EQUAL("beta", shown("text").c_str());
    STRCMP_EQUAL("-7", shown("number").c_str());
    STRCMP_EQUAL("yes", shown("yes").c_str());
    STRCMP_EQUAL("no", shown("no").c_str());
    for (const char* name : {"empty", "list", "absent"}) STRCMP_EQUAL("-", shown(name).c_str());
}

TEST(CtlTable, a_time_is_shortened_and_what_is_none_is_left) {
    STRCMP_EQUAL("11-30 12:00", short_time("2026-11-30T12:00:00Z").c_str());
    STRCMP_EQUAL("-", short_time("-").c_str());
}

} // namespace stratum::ctl
