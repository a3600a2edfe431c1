#include <algorithm>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>

#include "common/base/edge/fd.hpp"
#include "common/base/edge/os_error.hpp"
#include "common/base/files.hpp"
#include "common/base/hash.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

using edge::fail_errno;
using edge::Fd;

constexpr std::string_view kTemporaryStart = ".stratum-";
constexpr std::string_view kTemporaryEnd = ".tmp";

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_temporary(std::string_view name) {
    return name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd);
}

Status sync_folder(const std::string& folder) {
    const Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.is_open()) return fail_errno("opening the folder " + folder, errno);
    // EINVAL: a file system (such as FUSE ones) that cannot, where nothing more can be done.
    if (fsync(fd.get()) != 0 && errno != EINVAL) {
        return fail_errno("syncing the folder " + folder, errno);
    }
    return {};
}

bool write_all(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// The whole temporary file, or none.
Status write_temporary(const std::string& path, std::string_view content, unsigned mode) {
    Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!fd.is_open()) return fail_errno("creating a file", errno);
    // The umask may have taken bits away that were asked for.
    const bool is_whole =
        fchmod(fd.get(), mode) == 0 && write_all(fd.get(), content) && fsync(fd.get()) == 0;
    if (is_whole) return {};
    const int number = errno;
    unlink(path.c_str());
    return fail_errno("filling a file", number);
}

Status make_one_folder(const std::string& path, unsigned mode) {
    if (mkdir(path.c_str(), mode) != 0) {
        const int number = errno;
        struct stat found {};
        if (number == EEXIST && stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) {
            return {};
        }
        return fail_errno("making the folder " + path, number);
    }
    if (chmod(path.c_str(), mode) != 0) return fail_errno("making the folder " + path, errno);
    return sync_folder(folder_of(path));
}

std::string without_end_slashes(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

class PosixFiles final : public Files {
public:
    [[nodiscard]] Result<std::string> read(const std::string& path,
                                           std::size_t max_bytes) const override {
        // O_NONBLOCK: opening a FIFO would wait for its writer.
        const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        struct stat found {};
        if (!fd.is_open() || fstat(fd.get(), &found) != 0) {
            return fail_errno("reading " + path, errno);
        }
        if (!S_ISREG(found.st_mode)) {
            return fail(ErrorCode::kInvalid, "reading " + path + ": it is no regular file");
        }
        std::string content;
        // By blocks to the end: files of /proc and /sys say size 0 or a page.
        for (std::string block(64 * 1024, '\0');;) {
            const ssize_t got = ::read(fd.get(), block.data(), block.size());
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return fail_errno("reading " + path, errno);
            if (got == 0) return content;
            content.append(block, 0, static_cast<std::size_t>(got));
            if (content.size() > max_bytes) {
                return fail(ErrorCode::kTooLarge, "reading " + path + ": it has more than " +
                                                      std::to_string(max_bytes) + " bytes");
            }
        }
    }

    Status write(const std::string& path, std::string_view content, unsigned mode) override {
        const std::string folder = folder_of(path);
        const std::string temporary = folder + "/" + std::string(kTemporaryStart) +
                                      to_hex(random_bytes(8)) + std::string(kTemporaryEnd);
        if (const Status made = write_temporary(temporary, content, mode); !made) {
            return fail_in("writing " + path, made.error());
        }
        if (rename(temporary.c_str(), path.c_str()) != 0) {
            const int number = errno;
            unlink(temporary.c_str());
            return fail_errno("writing " + path, number);
        }
        return sync_folder(folder);
    }

    [[nodiscard]] bool exists(const std::string& path) const override {
        struct stat found {};
        return stat(path.c_str(), &found) == 0;
    }

    Status remove(const std::string& path) override {
        int failed = unlink(path.c_str());
        if (failed != 0 && (errno == EISDIR || errno == EPERM)) failed = rmdir(path.c_str());
        if (failed == 0) return sync_folder(folder_of(without_end_slashes(path)));
        if (errno == ENOENT || errno == ENOTDIR) return {};
        return fail_errno("removing " + path, errno);
    }

    Status make_folder(const std::string& path, unsigned mode) override {
        const std::string whole = without_end_slashes(path);
        for (std::size_t slash = whole.find('/', 1); slash != std::string::npos;
             slash = whole.find('/', slash + 1)) {
            if (Status made = make_one_folder(whole.substr(0, slash), 0755); !made) {
                return made;
            }
        }
        return make_one_folder(whole, mode);
    }

    [[nodiscard]] Result<std::vector<std::string>> list(const std::string& folder) const override {
        const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(folder.c_str()), closedir);
        if (!dir) return fail_errno("listing " + folder, errno);
        std::vector<std::string> names;
        for (;;) {
            errno = 0;
            const dirent* entry = readdir(dir.get());
            if (entry == nullptr) break;
            const std::string_view name = static_cast<const char*>(entry->d_name);
            if (name != "." && name != ".." && !is_temporary(name)) names.emplace_back(name);
        }
        if (errno != 0) return fail_errno("listing " + folder, errno);
        std::sort(names.begin(), names.end());
        return names;
    }
};

} // namespace

Files& system_files() {
    static PosixFiles files;
    return files;
}

} // namespace stratum
