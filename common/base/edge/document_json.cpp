#include <cmath>
#include <nlohmann/json.hpp>

#include "common/base/document.hpp"
#include "common/base/document_builder.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

using Json = nlohmann::json;

// Walks the text beside the parser, one token for each of its events, and so knows where each
// stands. The parser has found every token good before its event.
class TokenWalker {
public:
    explicit TokenWalker(std::string_view text) : text_(text) {}

    // The token of the next event.
    Position next() {
        skip(" \t\r\n,:");
        const Position start = here_;
        skip_token();
        return start;
    }

    // The token that ends at `end` or holds it, of those not yet walked; commas and colons count.
    Position token_at(std::size_t end) {
        for (;;) {
            skip(" \t\r\n");
            const Position start = here_;
            if (at_ >= text_.size()) return start;
            skip_token();
            if (at_ >= end) return start;
        }
    }

private:
    static bool is_delimiter(char c) {
        return std::string_view(" \t\r\n,:{}[]\"").find(c) != std::string_view::npos;
    }

    void skip(std::string_view any_of) {
        while (at_ < text_.size() && any_of.find(text_[at_]) != std::string_view::npos) step();
    }

    void skip_token() {
        if (at_ < text_.size() && text_[at_] == '"') return skip_string();
        const bool is_single = at_ >= text_.size() || is_delimiter(text_[at_]);
        step();
        while (!is_single && at_ < text_.size() && !is_delimiter(text_[at_])) step();
    }

    void skip_string() {
        step();
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] == '\\') step();
            step();
        }
        step();
    }

    void step() {
        if (at_ >= text_.size()) return;
        here_ = text_[at_] == '\n' ? Position{here_.line + 1, 1}
                                   : Position{here_.line, here_.column + 1};
        ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Position here_{1, 1};
};

constexpr std::string_view kOverflow = "number overflow";

// The parser's own words without its prefix and without what it read: that may be a secret.
std::string reason_of(std::string what) {
    if (what.find(kOverflow) != std::string::npos) return "a number is out of range";
    const std::size_t start = what.find("syntax error");
    if (start != std::string::npos) what.erase(0, start);
    const std::size_t read = what.find("; last read: ");
    if (read == std::string::npos) return to_valid_utf8(what);
    const std::size_t expected = what.rfind("; expected ");
    const bool has_expected = expected != std::string::npos && expected > read;
    return what.substr(0, read) + (has_expected ? what.substr(expected) : "");
}

class Handler final : public Json::json_sax_t {
public:
    Handler(std::string_view text, DocumentBuilder& builder, Findings& findings)
        : text_(text), walker_(text), builder_(builder), findings_(findings) {}

    bool null() override { return builder_.value(Node(), walker_.next()); }
    bool boolean(bool value) override {
        return builder_.value(Node::boolean(value), walker_.next());
    }
    bool number_integer(number_integer_t value) override {
        return builder_.value(Node::integer(value), walker_.next());
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(INT64_MAX)) return past_64_bits();
        return builder_.value(Node::integer(static_cast<std::int64_t>(value)), walker_.next());
    }
    bool number_float(number_float_t value, const string_t& raw) override {
        if (raw.find_first_of(".eE") == std::string::npos) return past_64_bits();
        return builder_.value(Node::number(value), walker_.next());
    }
    bool string(string_t& value) override {
        return builder_.value(Node::string(std::move(value)), walker_.next());
    }
    bool binary(binary_t&) override { return false; } // no JSON text has one
    bool start_object(std::size_t) override {
        return builder_.begin(Node::Kind::kObject, walker_.next());
    }
    bool key(string_t& name) override {
        const Position at = walker_.next();
        builder_.key(std::move(name), at);
        return true;
    }
    bool end_object() override { return end(); }
    bool start_array(std::size_t) override {
        return builder_.begin(Node::Kind::kArray, walker_.next());
    }
    bool end_array() override { return end(); }

    bool parse_error(std::size_t read, const std::string&, const Json::exception& error) override {
        const std::string what = error.what();
        // A token in the wrong place, or a byte (the last one read) that makes no token.
        const bool is_token = what.find(" - unexpected ") != std::string::npos ||
                              what.find(kOverflow) != std::string::npos;
        findings_.add(FieldPath(), "this is not JSON: " + reason_of(what),
                      is_token ? walker_.token_at(read)
                               : position_of(text_, std::min(read - 1, text_.size())));
        return false;
    }

private:
    bool end() {
        walker_.next();
        builder_.end();
        return true;
    }

    bool past_64_bits() {
        const Position at = walker_.next();
        builder_.problem("this whole number is past 64 bits", at);
        return builder_.value(Node(), at);
    }

    std::string_view text_;
    TokenWalker walker_;
    DocumentBuilder& builder_;
    Findings& findings_;
};

} // namespace

Parsed parse_json(std::string_view text, const DocumentLimits& limits) {
    Parsed parsed;
    if (!check_text(text, "JSON", limits, parsed.findings)) return parsed;
    DocumentBuilder builder(limits, parsed.findings);
    Handler handler(text, builder, parsed.findings);
    if (Json::sax_parse(text.begin(), text.end(), &handler)) parsed.root = builder.take_root();
    return parsed;
}

} // namespace stratum
