// Checks of YAML's raw text that yaml-cpp leaves out. Pure; for common/base/edge alone.
#pragma once

#include <string_view>

#include "common/base/findings.hpp"

namespace stratum {

// Characters that YAML does not allow or yaml-cpp would mistake, directives, and a last line that
// was cut off within white space. False, with one finding, where the text must not be parsed.
bool check_yaml_text(std::string_view text, Findings& findings);

// What is wrong with the scalar that begins at `at` (the end of the text too): a quote that is
// never closed, and forms that yaml-cpp reads otherwise than the rest of the world. Empty: nothing.
std::string_view scalar_problem(std::string_view text, std::size_t at);

// What is wrong with the key that begins at `at` and reads as `name`; empty where it stands on one
// line and its colon follows.
std::string_view key_problem(std::string_view text, std::size_t at, std::string_view name);

} // namespace stratum
