#include "hwdiscovery/edge/live_tree.hpp"

#include <algorithm>
#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kMostBytes = 16u << 20;

class FolderTree final : public Tree {
public:
    explicit FolderTree(std::string root) : root_(std::move(root)) {}

    std::optional<std::string> bytes(const std::string& path) const override {
        // Not blocking: an attribute may be a pipe in disguise.
        const int fd = open_inside(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0) return std::nullopt;
        std::string content;
        const bool whole = read_all(fd, content);
        ::close(fd);
        return whole ? std::optional(std::move(content)) : std::nullopt;
    }

    std::vector<std::string> list(const std::string& folder) const override {
        std::vector<std::string> names;
        const int fd = open_inside(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
        DIR* dir = fd < 0 ? nullptr : ::fdopendir(fd);
        if (dir == nullptr) {
            if (fd >= 0) ::close(fd);
            return names;
        }
        while (const dirent* entry = ::readdir(dir)) {
            const std::string name = entry->d_name;
            if (name != "." && name != "..") names.push_back(name);
        }
        ::closedir(dir);
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
        edge::Fd fd; // not open on this machine itself: `name` is the whole path then
        std::string name;
    };

    // For what is asked of the last part of a path, whatever it is.
    Parent parent_of(const std::string& path) const {
        if (root_.empty()) return {edge::Fd(), path};
        const auto slash = path.rfind('/');
        return {edge::Fd(open_inside(path.substr(0, slash + 1), O_PATH | O_DIRECTORY | O_CLOEXEC)),
                path.substr(slash + 1)};
    }

    // An absolute link below another root (/etc/resolv.conf -> /run/…) must not lead out of it.
    int open_inside(const std::string& path, int flags) const {
        if (root_.empty()) return ::open(path.c_str(), flags);
        const int folder = ::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) return -1;
        open_how how{};
        how.flags = static_cast<std::uint64_t>(flags);
        how.resolve = RESOLVE_IN_ROOT;
        const long fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
        ::close(folder);
        return static_cast<int>(fd);
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
