// A constraint's rule: `ovn-central.major_minor == ovn-controller.major_minor`. Comparisons of
// versions joined by and, or, not and brackets. A version that is not known makes a comparison
// neither true nor false; and, or and not go on with that as Kleene's logic says.
//
//   rule       = all { "or" all }
//   all        = not { "and" not }
//   not        = "not" not | "(" rule ")" | side ( sign side | "in" '"' range '"' )
//   side       = component [ ".version" | ".major" | ".major_minor" ] | version | '"' version '"'
//   sign       = == != < <= > >=
//
// A component is an id (a-z, 0-9, hyphens, beginning with a letter); a version begins with a digit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "common/base/version.hpp"

namespace stratum::compat {

enum class Truth { kNo, kYes, kUnknown };

struct ExpressionFault {
    std::size_t offset = 0; // bytes from the start of the rule
    std::string message;    // what was found there, and what was needed
};

struct Outcome {
    Truth truth = Truth::kUnknown;
    // Components whose version would have been needed; each once, in the rule's order.
    std::vector<std::string> unknown;
};

class Expression {
public:
    // At most 1,000 bytes and 32 brackets or nots inside one another.
    static tl::expected<Expression, ExpressionFault> parse(std::string_view text);

    using Lookup = std::function<std::optional<Version>(const std::string& component)>;
    [[nodiscard]] Outcome evaluate(const Lookup& version_of) const;

    // The components it names, each once, in their order.
    [[nodiscard]] std::vector<std::string> components() const;
    [[nodiscard]] const std::string& str() const { return text_; }

    struct Term; // the tree; expression_tree.hpp

private:
    std::string text_;
    std::shared_ptr<const Term> root_; // never changed once made
};

} // namespace stratum::compat
