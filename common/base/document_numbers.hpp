// Numbers with a fraction as both formats write them.
#pragma once

#include <string>

namespace stratum {

// The shortest text that reads back as the same value; always with a point or an exponent, and an
// exponent always behind a point (1.0e+22), so that no reader takes it for an integer or a word.
std::string number_text(double value);

} // namespace stratum
