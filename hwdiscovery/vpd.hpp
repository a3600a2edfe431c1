// A SCSI device's identification pages, as sysfs hands them out raw. Pure; a page that is short or
// lies about its lengths gives what of it makes sense, or nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stratum::hw {

// Page 0x80: the unit's serial number.
std::string vpd80_serial(std::string_view page);

// One designator of page 0x83.
struct Designator {
    int code_set = 0;    // 1 binary, 2 ASCII, 3 UTF-8
    int association = 0; // 0 the logical unit, 1 the port, 2 the target
    int type = 0;        // 0 vendor's own, 1 T10, 2 EUI-64, 3 NAA
    std::string value;
};
std::vector<Designator> vpd83_designators(std::string_view page);

// The best world-wide one of the logical unit: NAA (the longest), else EUI-64; nullptr: none.
const Designator* world_wide(const std::vector<Designator>& designators);

// Page 0x89: what an ATA disk behind a translation says of itself.
struct AtaIdentity {
    std::string model, serial;
};
AtaIdentity vpd89_ata(std::string_view page);
// The same from page 0x83, where the translation puts both into one designator (T10's, vendor ATA:
// 40 bytes of model, 20 of serial), for kernels that show no page 0x89.
AtaIdentity vpd83_ata(const std::vector<Designator>& designators);

} // namespace stratum::hw
