#include "common/compat/output_pattern.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::compat {
namespace {

constexpr std::string_view kPlace = "{version}";
constexpr std::size_t kMostBytes = 200;
constexpr std::size_t kMostLineBytes = 1000;
constexpr int kMostLines = 1000;

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::size_t after_space(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}

std::size_t version_end(std::string_view text, std::size_t at) {
    const auto is_part = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view(".+~:-").find(c) != std::string_view::npos;
    };
    while (at < text.size() && is_part(text[at])) ++at;
    return at;
}

// A full stop or a comma's neighbour that ends a sentence is no part of the version.
std::optional<Version> version_in(std::string_view text) {
    while (!text.empty() && std::string_view(".:-+~").find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    const auto version = Version::parse(text);
    return version ? std::optional(*version) : std::nullopt;
}

struct Match {
    bool fits = false;
    std::optional<Version> version;
};

// Pattern and line from here on. A * tries each place behind it: patterns are short, lines too.
Match match(std::string_view pattern, std::string_view line) {
    std::size_t at = 0;
    std::optional<Version> version;
    while (!pattern.empty()) {
        if (is_space(pattern.front())) {
            if (at >= line.size() || !is_space(line[at])) return {};
            at = after_space(line, at);
            pattern.remove_prefix(after_space(pattern, 0));
        } else if (pattern.starts_with(kPlace)) {
            const std::size_t end = version_end(line, at);
            version = version_in(line.substr(at, end - at));
            if (!version) return {};
            at = end;
            pattern.remove_prefix(kPlace.size());
        } else if (pattern.front() == '*') {
            for (std::size_t from = at; from <= line.size(); ++from) {
                const Match rest = match(pattern.substr(1), line.substr(from));
                if (rest.fits) return {true, version ? version : rest.version};
            }
            return {};
        } else {
            if (at >= line.size() || line[at] != pattern.front()) return {};
            ++at;
            pattern.remove_prefix(1);
        }
    }
    return {true, version};
}

} // namespace

Result<OutputPattern> OutputPattern::parse(std::string_view text) {
    const auto wrong = [&](const std::string& why) {
        return fail(ErrorCode::kInvalid,
                    "\"" + to_valid_utf8(text.substr(0, kMostBytes)) + "\" " + why);
    };
    if (text.size() > kMostBytes) return wrong("is longer than 200 bytes");
    const std::size_t place = text.find(kPlace);
    if (place == std::string_view::npos || text.find(kPlace, place + 1) != std::string_view::npos)
        return wrong("needs {version} exactly once, where the version stands");
    if (place > 0 && text[place - 1] == '*')
        return wrong("has * right before {version}: say what stands before the version");
    if (std::count(text.begin(), text.end(), '*') > 3) return wrong("has more than three *");
    OutputPattern made;
    made.text_ = std::string(trim(text));
    return made;
}

std::optional<Version> OutputPattern::find(std::string_view output) const {
    for (int count = 0; count < kMostLines && !output.empty(); ++count) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        std::string_view line = output.substr(0, std::min(end, kMostLineBytes));
        output.remove_prefix(std::min(end + 1, output.size()));
        line.remove_prefix(after_space(line, 0));
        if (const Match found = match(text_, line); found.fits) return found.version;
    }
    return std::nullopt;
}

} // namespace stratum::compat
