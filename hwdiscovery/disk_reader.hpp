// Everything about disks that stands in files: block devices, mounts, swaps, members of mounted
// filesystems, the install record, what the machine was booted from.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hwdiscovery/machine_records.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// `contents` is left empty: that needs the devices themselves.
DiskRecords read_disk_records(const Tree& tree);

// An EFI variable's text: four bytes of attributes, then UTF-16.
std::string parse_efi_text(std::string_view bytes);

} // namespace stratum::hw
