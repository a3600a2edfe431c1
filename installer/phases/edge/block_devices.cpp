#include "installer/phases/block_devices.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace stratum::installer {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;

class Handle {
public:
    Handle(const std::string& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
    ~Handle() {
        if (fd_ >= 0) ::close(fd_);
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

tl::unexpected<Error> failed(const std::string& path, std::string_view doing) {
    const int error = errno;
    if (error == EBUSY) {
        return fail(ErrorCode::kConflict, path + " is in use by something else on this machine");
    }
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    const ErrorCode code = denied            ? ErrorCode::kDenied
                           : error == ENOENT ? ErrorCode::kNotFound
                                             : ErrorCode::kIo;
    return fail(code, std::string(doing) + " " + path + ": " + std::strerror(error));
}

Status require_block_device(const Handle& handle, const std::string& path) {
    struct stat info {};
    if (::fstat(handle.get(), &info) != 0) return failed(path, "looking at");
    if (!S_ISBLK(info.st_mode)) return fail(ErrorCode::kInvalid, path + " is not a block device");
    return {};
}

Result<std::uint64_t> size_of(const Handle& handle, const std::string& path) {
    std::uint64_t bytes = 0;
    if (::ioctl(handle.get(), BLKGETSIZE64, &bytes) != 0) return failed(path, "asking the size of");
    return bytes;
}

Status write_all(const Handle& handle, const std::string& path, std::uint64_t offset,
                 std::string_view data) {
    while (!data.empty()) {
        const ssize_t written =
            ::pwrite(handle.get(), data.data(), data.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failed(path, "writing to");
        data.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return {};
}

Status sync(const Handle& handle, const std::string& path) {
    if (::fsync(handle.get()) != 0) return failed(path, "syncing");
    return {};
}

class SystemBlockDevices final : public BlockDevices {
public:
    [[nodiscard]] Result<std::string> read(const std::string& path, std::uint64_t offset,
                                           std::size_t length) const override {
        const Handle handle(path, O_RDONLY);
        if (handle.get() < 0) return failed(path, "opening");
        std::string data(length, '\0');
        std::size_t have = 0;
        while (have < length) {
            const ssize_t got = ::pread(handle.get(), data.data() + have, length - have,
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
        const Handle handle(path, O_RDWR | O_EXCL);
        if (handle.get() < 0) return failed(path, "opening");
        if (auto block = require_block_device(handle, path); !block) return block;
        if (auto done = write_all(handle, path, offset, data); !done) return done;
        return sync(handle, path);
    }

    Status zero(const std::string& path, std::uint64_t offset, std::uint64_t length) override {
        const Handle handle(path, O_RDWR | O_EXCL);
        if (handle.get() < 0) return failed(path, "opening");
        if (auto block = require_block_device(handle, path); !block) return block;
        const auto size = size_of(handle, path);
        if (!size) return tl::make_unexpected(size.error());
        const std::string zeros(kChunkBytes, '\0');
        const std::uint64_t end = std::min(*size, offset + length);
        while (offset < end) {
            const auto piece =
                static_cast<std::size_t>(std::min<std::uint64_t>(kChunkBytes, end - offset));
            if (auto done = write_all(handle, path, offset, {zeros.data(), piece}); !done)
                return done;
            offset += piece;
        }
        return sync(handle, path);
    }

    Status reread_partitions(const std::string& path) override {
        const Handle handle(path, O_RDONLY);
        if (handle.get() < 0) return failed(path, "opening");
        if (::ioctl(handle.get(), BLKRRPART) == 0) return {};
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
