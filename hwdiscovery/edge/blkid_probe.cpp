#include "hwdiscovery/edge/blkid_probe.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/sed-opal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/base/edge/fd.hpp"
#include "hwdiscovery/edge/blkid_signatures.hpp"
#include "hwdiscovery/edge/dm_status.hpp"

namespace stratum::hw {
namespace {

using edge::Fd;

constexpr useconds_t kInstant = 1000;

std::string system_words(int error) {
    return std::strerror(error);
}

// The size of what is open, where it is the device that was asked for.
std::optional<std::uint64_t> size_of(int fd, const ProbeTarget& target, std::string& problem) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
        problem = system_words(errno);
        return std::nullopt;
    }
    if (S_ISREG(status.st_mode) && target.dev.empty())
        return static_cast<std::uint64_t>(status.st_size);
    const std::string dev =
        std::to_string(major(status.st_rdev)) + ":" + std::to_string(minor(status.st_rdev));
    if (!S_ISBLK(status.st_mode) || (!target.dev.empty() && dev != target.dev)) {
        problem = "there is another device at " + target.path + " now";
        return std::nullopt;
    }
    std::uint64_t bytes = 0;
    if (::ioctl(fd, BLKGETSIZE64, &bytes) != 0) {
        problem = system_words(errno);
        return std::nullopt;
    }
    return bytes;
}

// Whether nobody in the kernel has claimed the device: a mount in any namespace, a swap, an array,
// a map. Held for an instant only, so that nobody else is kept out; another program may do just
// the same at this instant, so that "busy" is asked twice.
Exclusive exclusive_of(const std::string& path) {
    for (int tries = 0; tries < 2; ++tries) {
        if (tries > 0) ::usleep(kInstant);
        const Fd fd(::open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK));
        if (fd.is_open()) return Exclusive::kFree;
        if (errno != EBUSY) return Exclusive::kUnknown;
    }
    return Exclusive::kBusy;
}

// A drive that encrypts by itself gives errors or somebody else's bytes while it is locked; in
// place of its first sectors it may show a small system that asks for the password.
std::string lock_problem(int fd) {
    opal_status status{};
    if (::ioctl(fd, IOC_OPAL_GET_STATUS, &status) != 0) return {};
    const bool shows_shadow =
        (status.flags & OPAL_FL_MBR_ENABLED) != 0 && (status.flags & OPAL_FL_MBR_DONE) == 0;
    if ((status.flags & OPAL_FL_LOCKED) == 0 && !shows_shadow) return {};
    return "it is locked by its own encryption (TCG Opal)";
}

void read_partitions_in_place(const Place& disk, ContentRecord& content) {
    for (auto& partition : content.partitions) {
        if (partition.is_container || partition.size_bytes == 0) continue;
        const std::string name = "partition " + std::to_string(partition.number);
        const bool is_inside = partition.start_bytes <= disk.size &&
                               partition.size_bytes <= disk.size - partition.start_bytes;
        if (!is_inside) {
            if (content.problem.empty()) content.problem = name + " reaches past the disk's end";
            continue;
        }
        const Place part{disk.fd, partition.start_bytes, partition.size_bytes, false};
        auto contents = read_contents_of(part);
        partition.signatures = std::move(contents.signatures);
        partition.tables = std::move(contents.tables);
        if (!contents.problem.empty() && content.problem.empty())
            content.problem = name + ": " + contents.problem;
    }
}

void read_all(const Place& disk, bool reads_partitions, ContentRecord& content) {
    auto contents = read_contents_of(disk);
    content.signatures = std::move(contents.signatures);
    content.tables = std::move(contents.tables);
    content.problem = std::move(contents.problem);
    content.partitions = std::move(contents.partitions);
    if (reads_partitions) read_partitions_in_place(disk, content);
    // What was read of a locked drive may still be told; it proves nothing.
    if (auto locked = lock_problem(disk.fd); !locked.empty()) content.problem = std::move(locked);
    content.is_complete = content.problem.empty();
}

} // namespace

ContentRecord probe_device(const ProbeTarget& target) {
    ContentRecord content;
    // Before this process opens it: it would count itself.
    if (!target.dm_name.empty()) {
        const DmStatus dm = read_dm_status(target.dm_name);
        content.dm_open_count = dm.open_count;
        content.dm_target = dm.target;
        content.dm_status = dm.status;
    }
    const Fd fd(::open(target.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.is_open()) {
        content.problem = system_words(errno);
        return content;
    }
    const auto size = size_of(fd.get(), target, content.problem);
    if (!size) return content;
    read_all({fd.get(), 0, *size, true}, target.reads_partitions, content);
    content.exclusive = exclusive_of(target.path);
    return content;
}

} // namespace stratum::hw
