// Where a version stands in what a program prints: "ovn-controller {version}". A line fits that
// begins (after white space) with the pattern's words; white space fits any white space, * fits
// anything up to what follows it, {version} takes letters, digits and . + ~ : _ - from a digit on
// ("v" in front of it is dropped). What stands behind the version does not matter, unless the
// pattern goes on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"
#include "common/base/version.hpp"

namespace stratum::compat {

class OutputPattern {
public:
    // Up to 200 bytes with exactly one {version}, and no * directly before it.
    static Result<OutputPattern> parse(std::string_view text);

    // The version in the first line that fits; nothing where none does, or what stands there is no
    // version. Lines are looked at up to 1,000 bytes of each and 1,000 of them.
    [[nodiscard]] std::optional<Version> find(std::string_view output) const;
    // That one, and behind it the first other one that a line which fits has. A pattern that begins
    // with {version} does not say whose it is: then the first line counts.
    [[nodiscard]] std::vector<Version> find_two(std::string_view output) const;
    [[nodiscard]] const std::string& str() const { return text_; }

private:
    std::string text_;
};

} // namespace stratum::compat
