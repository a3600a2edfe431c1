#include "common/base/version.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum {
namespace {

constexpr std::size_t kMaxBytes = 128;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

struct Parts {
    std::string_view epoch;
    std::string_view upstream;
    std::string_view revision;
    bool has_epoch = false;
    bool has_revision = false;
};

Parts parts_of(std::string_view text) {
    Parts parts;
    const std::size_t colon = text.find(':');
    parts.has_epoch = colon != std::string_view::npos;
    if (parts.has_epoch) {
        parts.epoch = text.substr(0, colon);
        text.remove_prefix(colon + 1);
    }
    const std::size_t hyphen = text.rfind('-');
    parts.has_revision = hyphen != std::string_view::npos;
    parts.upstream = text.substr(0, hyphen);
    if (parts.has_revision) parts.revision = text.substr(hyphen + 1);
    return parts;
}

// Debian's order of one character: ~ before the end, the end before letters, letters before the
// rest.
int weight(std::string_view text, std::size_t at) {
    if (at >= text.size() || is_digit(text[at])) return 0;
    const char c = text[at];
    if (c == '~') return -1;
    const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return is_letter ? c : c + 256;
}

// The digits at the start by value, without limit of length; both texts lose them.
int compare_numbers(std::string_view& a, std::string_view& b) {
    const auto take = [](std::string_view& text) {
        const auto* end = std::find_if_not(text.begin(), text.end(), is_digit);
        std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        text.remove_prefix(number.size());
        while (!number.empty() && number.front() == '0') number.remove_prefix(1);
        return number;
    };
    const std::string_view number_a = take(a);
    const std::string_view number_b = take(b);
    if (number_a.size() != number_b.size()) return number_a.size() < number_b.size() ? -1 : 1;
    return number_a.compare(number_b);
}

int compare_part(std::string_view a, std::string_view b) {
    while (!a.empty() || !b.empty()) {
        std::size_t at = 0;
        while ((at < a.size() && !is_digit(a[at])) || (at < b.size() && !is_digit(b[at]))) {
            const int difference = weight(a, at) - weight(b, at);
            if (difference != 0) return difference;
            ++at;
        }
        a.remove_prefix(std::min(at, a.size()));
        b.remove_prefix(std::min(at, b.size()));
        const int difference = compare_numbers(a, b);
        if (difference != 0) return difference;
    }
    return 0;
}

std::string_view leading_digits(std::string_view text) {
    const auto* end = std::find_if_not(text.begin(), text.end(), is_digit);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

} // namespace

Result<Version> Version::parse(std::string_view text) {
    const std::string_view given = text;
    const auto wrong = [&](std::string_view why) {
        return fail(ErrorCode::kInvalid, "\"" + to_valid_utf8(given.substr(0, kMaxBytes)) +
                                             "\" is not a version: " + std::string(why));
    };
    if (text.starts_with('v')) text.remove_prefix(1);
    if (text.size() > kMaxBytes) return wrong("it is longer than 128 characters");
    if (text.empty() || !is_digit(text.front())) return wrong("it must begin with a digit");
    const bool is_clean = std::all_of(text.begin(), text.end(), [](char c) {
        return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view(".+~:_-").find(c) != std::string_view::npos;
    });
    if (!is_clean) return wrong("only letters, digits and . + ~ : _ - may be in it");
    const Parts parts = parts_of(text);
    if (parts.has_epoch && leading_digits(parts.epoch) != parts.epoch) {
        return wrong("the epoch before the colon must be a number");
    }
    if (parts.upstream.empty() || !is_digit(parts.upstream.front())) {
        return wrong("a digit must follow the epoch");
    }
    if (parts.has_revision && parts.revision.empty()) {
        return wrong("nothing follows the last hyphen");
    }
    return Version(std::string(text));
}

std::string Version::major() const {
    return std::string(leading_digits(parts_of(text_).upstream));
}

std::string Version::major_minor() const {
    const std::string_view upstream = parts_of(text_).upstream;
    const std::string_view first = leading_digits(upstream);
    const std::string_view rest = upstream.substr(first.size());
    const std::string_view second = rest.starts_with('.') ? leading_digits(rest.substr(1)) : "";
    return std::string(upstream.substr(0, first.size() + (second.empty() ? 0 : 1 + second.size())));
}

std::strong_ordering operator<=>(const Version& a, const Version& b) {
    if (a.text_.empty() || b.text_.empty()) return b.text_.empty() <=> a.text_.empty();
    const Parts left = parts_of(a.text_);
    const Parts right = parts_of(b.text_);
    std::string_view epoch_a = left.epoch;
    std::string_view epoch_b = right.epoch;
    int order = compare_numbers(epoch_a, epoch_b);
    if (order == 0) order = compare_part(left.upstream, right.upstream);
    if (order == 0) order = compare_part(left.revision, right.revision);
    return order <=> 0;
}

bool operator==(const Version& a, const Version& b) {
    return (a <=> b) == 0;
}

} // namespace stratum
