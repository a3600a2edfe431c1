// The forms that a text field can have, by the function that judges it: in words for a person, and
// as a regular expression that takes at least what the function takes.
#pragma once

#include <string_view>

#include "common/config/faults.hpp"

namespace stratum::config {

struct Form {
    Fault (*fault)(std::string_view);
    std::string_view words;
    std::string_view pattern; // ECMA-262, without anchors
};

// nullptr where the function has no row: a test says so.
const Form* form_of(Fault (*fault)(std::string_view));

} // namespace stratum::config
