#include "hwdiscovery/edge/writers.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"
#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

using edge::Fd;

struct DirDeleter {
    void operator()(DIR* dir) const { ::closedir(dir); }
};
using Dir = std::unique_ptr<DIR, DirDeleter>;

Dir open_dir(int at, const char* name) {
    const int fd = ::openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* dir = fd < 0 ? nullptr : ::fdopendir(fd);
    if (dir == nullptr && fd >= 0) ::close(fd);
    return Dir(dir);
}

std::string first_bytes(int at, const std::string& name) {
    const Fd file(::openat(at, name.c_str(), O_RDONLY | O_CLOEXEC));
    char text[512];
    const ssize_t count = file.is_open() ? ::read(file.get(), text, sizeof text) : 0;
    return count > 0 ? std::string(text, static_cast<std::size_t>(count)) : std::string{};
}

// "flags:\t0100002": open's flags in octal, of which the last digit says how it was opened.
bool is_for_writing(const std::string& fdinfo) {
    constexpr std::string_view kFlags = "flags:";
    for (const auto& line : split(fdinfo, '\n')) {
        if (!line.starts_with(kFlags)) continue;
        const char last = line.back();
        return last >= '0' && last <= '7' && ((last - '0') & O_ACCMODE) != O_RDONLY;
    }
    return false;
}

void add_writers_of(int process, const Writer& writer, std::map<std::string, Writer>& writers) {
    const Dir fds = open_dir(process, "fd");
    if (!fds) return;
    while (const dirent* entry = ::readdir(fds.get())) {
        struct stat status {};
        if (::fstatat(::dirfd(fds.get()), entry->d_name, &status, 0) != 0) continue;
        if (!S_ISBLK(status.st_mode)) continue;
        if (!is_for_writing(first_bytes(process, std::string("fdinfo/") + entry->d_name))) continue;
        const std::string dev =
            std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
        Writer named = writer;
        named.program = trim(first_bytes(process, "comm"));
        writers.try_emplace(dev, std::move(named));
    }
}

std::vector<int> processes(DIR* proc) {
    std::vector<int> pids;
    while (const dirent* entry = ::readdir(proc))
        if (const auto pid = parse_decimal(entry->d_name); pid && *pid <= 1u << 30)
            pids.push_back(static_cast<int>(*pid));
    std::sort(pids.begin(), pids.end());
    return pids;
}

} // namespace

std::map<std::string, Writer> find_writers() {
    std::map<std::string, Writer> writers;
    const Dir proc = open_dir(AT_FDCWD, "/proc");
    if (!proc) return writers;
    for (int pid : processes(proc.get())) {
        if (pid == ::getpid()) continue;
        const Fd process(::openat(::dirfd(proc.get()), std::to_string(pid).c_str(),
                                  O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (process.is_open()) add_writers_of(process.get(), {pid, ""}, writers);
    }
    return writers;
}

} // namespace stratum::hw
