#include "hwdiscovery/firmware.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr const char* kSecureBoot =
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
constexpr const char* kTables = "/sys/firmware/acpi/tables";

// Without EFI, the table of what the machine is made of is one that a BIOS left in memory.
std::string firmware_of(const Tree& tree) {
    if (tree.exists("/sys/firmware/efi")) return "uefi";
    const bool has_tables = !tree.text("/sys/class/dmi/id/bios_vendor").empty();
    return tree.exists("/sys/firmware") && has_tables ? "bios" : "";
}

// By the driver; where none is loaded, by the firmware's tables.
void read_tpm(const Tree& tree, facts::Machine& machine) {
    const auto chips = tree.list("/sys/class/tpm");
    if (!chips.empty()) {
        const std::string chip = "/sys/class/tpm/" + chips.front();
        const auto major = tree.number(chip + "/tpm_version_major");
        const bool has_old_words =
            tree.exists(chip + "/pcrs") || tree.exists(chip + "/device/pcrs");
        machine.tpm = true;
        if (major == 2u) machine.tpm_version = "2.0";
        if (major == 1u || (!major && has_old_words)) machine.tpm_version = "1.2";
        return;
    }
    const auto tables = tree.list(kTables);
    const auto has = [&](const char* name) {
        return std::find(tables.begin(), tables.end(), name) != tables.end();
    };
    if (tables.empty()) return;
    machine.tpm = has("TPM2") || has("TCPA");
    if (*machine.tpm) machine.tpm_version = has("TPM2") ? "2.0" : "1.2";
}

} // namespace

std::optional<bool> parse_efi_flag(std::string_view bytes) {
    constexpr std::size_t kAttributes = 4;
    if (bytes.size() != kAttributes + 1) return std::nullopt;
    const char value = bytes[kAttributes];
    if (value != 0 && value != 1) return std::nullopt;
    return value == 1;
}

void read_firmware(const Tree& tree, facts::Machine& machine) {
    machine.firmware = firmware_of(tree);
    if (const auto variable = tree.bytes(kSecureBoot))
        machine.secure_boot = parse_efi_flag(*variable);
    read_tpm(tree, machine);
}

} // namespace stratum::hw
