#include "common/base/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/base/text.hpp"

namespace stratum {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes characters off the front of a text while it matches.
struct Cursor {
    std::string_view rest;

    std::size_t digits(std::size_t at_most = std::string_view::npos) {
        std::size_t count = 0;
        while (count < at_most && count < rest.size() && is_digit(rest[count])) ++count;
        rest.remove_prefix(count);
        return count;
    }
    bool take(std::string_view any_of) {
        if (rest.empty() || any_of.find(rest.front()) == std::string_view::npos) return false;
        rest.remove_prefix(1);
        return true;
    }
};

std::string_view without_sign(std::string_view text) {
    return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

template<std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_only(std::string_view text, std::string_view letters) {
    return text.find_first_not_of(letters) == std::string_view::npos;
}

// 0x1F, 0o17, 0b101, 0x_1: all of them numbers to one reader or another.
bool has_base_prefix(std::string_view unsigned_text) {
    return unsigned_text.size() > 2 && unsigned_text[0] == '0' &&
           std::string_view("xXoObB").find(unsigned_text[1]) != std::string_view::npos &&
           is_only(unsigned_text.substr(2), "0123456789abcdefABCDEF_");
}

// 1_000, 1_0.5: YAML 1.1 leaves the underscores out.
bool has_underscored_digits(std::string_view unsigned_text) {
    return !unsigned_text.empty() && (is_digit(unsigned_text[0]) || unsigned_text[0] == '.') &&
           unsigned_text.find('_') != std::string_view::npos &&
           is_only(unsigned_text, "0123456789_.eE+-") &&
           unsigned_text.find_first_of("0123456789") != std::string_view::npos;
}

// 12:30:00 is 45000 to YAML 1.1 (base 60); 52:54:00:12:34:56 is a number there too.
bool is_base_60(std::string_view unsigned_text) {
    const std::size_t colon = unsigned_text.find(':');
    if (colon == 0 || colon == std::string_view::npos || !is_digit(unsigned_text[0])) return false;
    if (!is_only(unsigned_text.substr(0, colon), "0123456789_")) return false;
    Cursor cursor{unsigned_text.substr(colon)};
    while (cursor.take(":")) {
        const std::string_view group = cursor.rest;
        const std::size_t count = cursor.digits(2);
        if (count == 0 || (count == 2 && group[0] > '5')) return false;
    }
    if (cursor.take(".")) return is_only(cursor.rest, "0123456789_");
    return cursor.rest.empty();
}

// 2026-11-30, or with a time behind it.
bool is_timestamp(std::string_view text) {
    Cursor cursor{text};
    if (cursor.digits(4) != 4 || !cursor.take("-")) return false;
    if (cursor.digits(2) == 0 || !cursor.take("-")) return false;
    if (cursor.digits(2) == 0) return false;
    if (cursor.rest.empty()) return true;
    return cursor.take("Tt \t") && cursor.digits() > 0;
}

Result<Node> integer_of(std::string_view text) {
    if (text.front() == '+') text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return Node::integer(value);
    return fail(ErrorCode::kInvalid, "this whole number is past 64 bits; quote it if it is text");
}

Result<Node> fraction_of(std::string_view text) {
    if (text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return Node::number(value);
    return fail(ErrorCode::kInvalid, "this number is out of range; quote it if it is text");
}

// Nothing where the text is no decimal number.
std::optional<Result<Node>> decimal_of(std::string_view text) {
    Cursor cursor{without_sign(text)};
    const std::string_view whole = cursor.rest;
    const std::size_t before = cursor.digits();
    const bool has_point = cursor.take(".");
    const std::size_t behind = has_point ? cursor.digits() : 0;
    if (before + behind == 0) return std::nullopt;
    const bool has_exponent = cursor.take("eE");
    const bool has_exponent_sign = has_exponent && cursor.take("+-");
    if (has_exponent && cursor.digits() == 0) return std::nullopt;
    if (!cursor.rest.empty()) return std::nullopt;
    if (before > 1 && whole[0] == '0') {
        return fail(ErrorCode::kInvalid, "a number with leading zeros is octal to some readers; "
                                         "leave them out, or quote it if it is text");
    }
    if (has_exponent && !(has_point && has_exponent_sign)) {
        return fail(ErrorCode::kInvalid, "some readers take this for a number and some for text; "
                                         "write it as 1.0e+5, or quote it if it is text");
    }
    return has_point || has_exponent ? fraction_of(text) : integer_of(text);
}

// What is wrong with a text that is a number, a time or a boolean to some readers only.
std::string_view ambiguity(std::string_view text) {
    static constexpr std::array<std::string_view, 6> kOldBooleans = {"yes", "no", "on",
                                                                     "off", "y",  "n"};
    static constexpr std::array<std::string_view, 2> kNoNumbers = {".inf", ".nan"};
    const std::string_view unsigned_text = without_sign(text);
    if (is_one_of(lower(text), kOldBooleans)) {
        return "some readers take this word for true or false; write true or false, or quote it";
    }
    if (is_one_of(lower(unsigned_text), kNoNumbers)) return "only finite numbers are taken";
    if (has_base_prefix(unsigned_text)) {
        return "numbers are taken in decimal only; write it so, or quote it if it is text";
    }
    if (has_underscored_digits(unsigned_text)) {
        return "some readers leave the underscores out; write plain digits, or quote it if it is "
               "text";
    }
    if (is_base_60(unsigned_text)) {
        return "some readers take digits with colons for a number of base 60; quote it";
    }
    if (is_timestamp(text)) return "some readers take this for a date; quote it";
    if (text == "<<" || text == "=")
        return "this has a meaning of its own to some readers; quote it";
    return {};
}

} // namespace

Result<Node> resolve_plain(std::string_view text) {
    static constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
    static constexpr std::array<std::string_view, 3> kTrue = {"true", "True", "TRUE"};
    static constexpr std::array<std::string_view, 3> kFalse = {"false", "False", "FALSE"};
    if (is_one_of(text, kNulls)) return Node();
    if (is_one_of(text, kTrue)) return Node::boolean(true);
    if (is_one_of(text, kFalse)) return Node::boolean(false);
    if (auto number = decimal_of(text)) return *number;
    if (const auto problem = ambiguity(text); !problem.empty()) {
        return fail(ErrorCode::kInvalid, std::string(problem));
    }
    return Node::string(std::string(text));
}

bool is_safe_plain(std::string_view text) {
    // Narrower than YAML allows: what is quoted without need is still right.
    static constexpr std::string_view kInner =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@+-:";
    if (text.empty() || !is_only(text, kInner)) return false;
    if (std::string_view("@+-:").find(text.front()) != std::string_view::npos) return false;
    if (text.back() == ':' || text == "..." || text.size() > 200) return false;
    const auto read = resolve_plain(text);
    return read && read->is_string();
}

} // namespace stratum
