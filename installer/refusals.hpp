// What a refusal means for the joiner: one row for each code the founder can answer with, and for a
// founder that is not reached.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "installer/founder_wire.hpp"

namespace stratum::installer {

enum class Remedy {
    kRetry,   // the same again later, by itself
    kAskCode, // this code is of no use: another one is needed
    kStop,    // a person must put something right
    kPairing, // this run of pairing is over
    kEnded,   // there is no such join (any more)
    kNewKey,  // a person must agree to a new client key
};

struct RefusalRow {
    std::string_view code;
    Remedy remedy;
    std::string_view message;   // what it means, in a sentence
    std::string_view next_step; // what to do
};

std::span<const RefusalRow> refusal_rows();
// The row of the refusal's code; kinds without a code and unknown codes have rows of their own.
const RefusalRow& row_of(const Refusal& refusal);

} // namespace stratum::installer
