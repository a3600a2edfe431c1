// A tree in memory: files and links by path; folders are there where something is below them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

class MemoryTree final : public Tree {
public:
    std::map<std::string, std::string> files;
    std::map<std::string, std::string> links;

    std::optional<std::string> bytes(const std::string& path) const override {
        const auto found = files.find(resolved(path));
        return found == files.end() ? std::nullopt : std::optional(found->second);
    }
    std::vector<std::string> list(const std::string& folder) const override {
        std::set<std::string> names;
        const std::string prefix = resolved(folder) + "/";
        for (const auto* map : {&files, &links})
            for (const auto& [path, content] : *map)
                if (path.starts_with(prefix))
                    names.insert(
                        path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
        return {names.begin(), names.end()};
    }
    std::optional<std::string> link(const std::string& path) const override {
        const auto found = links.find(resolved_folder(path));
        return found == links.end() ? std::nullopt : std::optional(found->second);
    }
    bool exists(const std::string& path) const override {
        return files.count(resolved(path)) != 0 || links.count(resolved_folder(path)) != 0 ||
               !list(path).empty();
    }

private:
    // Links on the way, and the last one, followed.
    std::string resolved(const std::string& path) const {
        std::string at;
        for (std::size_t from = 1; from <= path.size();) {
            const std::size_t end = std::min(path.find('/', from), path.size());
            const std::string next = at + "/" + path.substr(from, end - from);
            const auto found = links.find(next);
            at = found == links.end() ? next : joined(at, found->second);
            from = end + 1;
        }
        return at;
    }
    std::string resolved_folder(const std::string& path) const {
        const auto slash = path.rfind('/');
        return (slash == 0 ? "" : resolved(path.substr(0, slash))) + path.substr(slash);
    }
    static std::string joined(const std::string& folder, const std::string& target) {
        return normal_path(target.starts_with("/") ? target : folder + "/" + target);
    }
};

} // namespace stratum::hw
