// Plain tables for a terminal: a head, rows, columns as wide as they need to be. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/base/document.hpp"

namespace stratum::ctl {

using Row = std::vector<std::string>;

// Every row has as many cells as the head. The last column is not padded; a cell's control
// characters are gone.
std::string render(const Row& head, const std::vector<Row>& rows);

// Text for a terminal: lines stay lines, and what else would move the cursor, or is not UTF-8, is
// U+FFFD. Names, labels and log lines come from machines that nobody knows yet.
std::string for_terminal(std::string_view text);

// A member of an answer as text for a cell: strings as they are, numbers, yes/no; "-" where it is
// absent or empty.
std::string cell(const Node& object, std::string_view name);
// "2026-11-30T12:00:00Z" without what a person at a terminal does not need: "11-30 12:00".
std::string short_time(const std::string& time);

} // namespace stratum::ctl
