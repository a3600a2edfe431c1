// The tree of a rule, between its parser and its evaluation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/version.hpp"
#include "common/compat/expression.hpp"

namespace stratum::compat {

enum class Part { kVersion, kMajor, kMajorMinor };
enum class Sign { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };

// One side of a comparison: a component's version (or a part of it), or a version as written.
struct Side {
    std::string component; // empty: `literal`
    Part part = Part::kVersion;
    Version literal;
};

struct Expression::Term {
    enum class Kind { kOr, kAnd, kNot, kCompare, kIn };
    Kind kind = Kind::kCompare;
    std::vector<std::shared_ptr<const Term>> terms; // of or, and, not
    Side left, right;                               // of a comparison; in: left
    Sign sign = Sign::kEqual;
    VersionRange range; // of in
};

} // namespace stratum::compat
