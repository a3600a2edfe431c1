// The text of a rule to its tree: one function for each line of the grammar.
#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "common/compat/expression.hpp"
#include "common/compat/expression_tree.hpp"

namespace stratum::compat {
namespace {

constexpr std::size_t kMostBytes = 1000;
constexpr int kMostDepth = 32;

using Term = Expression::Term;
using TermPtr = std::shared_ptr<const Term>;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_id_start(char c) {
    return c >= 'a' && c <= 'z';
}
bool is_id(char c) {
    return is_id_start(c) || is_digit(c) || c == '-';
}
bool is_version(char c) {
    return is_id(c) || (c >= 'A' && c <= 'Z') ||
           std::string_view(".+~:_").find(c) != std::string_view::npos;
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    TermPtr whole() {
        TermPtr root = rule();
        skip_space();
        if (!fault_ && at_ < text_.size()) wrong("\"and\", \"or\" or the end of the rule");
        return fault_ ? nullptr : root;
    }

    [[nodiscard]] const std::optional<ExpressionFault>& fault() const { return fault_; }

private:
    TermPtr rule() { return joined(Term::Kind::kOr, "or", &Parser::all); }
    TermPtr all() { return joined(Term::Kind::kAnd, "and", &Parser::negation); }

    TermPtr joined(Term::Kind kind, std::string_view word, TermPtr (Parser::*inner)()) {
        auto term = std::make_shared<Term>();
        term->kind = kind;
        do term->terms.push_back((this->*inner)());
        while (!fault_ && take_word(word));
        if (fault_) return nullptr;
        return term->terms.size() == 1 ? term->terms.front() : term;
    }

    TermPtr negation() {
        if (++depth_ > kMostDepth) wrong("at most 32 brackets and nots inside one another");
        TermPtr term;
        if (!fault_) term = take_word("not") ? negated() : take("(") ? bracketed() : comparison();
        --depth_;
        return fault_ ? nullptr : term;
    }

    TermPtr negated() {
        auto term = std::make_shared<Term>();
        term->kind = Term::Kind::kNot;
        term->terms.push_back(negation());
        return term;
    }

    TermPtr bracketed() {
        TermPtr inner = rule();
        if (!fault_ && !take(")")) wrong("a closing bracket");
        return inner;
    }

    TermPtr comparison() {
        auto term = std::make_shared<Term>();
        term->left = side();
        if (fault_) return nullptr;
        if (take_word("in")) {
            term->kind = Term::Kind::kIn;
            term->range = range();
        } else if (const auto sign = take_sign()) {
            term->sign = *sign;
            term->right = side();
        } else {
            wrong("one of == != < <= > >= or \"in\"");
        }
        return fault_ ? nullptr : term;
    }

    Side side() {
        skip_space();
        if (at_ < text_.size() && is_id_start(text_[at_])) return component();
        Side made;
        const std::size_t start = at_;
        const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
        const std::string text = is_quoted ? quoted() : run(is_version);
        if (fault_) return made;
        if (text.empty()) return wrong("a component's id or a version"), made;
        if (const auto version = Version::parse(text))
            made.literal = *version;
        else
            fault_at(start, version.error().message);
        return made;
    }

    Side component() {
        static constexpr std::array<std::pair<std::string_view, Part>, 3> kParts = {
            {{"version", Part::kVersion},
             {"major", Part::kMajor},
             {"major_minor", Part::kMajorMinor}}};
        Side made;
        const std::size_t start = at_;
        made.component = run(is_id);
        if (made.component == "and" || made.component == "or" || made.component == "in" ||
            made.component == "not") {
            at_ = start;
            return wrong("a component's id or a version"), made;
        }
        if (at_ >= text_.size() || text_[at_] != '.') return made;
        ++at_;
        const std::size_t part_start = at_;
        const std::string name = run([](char c) { return is_id_start(c) || c == '_'; });
        const auto* part = std::find_if(kParts.begin(), kParts.end(),
                                        [&](const auto& one) { return one.first == name; });
        if (part == kParts.end()) {
            at_ = part_start;
            return wrong("version, major or major_minor after the dot"), made;
        }
        made.part = part->second;
        return made;
    }

    VersionRange range() {
        skip_space();
        const std::size_t start = at_;
        if (at_ >= text_.size() || text_[at_] != '"')
            return wrong("a range in quotes, such as \">=25.03 <26.00\""), VersionRange{};
        const std::string text = quoted();
        if (fault_) return {};
        const auto made = VersionRange::parse(text);
        if (made) return *made;
        fault_at(start, made.error().message);
        return {};
    }

    std::string quoted() {
        const std::size_t end = text_.find('"', at_ + 1);
        if (end == std::string_view::npos) return wrong("a closing quote"), std::string{};
        std::string inner(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return inner;
    }

    std::optional<Sign> take_sign() {
        // The longer sign first: "<" is also the beginning of "<=".
        static constexpr std::array<std::pair<std::string_view, Sign>, 6> kSigns = {
            {{"==", Sign::kEqual},
             {"!=", Sign::kNotEqual},
             {"<=", Sign::kLessOrEqual},
             {">=", Sign::kGreaterOrEqual},
             {"<", Sign::kLess},
             {">", Sign::kGreater}}};
        for (const auto& [text, sign] : kSigns)
            if (take(text)) return sign;
        return std::nullopt;
    }

    template<class Is>
    std::string run(Is is) {
        const std::size_t start = at_;
        while (at_ < text_.size() && is(text_[at_])) ++at_;
        return std::string(text_.substr(start, at_ - start));
    }

    bool take(std::string_view sign) {
        skip_space();
        if (fault_ || !text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }

    bool take_word(std::string_view word) {
        skip_space();
        const std::string_view rest = text_.substr(at_);
        if (fault_ || !rest.starts_with(word)) return false;
        if (rest.size() > word.size() && is_version(rest[word.size()])) return false;
        at_ += word.size();
        return true;
    }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }

    void wrong(std::string_view needed) {
        skip_space();
        const std::string_view found = text_.substr(at_, 20);
        fault_at(at_, (found.empty() ? std::string("the rule ends here")
                                     : "\"" + to_valid_utf8(found) + "\" stands here") +
                          ", needed is " + std::string(needed));
    }

    void fault_at(std::size_t offset, std::string message) {
        if (!fault_) fault_ = ExpressionFault{offset, std::move(message)};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<ExpressionFault> fault_;
};

} // namespace

tl::expected<Expression, ExpressionFault> Expression::parse(std::string_view text) {
    if (text.size() > kMostBytes)
        return tl::make_unexpected(ExpressionFault{
            kMostBytes, "the rule has " + std::to_string(text.size()) + " bytes, at most " +
                            std::to_string(kMostBytes) + " are read"});
    Parser parser(text);
    auto root = parser.whole();
    if (!root) return tl::make_unexpected(*parser.fault());
    Expression made;
    made.text_ = std::string(text);
    made.root_ = std::move(root);
    return made;
}

} // namespace stratum::compat
