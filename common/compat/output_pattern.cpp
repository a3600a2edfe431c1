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
               std::string_view(".+~:_-").find(c) != std::string_view::npos;
    };
    while (at < text.size() && is_part(text[at])) ++at;
    return at;
}

// What ends a sentence is no part of the version; a + is (a kernel's, of changed sources).
std::optional<Version> version_in(std::string_view text) {
    while (!text.empty() && std::string_view(".:-").find(text.back()) != std::string_view::npos)
        text.remove_suffix(1);
    const auto version = Version::parse(text);
    return version ? std::optional(*version) : std::nullopt;
}

struct Match {
    std::size_t end = 0;
    std::optional<Version> version;
};

// A piece of a pattern without *, from `at` on.
std::optional<Match> match_piece(std::string_view piece, std::string_view line, std::size_t at) {
    Match match{at, std::nullopt};
    while (!piece.empty()) {
        if (is_space(piece.front())) {
            if (match.end >= line.size() || !is_space(line[match.end])) return std::nullopt;
            match.end = after_space(line, match.end);
            piece.remove_prefix(after_space(piece, 0));
        } else if (piece.starts_with(kPlace)) {
            const std::size_t end = version_end(line, match.end);
            match.version = version_in(line.substr(match.end, end - match.end));
            if (!match.version) return std::nullopt;
            match.end = end;
            piece.remove_prefix(kPlace.size());
        } else {
            if (match.end >= line.size() || line[match.end] != piece.front()) return std::nullopt;
            ++match.end;
            piece.remove_prefix(1);
        }
    }
    return match;
}

// Each piece behind a * at the first place where it fits: what follows has the most room then, so
// no other place need be tried.
std::optional<Version> match(std::string_view pattern, std::string_view line) {
    std::optional<Version> version;
    std::size_t at = 0;
    bool is_first = true;
    for (const std::string& piece : split(pattern, '*')) {
        auto found = match_piece(piece, line, at);
        for (std::size_t from = at + 1; !is_first && !found && from <= line.size(); ++from)
            found = match_piece(piece, line, from);
        if (!found) return std::nullopt;
        if (found->version) version = std::move(found->version);
        at = found->end;
        is_first = false;
    }
    return version;
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
    const auto found = find_two(output);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<Version> OutputPattern::find_two(std::string_view output) const {
    std::vector<Version> versions;
    for (int count = 0; count < kMostLines && !output.empty(); ++count) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        std::string_view line = output.substr(0, std::min(end, kMostLineBytes));
        // A version at the cut may go on behind it: 25.0 is not 25.03.
        if (end > kMostLineBytes)
            while (!line.empty() && !is_space(line.back())) line.remove_suffix(1);
        output.remove_prefix(std::min(end + 1, output.size()));
        line.remove_prefix(after_space(line, 0));
        auto found = match(text_, line);
        if (!found || (!versions.empty() && versions.front().str() == found->str())) continue;
        versions.push_back(*std::move(found));
        if (versions.size() == 2 || text_.starts_with(kPlace)) break;
    }
    return versions;
}

} // namespace stratum::compat
