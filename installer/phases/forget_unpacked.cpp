// What a bundle left behind, removed: its mark first, so that a cut in between never leaves half a
// bundle that passes for a whole one.
#include "installer/phases/phase.hpp"

namespace stratum::installer {
namespace {

constexpr std::string_view kPrefix = "bundle-";
constexpr std::string_view kMark = ".whole";

std::string inside(std::string folder, const std::string& name) {
    return folder.append("/").append(name);
}

Status remove_tree(Files& files, const std::string& path) {
    // What cannot be listed is a file.
    if (const auto names = files.list(path)) {
        for (const std::string& name : *names) {
            if (auto gone = remove_tree(files, inside(path, name)); !gone) return gone;
        }
    }
    return files.remove(path);
}

} // namespace

Status forget_unpacked(Files& files, const std::string& state_folder) {
    const auto names = files.list(state_folder);
    if (!names && names.error().code == ErrorCode::kNotFound) return {};
    if (!names) return tl::make_unexpected(names.error());
    for (const bool is_mark : {true, false}) {
        for (const std::string& name : *names) {
            if (!name.starts_with(kPrefix) || name.ends_with(kMark) != is_mark) continue;
            if (auto gone = remove_tree(files, inside(state_folder, name)); !gone) return gone;
        }
    }
    return {};
}

} // namespace stratum::installer
