#include "hwdiscovery/edge/capture_folder.hpp"

#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "common/base/edge/fd.hpp"
#include "common/base/edge/os_error.hpp"

namespace stratum::hw {
namespace {

using edge::Fd;
using Kind = RecordedEntry::Kind;

// Git keeps no empty folders, so one that stands for something unreadable has this in it.
constexpr const char* kUnreadableMark = ".unreadable";

Fd open_beneath(int folder, const std::string& path, int flags, unsigned mode = 0) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return Fd(static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how)));
}

bool write_all(int fd, const std::string& content) {
    for (std::size_t done = 0; done < content.size();) {
        const ssize_t count = ::write(fd, content.data() + done, content.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

bool write_file(int folder, const std::string& name, const std::string& content) {
    const Fd file = open_beneath(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    return file.is_open() && write_all(file.get(), content);
}

std::optional<std::string> first_in(int folder) {
    const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> dir(copy < 0 ? nullptr : ::fdopendir(copy),
                                                  ::closedir);
    while (const dirent* entry = dir ? ::readdir(dir.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") return name;
    }
    return std::nullopt;
}

} // namespace

struct CaptureFolder::Folder {
    Fd fd;
    std::string path;

    [[nodiscard]] Result<Fd> folder_of(const std::string& entry) const;
    [[nodiscard]] Status write(const std::string& entry_path, const RecordedEntry& entry) const;
};

Result<CaptureFolder> CaptureFolder::claim(const std::string& path) {
    std::string name = path;
    while (name.size() > 1 && name.ends_with("/")) name.pop_back();
    if (::mkdir(name.c_str(), 0700) != 0 && errno != EEXIST)
        return edge::fail_errno("making the folder " + name, errno);
    Fd fd(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd.is_open() && (errno == ENOTDIR || errno == ELOOP))
        return fail(ErrorCode::kConflict, name + " is no folder: name one that is new, or empty");
    if (!fd.is_open()) return edge::fail_errno("opening the folder " + name, errno);
    if (const auto found = first_in(fd.get()))
        return fail(ErrorCode::kConflict, name + " is not empty (" + *found +
                                              " is in it): name a folder that is new, or empty");
    // What a machine is made of is nobody else's business.
    if (::fchmod(fd.get(), 0700) != 0)
        return edge::fail_errno("closing the folder " + name + " to others", errno);
    return CaptureFolder(std::make_shared<const Folder>(Folder{std::move(fd), name}));
}

Result<Fd> CaptureFolder::Folder::folder_of(const std::string& entry) const {
    for (auto slash = entry.find('/', 1); slash != std::string::npos;
         slash = entry.find('/', slash + 1)) {
        const std::string folder = entry.substr(1, slash - 1);
        const auto above = folder.rfind('/');
        const Fd in =
            open_beneath(fd.get(), above == std::string::npos ? "." : folder.substr(0, above),
                         O_PATH | O_DIRECTORY);
        const std::string name = above == std::string::npos ? folder : folder.substr(above + 1);
        if (!in.is_open() || (::mkdirat(in.get(), name.c_str(), 0700) != 0 && errno != EEXIST))
            return edge::fail_errno("making " + path + "/" + folder, errno);
    }
    const auto slash = entry.rfind('/');
    Fd folder =
        open_beneath(fd.get(), slash == 0 ? "." : entry.substr(1, slash - 1), O_PATH | O_DIRECTORY);
    if (!folder.is_open()) return edge::fail_errno("opening the folder of " + path + entry, errno);
    return folder;
}

Status CaptureFolder::Folder::write(const std::string& entry_path,
                                    const RecordedEntry& entry) const {
    const auto folder = folder_of(entry_path);
    if (!folder) return tl::make_unexpected(folder.error());
    const std::string name = entry_path.substr(entry_path.rfind('/') + 1);
    bool is_written = false;
    if (entry.kind == Kind::kLink)
        is_written = ::symlinkat(entry.content.c_str(), folder->get(), name.c_str()) == 0;
    else if (entry.kind == Kind::kFile)
        is_written = write_file(folder->get(), name, entry.content);
    else
        is_written = ::mkdirat(folder->get(), name.c_str(), 0700) == 0 &&
                     write_file(folder->get(), name + "/" + kUnreadableMark, "");
    if (!is_written) return edge::fail_errno("writing " + path + entry_path, errno);
    return {};
}

Status CaptureFolder::write(const std::map<std::string, RecordedEntry>& entries) const {
    for (const auto& [path, entry] : entries) {
        // The kernel's calls would cut such a path short.
        if (!path.starts_with("/") || path.find('\0') != std::string::npos) continue;
        if (auto done = folder_->write(path, entry); !done) return done;
    }
    return {};
}

} // namespace stratum::hw
