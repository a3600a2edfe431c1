#include "tests/hwdiscovery/node_diff.hpp"

#include <algorithm>

namespace stratum {
namespace {

std::string words_of(const Node* node) {
    return node == nullptr ? "nothing" : write_json(*node);
}

std::string line_of(const std::string& path, const Node* expected, const Node* found) {
    return (path.empty() ? "the whole" : path) + ": " + words_of(expected) + " was expected, " +
           words_of(found) + " found";
}

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
    lines.insert(lines.end(), more.begin(), more.end());
}

std::vector<std::string> member_differences(const Node& expected, const Node& found,
                                            const std::string& path) {
    std::vector<std::string> lines;
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& [name, value] : expected.members()) {
        const Node* other = found.find(name);
        if (other == nullptr)
            lines.push_back(line_of(prefix + name, &value, nullptr));
        else
            append(lines, differences(value, *other, prefix + name));
    }
    for (const auto& [name, value] : found.members())
        if (expected.find(name) == nullptr)
            lines.push_back(line_of(prefix + name, nullptr, &value));
    return lines;
}

std::vector<std::string> item_differences(const Node& expected, const Node& found,
                                          const std::string& path) {
    std::vector<std::string> lines;
    const auto& wanted = expected.items();
    const auto& got = found.items();
    for (std::size_t i = 0; i < std::max(wanted.size(), got.size()); ++i) {
        const std::string at = path + "[" + std::to_string(i) + "]";
        if (i >= got.size())
            lines.push_back(line_of(at, &wanted[i], nullptr));
        else if (i >= wanted.size())
            lines.push_back(line_of(at, nullptr, &got[i]));
        else
            append(lines, differences(wanted[i], got[i], at));
    }
    return lines;
}

} // namespace

std::vector<std::string> differences(const Node& expected, const Node& found,
                                     const std::string& path) {
    if (expected.is_object() && found.is_object()) return member_differences(expected, found, path);
    if (expected.is_array() && found.is_array()) return item_differences(expected, found, path);
    if (expected == found) return {};
    return {line_of(path, &expected, &found)};
}

} // namespace stratum
