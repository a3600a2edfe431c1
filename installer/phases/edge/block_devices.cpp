#include "installer/phases/block_devices.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "common/base/edge/fd.hpp"
#include "common/base/edge/os_error.hpp"

namespace stratum::installer {
namespace {

using edge::Fd;

constexpr std::size_t kChunkBytes = 1u << 20;

Fd open_device(const std::string& path, int flags) {
    return Fd(::open(path.c_str(), flags | O_CLOEXEC));
}

tl::unexpected<Error> failed(const std::string& path, std::string_view doing) {
    const int error = errno;
    if (error == EBUSY) {
        return fail(ErrorCode::kConflict, path + " is in use by something else on this machine");
    }
    return edge::fail_errno(std::string(doing) + " " + path, error);
}

Status require_block_device(const Fd& device, const std::string& path) {
    struct stat info {};
    if (::fstat(device.get(), &info) != 0) return failed(path, "looking at");
    if (!S_ISBLK(info.st_mode)) return fail(ErrorCode::kInvalid, path + " is not a block device");
    return {};
}

Result<std::uint64_t> size_of(const Fd& device, const std::string& path) {
    std::uint64_t bytes = 0;
    if (::ioctl(device.get(), BLKGETSIZE64, &bytes) != 0) return failed(path, "asking the size of");
    return bytes;
}

Status write_all(const Fd& device, const std::string& path, std::uint64_t offset,
                 std::string_view data) {
    while (!data.empty()) {
        const ssize_t written =
            ::pwrite(device.get(), data.data(), data.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failed(path, "writing to");
        data.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return {};
}

Status sync(const Fd& device, const std::string& path) {
    if (::fsync(device.get()) != 0) return failed(path, "syncing");
    return {};
}

class SystemBlockDevices final : public BlockDevices {
public:
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset,
                                           std::size_t length) const override {
        const Fd device = open_device(path, O_RDONLY);
        if (!device.is_open()) return failed(path, "opening");
        std::string data(length, '\0');
        std::size_t have = 0;
        while (have < length) {
            const ssize_t got = ::pread(device.get(), data.data() + have, length - have,
                                        static_cast<off_t>(offset + have));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return failed(path, "reading");
            if (got == 0) break;
            have += static_cast<std::size_t>(got);
        }
        data.resize(have);
        return data;
    }

    Status write(const std::string& path, std::uint64_t offset, std::string_view data) override {
        const Fd device = open_device(path, O_RDWR | O_EXCL);
        if (!device.is_open()) return failed(path, "opening");
        if (auto block = require_block_device(device, path); !block) return block;
        if (auto done = write_all(device, path, offset, data); !done) return done;
        return sync(device, path);
    }

    Status zero(const std::string& path, std::uint64_t offset, std::uint64_t length) override {
        const Fd device = open_device(path, O_RDWR | O_EXCL);
        if (!device.is_open()) return failed(path, "opening");
        if (auto block = require_block_device(device, path); !block) return block;
        const auto size = size_of(device, path);
        if (!size) return tl::make_unexpected(size.error());
        const std::string zeros(kChunkBytes, '\0');
        if (offset >= *size) return {};
        const std::uint64_t end = offset + std::min(length, *size - offset);
        while (offset < end) {
            const auto piece =
                static_cast<std::size_t>(std::min<std::uint64_t>(kChunkBytes, end - offset));
            if (auto done = write_all(device, path, offset, {zeros.data(), piece}); !done)
                return done;
            offset += piece;
        }
        return sync(device, path);
    }

    Status reread_partitions(const std::string& path) override {
        const Fd device = open_device(path, O_RDONLY);
        if (!device.is_open()) return failed(path, "opening");
        if (::ioctl(device.get(), BLKRRPART) == 0) return {};
        // A device that can have no partitions has none to forget.
        if (errno == EINVAL || errno == ENOTTY) return {};
        return failed(path, "reading the partition table of");
    }
};

} // namespace

BlockDevices& system_block_devices() {
    static SystemBlockDevices devices;
    return devices;
}

} // namespace stratum::installer
