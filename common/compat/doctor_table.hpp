// The component x node table of the doctor. Pure.
#pragma once

#include <string>

#include "common/compat/doctor.hpp"

namespace stratum::compat {

// Whether two nodes run the same, by all that is said of them.
bool reads_same(const Report& a, const Report& b);

// One of the samples is that of the node that answers: it has its name, the report on top has not.
bool own_is_sampled(const Fleet& fleet);

// What differs between nodes stands first, then what is worst; the nodes at fault stand next to the
// one that answers. No line is wider than the style's columns (at least 80).
std::string doctor_table(const Fleet& fleet, const DoctorStyle& style);

// "\x1b[31m" and its like, and what ends it.
std::string in_ink(const std::string& text, Fit fit, bool colour);

} // namespace stratum::compat
