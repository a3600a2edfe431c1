#include "hwdiscovery/edge/dm_status.hpp"

#include <array>
#include <cstring>

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace stratum::hw {

DmStatus read_dm_status(const std::string& name) {
    DmStatus status;
    const int fd = ::open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
    if (fd < 0) return status;
    // Room for the first segments; of more only the first counts here.
    alignas(dm_ioctl) std::array<char, 16384> buffer{};
    auto* request = reinterpret_cast<dm_ioctl*>(buffer.data());
    request->version[0] = DM_VERSION_MAJOR;
    request->data_size = buffer.size();
    request->data_start = sizeof(dm_ioctl);
    request->flags = DM_STATUS_TABLE_FLAG | DM_NOFLUSH_FLAG;
    if (name.size() < sizeof request->name) {
        std::memcpy(request->name, name.c_str(), name.size() + 1);
        if (::ioctl(fd, DM_TABLE_STATUS, request) == 0) {
            status.open_count = static_cast<std::uint32_t>(request->open_count);
            const bool is_there = request->target_count > 0 &&
                                  request->data_start + sizeof(dm_target_spec) <= buffer.size();
            if (is_there) {
                const auto* spec =
                    reinterpret_cast<const dm_target_spec*>(buffer.data() + request->data_start);
                status.target.assign(spec->target_type,
                                     ::strnlen(spec->target_type, sizeof spec->target_type));
            }
        }
    }
    ::close(fd);
    return status;
}

} // namespace stratum::hw
