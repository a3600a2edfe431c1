// The seam to raw block devices: the few writes that the storage phase makes itself. Each call
// opens the device exclusively (O_EXCL: a device that anybody else holds is refused), writes, syncs
// and closes. Offsets and lengths are bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/result.hpp"

namespace stratum::installer {

class BlockDevices {
public:
    virtual ~BlockDevices() = default;

    // Read-only and not exclusive. Fewer bytes than asked for only at the device's end.
    [[nodiscard]] virtual Result<std::string> read(const std::string& path, std::uint64_t offset,
                                                   std::size_t length) const = 0;
    // kConflict where somebody else has it (EBUSY), kDenied for a read-only device, kIo.
    virtual Status write(const std::string& path, std::uint64_t offset, std::string_view data) = 0;
    // Writes zeros; a range past the end is cut there.
    virtual Status zero(const std::string& path, std::uint64_t offset, std::uint64_t length) = 0;
    // Has the kernel read the partition table again.
    virtual Status reread_partitions(const std::string& path) = 0;
};

// The machine's devices. Refuses a path that is not a block device. Safe from any thread.
BlockDevices& system_block_devices();

} // namespace stratum::installer
