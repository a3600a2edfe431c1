#include "common/config/places.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "common/base/text.hpp"

namespace stratum::config {

namespace {

constexpr std::string_view kFirst = "[i]";
constexpr std::string_view kSecond = "[j]";

// Takes a quoted name off the front of `rest`, its escapes undone.
std::string take_quoted(std::string_view& rest) {
    std::string name;
    std::size_t at = 1;
    for (; at < rest.size() && rest[at] != '"'; ++at) {
        if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
        name += rest[at];
    }
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return name;
}

std::string take_name(std::string_view& rest) {
    if (rest.starts_with('"')) return take_quoted(rest);
    const std::size_t end = std::min(rest.find_first_of(".["), rest.size());
    std::string name(rest.substr(0, end));
    rest.remove_prefix(end);
    return name;
}

std::size_t take_index(std::string_view& rest, Place place) {
    const std::size_t end = std::min(rest.find(']'), rest.size());
    const std::string_view inside = rest.substr(1, end - 1);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (inside == "i") return place.i;
    if (inside == "j") return place.j;
    return parse_decimal(inside).value_or(0);
}

struct SortKey {
    std::size_t section = 0;
    std::size_t index = 0;
    friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

SortKey key_of(const Finding& finding, std::span<const std::string_view> sections) {
    std::string_view rest = finding.field;
    const std::string first = take_name(rest);
    const auto found = std::find(sections.begin(), sections.end(), first);
    SortKey key{static_cast<std::size_t>(found - sections.begin()), 0};
    // The list as a whole comes before its elements.
    if (const auto open = rest.find('['); open != std::string_view::npos) {
        rest.remove_prefix(open);
        key.index = take_index(rest, {}) + 1;
    }
    return key;
}

} // namespace

FieldPath path_of(std::string_view pattern, Place place) {
    FieldPath path;
    while (!pattern.empty()) {
        if (pattern.front() == '.')
            pattern.remove_prefix(1);
        else if (pattern.front() == '[')
            path = path.index(take_index(pattern, place));
        else
            path = path.key(take_name(pattern));
    }
    return path;
}

void for_each_place(std::string_view pattern, const CountElements& count,
                    const std::function<void(Place)>& visit) {
    const std::size_t first = pattern.find(kFirst);
    if (first == std::string_view::npos) return visit({});
    const std::size_t second = pattern.find(kSecond);
    const std::size_t outer = count(pattern.substr(0, first), {});
    for (std::size_t i = 0; i < outer; ++i) {
        if (second == std::string_view::npos) {
            visit({i, 0});
            continue;
        }
        const std::size_t inner = count(pattern.substr(0, second), {i, 0});
        for (std::size_t j = 0; j < inner; ++j) visit({i, j});
    }
}

Findings in_field_order(const Findings& findings, std::span<const std::string_view> sections) {
    std::vector<Finding> all = findings.all();
    std::stable_sort(all.begin(), all.end(), [&](const Finding& a, const Finding& b) {
        return key_of(a, sections) < key_of(b, sections);
    });
    Findings ordered;
    for (const Finding& finding : all)
        ordered.add(path_of(finding.field), finding.message, finding.at);
    return ordered;
}

} // namespace stratum::config
