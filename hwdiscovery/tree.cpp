// What every tree can do with the four things it is asked.
#include "hwdiscovery/tree.hpp"

#include "common/base/text.hpp"

namespace stratum::hw {

std::string Tree::text(const std::string& path) const {
    return std::string(trim(bytes(path).value_or("")));
}

std::optional<std::uint64_t> Tree::number(const std::string& path) const {
    return parse_decimal(text(path));
}

std::optional<bool> Tree::flag(const std::string& path) const {
    const std::string value = text(path);
    if (value == "0") return false;
    if (value == "1") return true;
    return std::nullopt;
}

std::string Tree::followed(const std::string& path) const {
    const auto target = link(path);
    if (!target) return path;
    if (target->starts_with("/")) return normal_path(*target);
    return normal_path(path.substr(0, path.rfind('/') + 1) + *target);
}

std::string Tree::link_name(const std::string& path) const {
    const auto target = link(path);
    return target ? target->substr(target->rfind('/') + 1) : std::string{};
}

std::string normal_path(const std::string& path) {
    std::vector<std::string> kept;
    for (auto& part : split(path, '/')) {
        if (part.empty() || part == ".") continue;
        if (part != "..")
            kept.push_back(std::move(part));
        else if (!kept.empty())
            kept.pop_back();
    }
    return "/" + join(kept, "/");
}

} // namespace stratum::hw
