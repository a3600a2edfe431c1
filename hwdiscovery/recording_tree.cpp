#include "hwdiscovery/recording_tree.hpp"

#include <algorithm>
#include <utility>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr int kMostLinks = 40; // on one way, as the kernel has it

std::vector<std::string> parts_backwards(const std::string& path) {
    auto parts = split(path, '/');
    std::reverse(parts.begin(), parts.end());
    return parts;
}

bool is_worth_keeping(const std::string& folder, const std::string& name) {
    return folder != "/proc" || parse_decimal(name).has_value();
}

std::set<std::string> folders_above(const std::map<std::string, RecordedEntry>& entries) {
    std::set<std::string> folders;
    for (const auto& [path, entry] : entries)
        for (auto slash = path.rfind('/'); slash != 0; slash = path.rfind('/', slash - 1))
            folders.insert(path.substr(0, slash));
    return folders;
}

} // namespace

RecordingTree::Way RecordingTree::way_to(const std::string& path, bool follows_last) const {
    Way way;
    int followed = 0;
    auto parts = parts_backwards(path);
    while (!parts.empty()) {
        const std::string part = std::move(parts.back());
        parts.pop_back();
        if (part.empty() || part == ".") continue;
        if (part == "..") {
            way.path.resize(way.path.empty() ? 0 : way.path.rfind('/'));
            continue;
        }
        const std::string next = way.path + "/" + part;
        const bool is_followed = followed < kMostLinks && (follows_last || !parts.empty());
        const auto target = is_followed ? source_.link(next) : std::nullopt;
        if (!target) {
            way.path = next;
            continue;
        }
        ++followed;
        way.links[next] = *target;
        if (target->starts_with("/")) way.path.clear();
        for (auto& more : parts_backwards(*target)) parts.push_back(std::move(more));
    }
    return way;
}

void RecordingTree::keep(const Way& way) const {
    links_.insert(way.links.begin(), way.links.end());
}

std::optional<std::string> RecordingTree::bytes(const std::string& path) const {
    auto content = source_.bytes(path);
    const Way way = way_to(path, true);
    const std::lock_guard hold(lock_);
    if (!content) {
        unreadable_.insert(way.path);
        return content;
    }
    keep(way);
    files_[way.path] = *content;
    return content;
}

std::vector<std::string> RecordingTree::list(const std::string& folder) const {
    auto names = source_.list(folder);
    if (names.empty()) return names;
    const Way way = way_to(folder, true);
    const std::lock_guard hold(lock_);
    keep(way);
    for (const auto& name : names)
        if (is_worth_keeping(way.path, name)) present_.insert(way.path + "/" + name);
    return names;
}

std::optional<std::string> RecordingTree::link(const std::string& path) const {
    auto target = source_.link(path);
    if (!target) return target;
    const Way way = way_to(path, false);
    const std::lock_guard hold(lock_);
    keep(way);
    links_[way.path] = *target;
    return target;
}

bool RecordingTree::exists(const std::string& path) const {
    if (!source_.exists(path)) return false;
    const Way way = way_to(path, false);
    const std::lock_guard hold(lock_);
    keep(way);
    present_.insert(way.path);
    return true;
}

std::map<std::string, RecordedEntry> RecordingTree::recorded() const {
    using Kind = RecordedEntry::Kind;
    const std::lock_guard hold(lock_);
    std::map<std::string, RecordedEntry> entries;
    for (const auto& [path, content] : files_) entries[path] = {Kind::kFile, content};
    for (const auto& [path, target] : links_) entries[path] = {Kind::kLink, target};
    // What is only known to be there: nobody asked what it is.
    for (const auto& path : present_) {
        if (entries.count(path) != 0) continue;
        if (const auto target = source_.link(path))
            entries[path] = {Kind::kLink, *target};
        else
            entries[path] = {unreadable_.count(path) != 0 ? Kind::kUnreadable : Kind::kFile, ""};
    }
    // Of what has something below it nothing else needs to be said.
    const auto folders = folders_above(entries);
    std::erase_if(entries, [&](const auto& entry) { return folders.count(entry.first) != 0; });
    return entries;
}

} // namespace stratum::hw
