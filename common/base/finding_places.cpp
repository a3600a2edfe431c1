#include "common/base/finding_places.hpp"

namespace stratum {

void Positions::note(const Node& node, const FieldPath& path) {
    if (node.position()) all_.emplace(path.str(), *node.position());
    for (const auto& [name, member] : node.members()) note(member, path.key(name));
    for (std::size_t i = 0; i < node.items().size(); ++i) note(node.items()[i], path.index(i));
}

std::optional<Position> Positions::of(std::string_view field) const {
    while (true) {
        if (const auto found = all_.find(field); found != all_.end()) return found->second;
        if (field.empty()) return std::nullopt;
        const auto cut = field.find_last_of(".[");
        field = cut == std::string_view::npos ? std::string_view{} : field.substr(0, cut);
    }
}

std::string finding_line(std::string_view file, const Finding& finding) {
    std::string line(file);
    if (finding.at)
        line += ":" + std::to_string(finding.at->line) + ":" + std::to_string(finding.at->column);
    line += ": ";
    if (!finding.field.empty()) line += finding.field + ": ";
    return line + finding.message;
}

} // namespace stratum
