#include "ctl/table.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::ctl {
namespace {

// Columns a terminal needs for valid UTF-8 without wide characters.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

void add_line(std::string& out, const Row& row, const std::vector<std::size_t>& widths) {
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string text = to_valid_utf8(row[i]);
        out += text;
        if (i + 1 < row.size()) out += std::string(widths[i] - width(text) + 2, ' ');
    }
    out += "\n";
}

} // namespace

std::string render(const Row& head, const std::vector<Row>& rows) {
    std::vector<std::size_t> widths(head.size());
    for (std::size_t i = 0; i < head.size(); ++i) {
        widths[i] = width(head[i]);
        for (const Row& row : rows) widths[i] = std::max(widths[i], width(to_valid_utf8(row[i])));
    }
    std::string out;
    add_line(out, head, widths);
    for (const Row& row : rows) add_line(out, row, widths);
    return out;
}

std::string for_terminal(std::string_view text) {
    std::vector<std::string> lines = split(text, '\n');
    for (std::string& line : lines) line = to_valid_utf8(line);
    return join(lines, "\n");
}

std::string cell(const Node& object, std::string_view name) {
    const Node* node = object.find(name);
    if (node == nullptr) return "-";
    switch (node->kind()) {
    case Node::Kind::kString:
        return node->as_string().empty() ? "-" : node->as_string();
    case Node::Kind::kInt:
        return std::to_string(node->as_int());
    case Node::Kind::kBool:
        return node->as_bool() ? "yes" : "no";
    default:
        return "-";
    }
}

std::string short_time(const std::string& time) {
    constexpr std::size_t kRfc3339 = 20;
    if (time.size() != kRfc3339) return time;
    return time.substr(5, 5) + " " + time.substr(11, 5);
}

} // namespace stratum::ctl
