// A rule over versions that are known, or not.
#include "common/compat/expression.hpp"

#include <algorithm>

#include "common/compat/expression_tree.hpp"

namespace stratum::compat {
namespace {

using Term = Expression::Term;

void add_once(const std::string& name, std::vector<std::string>& names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

class Evaluation {
public:
    explicit Evaluation(const Expression::Lookup& version_of) : version_of_(version_of) {}

    Truth truth_of(const Term& term) {
        switch (term.kind) {
        case Term::Kind::kOr:
            return first_of(term, Truth::kYes);
        case Term::Kind::kAnd:
            return first_of(term, Truth::kNo);
        case Term::Kind::kNot: {
            const Truth inner = truth_of(*term.terms.front());
            if (inner == Truth::kUnknown) return inner;
            return inner == Truth::kYes ? Truth::kNo : Truth::kYes;
        }
        case Term::Kind::kIn: {
            const auto version = version_of(term.left);
            return version ? of(term.range.contains(*version)) : Truth::kUnknown;
        }
        case Term::Kind::kCompare:
            break;
        }
        const auto left = version_of(term.left);
        const auto right = version_of(term.right);
        return left && right ? of(holds(*left, term.sign, *right)) : Truth::kUnknown;
    }

    std::vector<std::string> unknown;

private:
    static Truth of(bool holds) { return holds ? Truth::kYes : Truth::kNo; }

    // `or` is decided by one that holds, `and` by one that does not; else one unknown leaves it
    // open.
    Truth first_of(const Term& term, Truth deciding) {
        bool is_open = false;
        for (const auto& inner : term.terms) {
            const Truth truth = truth_of(*inner);
            if (truth == deciding) return deciding;
            is_open = is_open || truth == Truth::kUnknown;
        }
        if (is_open) return Truth::kUnknown;
        return deciding == Truth::kYes ? Truth::kNo : Truth::kYes;
    }

    static bool holds(const Version& left, Sign sign, const Version& right) {
        switch (sign) {
        case Sign::kEqual:
            return left == right;
        case Sign::kNotEqual:
            return left != right;
        case Sign::kLess:
            return left < right;
        case Sign::kLessOrEqual:
            return left <= right;
        case Sign::kGreater:
            return left > right;
        case Sign::kGreaterOrEqual:
            break;
        }
        return left >= right;
    }

    std::optional<Version> version_of(const Side& side) {
        if (side.component.empty()) return side.literal;
        auto version = version_of_(side.component);
        if (!version) {
            add_once(side.component, unknown);
            return std::nullopt;
        }
        if (side.part == Part::kVersion) return version;
        const auto part =
            Version::parse(side.part == Part::kMajor ? version->major() : version->major_minor());
        return part ? std::optional(*part) : std::nullopt;
    }

    const Expression::Lookup& version_of_;
};

void add_components(const Term& term, std::vector<std::string>& names) {
    for (const auto& inner : term.terms) add_components(*inner, names);
    for (const Side* side : {&term.left, &term.right})
        if (!side->component.empty()) add_once(side->component, names);
}

} // namespace

Outcome Expression::evaluate(const Lookup& version_of) const {
    Evaluation evaluation(version_of);
    Outcome outcome;
    if (!root_) return outcome; // one that was never read decides nothing
    outcome.truth = evaluation.truth_of(*root_);
    if (outcome.truth == Truth::kUnknown) outcome.unknown = std::move(evaluation.unknown);
    return outcome;
}

std::vector<std::string> Expression::components() const {
    std::vector<std::string> names;
    if (root_) add_components(*root_, names);
    return names;
}

} // namespace stratum::compat
