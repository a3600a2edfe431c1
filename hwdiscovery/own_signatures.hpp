// Signatures that libblkid does not know, or only inside something else. One row each.
#pragma once

#include <cstdint>
#include <vector>

#include "hwdiscovery/lvm_metadata.hpp"
#include "hwdiscovery/records.hpp"

namespace stratum::hw {

// Of a device or a partition of `size` bytes.
std::vector<SignatureRecord> own_signatures(const ReadAt& read, std::uint64_t size);

} // namespace stratum::hw
