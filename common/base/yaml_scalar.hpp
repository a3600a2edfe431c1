// What a plain (unquoted) YAML scalar means. Core schema of YAML 1.2; whatever YAML 1.1 readers
// take for something else is refused, so that no two programs read one file in two ways.
#pragma once

#include <string_view>

#include "common/base/document.hpp"
#include "common/base/result.hpp"

namespace stratum {

// null, a boolean, a number or a string; kInvalid with what to write instead.
Result<Node> resolve_plain(std::string_view text);

// True where `text` written without quotes, as key or value in block style, is read as that string.
bool is_safe_plain(std::string_view text);

} // namespace stratum
