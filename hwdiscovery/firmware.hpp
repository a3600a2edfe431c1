// What started the machine: its firmware, Secure Boot, its TPM.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// Fills firmware, secure_boot, tpm and tpm_version.
void read_firmware(const Tree& tree, facts::Machine& machine);

// The value of an EFI variable that is one byte, 0 or 1, behind four bytes of attributes (UEFI
// specification, 8.2; SecureBoot: 3.3). Anything else: not known.
std::optional<bool> parse_efi_flag(std::string_view bytes);

} // namespace stratum::hw
