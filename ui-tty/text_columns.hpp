// Text as a terminal counts it: columns, not bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stratum::ui {

// Nothing that a terminal would take for a command; without `utf8` printable ASCII alone, with what
// has a plain spelling spelt so (· “ ” – …) and everything else as "?".
std::string clean(std::string_view text, bool utf8);
// Columns of clean text; East Asian wide characters count as two.
int columns_of(std::string_view text);
// At most that many columns; what was cut is shown by a "~" at its end.
std::string clip(std::string_view text, int columns);
// Lines of at most that many columns, broken at spaces where there are some; lines after the first
// are indented.
std::vector<std::string> wrap(std::string_view text, int columns, int indent);

} // namespace stratum::ui
