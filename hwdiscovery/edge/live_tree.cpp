#include "hwdiscovery/edge/live_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"

namespace stratum::hw {
namespace {

using edge::Fd;

constexpr std::size_t kMostBytes = 16u << 20;

struct DirDeleter {
    void operator()(DIR* dir) const { ::closedir(dir); }
};

class FolderTree final : public Tree {
public:
    explicit FolderTree(std::string root) : root_(std::move(root)) {}

    std::optional<std::string> bytes(const std::string& path) const override {
        // Not blocking: an attribute may be a pipe in disguise.
        const Fd file = open_inside(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        std::string content;
        const bool is_whole = file.is_open() && read_all(file.get(), content);
        return is_whole ? std::optional(std::move(content)) : std::nullopt;
    }

    std::vector<std::string> list(const std::string& folder) const override {
        std::vector<std::string> names;
        const Fd opened = open_inside(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
        if (!opened.is_open()) return names;
        // The reader of a folder owns its descriptor: it gets one of its own.
        const int own = ::fcntl(opened.get(), F_DUPFD_CLOEXEC, 0);
        const std::unique_ptr<DIR, DirDeleter> dir(own < 0 ? nullptr : ::fdopendir(own));
        if (!dir && own >= 0) ::close(own);
        while (const dirent* entry = dir ? ::readdir(dir.get()) : nullptr) {
            const std::string name = entry->d_name;
            if (name != "." && name != "..") names.push_back(name);
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    std::optional<std::string> link(const std::string& path) const override {
        char target[4096];
        const Parent parent = parent_of(path);
        const ssize_t length =
            ::readlinkat(parent.fd.get(), parent.name.c_str(), target, sizeof target);
        if (length <= 0 || static_cast<std::size_t>(length) == sizeof target) return std::nullopt;
        return std::string(target, static_cast<std::size_t>(length));
    }

    bool exists(const std::string& path) const override {
        const Parent parent = parent_of(path);
        return ::faccessat(parent.fd.get(), parent.name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    }

private:
    struct Parent {
        Fd fd; // not open on this machine itself: `name` is the whole path then
        std::string name;
    };

    // For what is asked of the last part of a path, whatever it is.
    Parent parent_of(const std::string& path) const {
        if (root_.empty()) return {Fd(), path};
        const auto slash = path.rfind('/');
        return {open_inside(path.substr(0, slash + 1), O_PATH | O_DIRECTORY | O_CLOEXEC),
                path.substr(slash + 1)};
    }

    // An absolute link below another root (/etc/resolv.conf -> /run/…) must not lead out of it.
    [[nodiscard]] Fd open_inside(const std::string& path, int flags) const {
        if (root_.empty()) return Fd(::open(path.c_str(), flags));
        const Fd folder(::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!folder.is_open()) return {};
        open_how how{};
        how.flags = static_cast<std::uint64_t>(flags);
        how.resolve = RESOLVE_IN_ROOT;
        return Fd(
            static_cast<int>(::syscall(SYS_openat2, folder.get(), path.c_str(), &how, sizeof how)));
    }

    static bool read_all(int fd, std::string& content) {
        char piece[16384];
        for (;;) {
            const ssize_t count = ::read(fd, piece, sizeof piece);
            if (count == 0) return true;
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return false;
            content.append(piece, static_cast<std::size_t>(count));
            if (content.size() > kMostBytes) content.resize(kMostBytes);
            if (content.size() == kMostBytes) return true;
        }
    }

    std::string root_;
};

} // namespace

std::unique_ptr<Tree> open_tree(const std::string& root) {
    std::string prefix = root;
    while (prefix.ends_with("/")) prefix.pop_back();
    return std::make_unique<FolderTree>(std::move(prefix));
}

} // namespace stratum::hw
