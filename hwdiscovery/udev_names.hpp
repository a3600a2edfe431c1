// How udev's rules spell a disk's identity, for machines where udev has not (yet) done it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hwdiscovery/records.hpp"
#include "hwdiscovery/vpd.hpp"

namespace stratum::hw {

// White space at the ends goes, a run of it inside becomes one "_".
std::string with_underscores(std::string_view text);
// Every byte that udev does not let into a name becomes "_".
std::string safe_name(std::string_view text);

// A boot area, a general-purpose one or the protected one: mmcblk0boot0, mmcblk0gp1, mmcblk0rpmb.
bool is_emmc_area(const std::string& name);

// What an ATA disk says of itself, by whichever page has it whole.
AtaIdentity ata_identity(const ScsiRecord& scsi);

// "0x5000c500a1b2c301" from the device's own page, else from the kernel's reading of it; empty:
// none.
std::string scsi_wwn(const ScsiRecord& scsi);
// What scsi_id prints: one digit for the kind of designator, then the designator.
std::string scsi_id(const ScsiRecord& scsi);

} // namespace stratum::hw
