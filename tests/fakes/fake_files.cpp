#include "tests/fakes/fake_files.hpp"

#include <algorithm>

namespace stratum::fakes {
namespace {

std::string clean(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

} // namespace

template<class Act>
Status FakeFiles::change(const std::string& doing, Act act) {
    const std::lock_guard lock(mutex_);
    const auto found = planned_.find(++changes_);
    if (found == planned_.end()) return act();
    const Planned planned = found->second;
    planned_.erase(found);
    if (planned.trouble == Trouble::kFail) return fail(planned.code, doing + ": failed as planned");
    if (planned.trouble == Trouble::kCrashBefore) throw Crash();
    (void)act();
    throw Crash();
}

Result<std::string> FakeFiles::read(const std::string& path, std::size_t max_bytes) const {
    const std::lock_guard lock(mutex_);
    const std::string wanted = clean(path);
    const std::string doing = "reading " + path;
    if (const auto bad = unreadable_.find(wanted); bad != unreadable_.end()) {
        return fail(bad->second, doing + ": failed as planned");
    }
    if (is_folder(wanted)) return fail(ErrorCode::kInvalid, doing + ": it is no regular file");
    const auto found = files_.find(wanted);
    if (found == files_.end()) return fail(ErrorCode::kNotFound, doing + ": no such file");
    if (found->second.content.size() > max_bytes) {
        return fail(ErrorCode::kTooLarge,
                    doing + ": it has more than " + std::to_string(max_bytes) + " bytes");
    }
    return found->second.content;
}

Status FakeFiles::write(const std::string& path, std::string_view content, unsigned mode) {
    const std::string doing = "writing " + path;
    return change(doing, [&]() -> Status {
        const std::string place = clean(path);
        if (is_folder(place)) return fail(ErrorCode::kInvalid, doing + ": it is a folder");
        if (!is_folder(folder_of(place))) {
            return fail(ErrorCode::kNotFound, doing + ": no such folder");
        }
        files_[place] = {std::string(content), mode};
        unreadable_.erase(place);
        return {};
    });
}

bool FakeFiles::exists(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    return files_.contains(clean(path)) || is_folder(clean(path));
}

Status FakeFiles::remove(const std::string& path) {
    return change("removing " + path, [&]() -> Status {
        const std::string place = clean(path);
        unreadable_.erase(place);
        if (files_.erase(place) != 0 || !folders_.contains(place)) return {};
        const std::string inside = place + "/";
        const auto is_inside = [&](const auto& entry) { return entry.first.starts_with(inside); };
        if (std::any_of(files_.begin(), files_.end(), is_inside) ||
            std::any_of(folders_.begin(), folders_.end(), is_inside)) {
            return fail(ErrorCode::kConflict, "removing " + path + ": the folder is not empty");
        }
        folders_.erase(place);
        return {};
    });
}

Status FakeFiles::make_folder(const std::string& path, unsigned mode) {
    return change("making the folder " + path, [&]() -> Status {
        for (std::string at = clean(path); at != "/" && at != "."; at = folder_of(at)) {
            if (files_.contains(at)) {
                return fail(ErrorCode::kConflict,
                            "making the folder " + path + ": a file stands in its way");
            }
        }
        add_folders(clean(path), mode);
        return {};
    });
}

Result<std::vector<std::string>> FakeFiles::list(const std::string& folder) const {
    const std::lock_guard lock(mutex_);
    const std::string place = clean(folder);
    if (!is_folder(place))
        return fail(ErrorCode::kNotFound, "listing " + folder + ": no such folder");
    const std::string inside = place == "/" ? "/" : place + "/";
    std::set<std::string> names;
    const auto take = [&](const std::string& path) {
        if (!path.starts_with(inside) || path.size() == inside.size()) return;
        names.insert(path.substr(inside.size(), path.find('/', inside.size()) - inside.size()));
    };
    for (const auto& [path, file] : files_) take(path);
    for (const auto& [path, mode] : folders_) take(path);
    return std::vector<std::string>(names.begin(), names.end());
}

void FakeFiles::put(const std::string& path, std::string content, unsigned mode) {
    const std::lock_guard lock(mutex_);
    const std::string place = clean(path);
    add_folders(folder_of(place), 0755);
    files_[place] = {std::move(content), mode};
    unreadable_.erase(place);
}

std::optional<std::string> FakeFiles::content(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(clean(path));
    return found == files_.end() ? std::nullopt : std::optional(found->second.content);
}

std::optional<unsigned> FakeFiles::mode(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const std::string place = clean(path);
    if (const auto found = files_.find(place); found != files_.end()) return found->second.mode;
    const auto folder = folders_.find(place);
    return folder == folders_.end() ? std::nullopt : std::optional(folder->second);
}

std::vector<std::string> FakeFiles::paths() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> paths;
    for (const auto& [path, file] : files_) paths.push_back(path);
    return paths;
}

int FakeFiles::changes() const {
    const std::lock_guard lock(mutex_);
    return changes_;
}

void FakeFiles::fail_change(int n, ErrorCode code) {
    const std::lock_guard lock(mutex_);
    planned_[changes_ + n] = {Trouble::kFail, code};
}

void FakeFiles::crash_before_change(int n) {
    const std::lock_guard lock(mutex_);
    planned_[changes_ + n] = {Trouble::kCrashBefore, {}};
}

void FakeFiles::crash_after_change(int n) {
    const std::lock_guard lock(mutex_);
    planned_[changes_ + n] = {Trouble::kCrashAfter, {}};
}

void FakeFiles::fail_read(const std::string& path, ErrorCode code) {
    const std::lock_guard lock(mutex_);
    unreadable_[clean(path)] = code;
}

bool FakeFiles::is_folder(const std::string& path) const {
    return path == "/" || path == "." || folders_.contains(path);
}

void FakeFiles::add_folders(const std::string& path, unsigned mode) {
    if (path == "/" || path == ".") return;
    if (!folders_.try_emplace(path, mode).second) return;
    add_folders(folder_of(path), 0755);
}

} // namespace stratum::fakes
