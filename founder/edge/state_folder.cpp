#include "founder/edge/state_folder.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stratum::founder {
namespace {

namespace fs = std::filesystem;

class Lock final : public FolderLock {
public:
    explicit Lock(int file) : file_(file) {}
    ~Lock() override { ::close(file_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

private:
    int file_;
};

std::string why() {
    return std::strerror(errno);
}

Status sync_folder(const std::string& folder) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return fail(ErrorCode::kIo, folder + ": " + why());
    const bool synced = ::fsync(file) == 0;
    const std::string reason = why();
    ::close(file);
    if (!synced) return fail(ErrorCode::kIo, "syncing " + folder + ": " + reason);
    return {};
}

Status sync_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail(ErrorCode::kIo, path + ": " + why());
    const bool synced = ::fsync(file) == 0;
    ::close(file);
    if (!synced) return fail(ErrorCode::kIo, "syncing " + path + " failed");
    return {};
}

std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

} // namespace

Result<std::unique_ptr<FolderLock>> lock_state_folder(const std::string& folder) {
    std::error_code error;
    const std::string parent = folder_of(folder);
    fs::create_directories(parent, error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(ErrorCode::kIo, "the state folder " + folder + " cannot be made: " + why());
    if (auto synced = sync_folder(parent); !synced) return tl::make_unexpected(synced.error());
    const std::string path = folder + "/init.lock";
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return fail(ErrorCode::kIo, path + ": " + why());
    if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
        ::close(file);
        return fail(ErrorCode::kConflict, "another init works in " + folder);
    }
    return std::unique_ptr<FolderLock>(std::make_unique<Lock>(file));
}

Status give_name(const std::string& from, const std::string& to) {
    if (auto synced = sync_file(from); !synced) return synced;
    // A link never replaces what has the name already, as a rename would.
    if (::link(from.c_str(), to.c_str()) != 0) {
        const auto code = errno == EEXIST ? ErrorCode::kConflict : ErrorCode::kIo;
        return fail(code, to + ": " + why());
    }
    ::unlink(from.c_str());
    return sync_folder(folder_of(to));
}

Status remove_leftovers(const std::string& folder, const std::string& prefix) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with(prefix)) {
            std::error_code removing;
            fs::remove(at->path(), removing);
            if (removing) return fail(ErrorCode::kIo, name + ": " + removing.message());
        }
    }
    if (error) return fail(ErrorCode::kIo, folder + ": " + error.message());
    return sync_folder(folder);
}

} // namespace stratum::founder
