// One file of pins, read strictly, before it is laid over another.
#pragma once

#include <string_view>
#include <vector>

#include "common/compat/pins.hpp"

namespace stratum::compat {

constexpr std::size_t kMostPins = 64; // of each kind, in a file and when merged

// A row that drops another has only its id.
template<class T>
struct PinsRow {
    T value;
    bool is_dropped = false;
    bool is_whole = false; // nothing was wrong with it
    std::optional<Position> at;
};

struct PinsFile {
    std::vector<PinsRow<Component>> components;
    std::vector<PinsRow<Constraint>> constraints;
};

// Everything that is wrong is a finding at its line; rows with a fault are there all the same.
PinsFile read_pins_file(std::string_view text, Findings& findings);

} // namespace stratum::compat
