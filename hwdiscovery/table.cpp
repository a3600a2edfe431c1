#include "hwdiscovery/table.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "hwdiscovery/table_parts.hpp"

namespace stratum::hw {
namespace {

constexpr int kLeastColumns = 40;
constexpr std::size_t kNamedParts = 12;

std::string cpu_words(const facts::Cpu& cpu) {
    std::vector<std::string> parts;
    if (cpu.sockets) add_part(parts, counted(*cpu.sockets, "socket"));
    if (cpu.cores) add_part(parts, counted(*cpu.cores, "core"));
    if (cpu.virtualization)
        add_part(parts, cpu.virtualization->empty() ? "no vmx or svm" : *cpu.virtualization);
    return join(parts, ", ");
}

std::string machine_line(const facts::Inventory& inventory) {
    std::vector<std::string> parts;
    add_part(parts, inventory.hostname.empty() ? "(no hostname)" : inventory.hostname);
    add_part(parts, std::string(trim(inventory.machine.vendor + " " + inventory.machine.product)));
    add_part(parts, cpu_words(inventory.cpu));
    if (inventory.memory_bytes) add_part(parts, human_bytes_binary(*inventory.memory_bytes));
    return join(parts, " · ");
}

std::string firmware_line(const facts::Machine& machine) {
    std::vector<std::string> parts;
    add_part(parts, machine.serial.empty() ? "" : "serial " + machine.serial);
    add_part(parts, machine.virtual_kind.empty()
                        ? ""
                        : "a virtual machine (" + machine.virtual_kind + ")");
    add_part(parts, machine.firmware == "uefi" ? "UEFI" : machine.firmware == "bios" ? "BIOS" : "");
    if (machine.secure_boot)
        add_part(parts, *machine.secure_boot ? "Secure Boot on" : "Secure Boot off");
    if (machine.tpm)
        add_part(parts, *machine.tpm ? std::string(trim("TPM " + machine.tpm_version)) : "no TPM");
    return join(parts, " · ");
}

} // namespace

void add_part(std::vector<std::string>& parts, std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
}

std::string counted(std::size_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string short_list(const std::vector<std::string>& parts) {
    std::vector<std::string> named(
        parts.begin(),
        parts.begin() + static_cast<std::ptrdiff_t>(std::min(parts.size(), kNamedParts)));
    if (parts.size() > named.size())
        named.push_back("and " + std::to_string(parts.size() - named.size()) + " more");
    return join(named, "; ");
}

std::string render_table(const facts::Inventory& inventory, int columns, bool colour, bool utf8) {
    TableText text(TableStyle{std::max(columns, kLeastColumns), colour, utf8});
    text.paragraph(machine_line(inventory), Ink::kBold);
    text.paragraph(firmware_line(inventory.machine));
    text.blank();
    text.line(counted(inventory.disks.size(), "disk"));
    for (const auto& disk : inventory.disks) {
        text.blank();
        draw_disk(disk, text);
    }
    text.blank();
    text.line(counted(inventory.nics.size(), "network device"));
    for (const auto& nic : inventory.nics) {
        text.blank();
        draw_nic(nic, nic.name == inventory.founder_interface, text);
    }
    for (const auto& warning : inventory.warnings) {
        text.blank();
        text.paragraph("note: " + warning);
    }
    return text.str();
}

std::string render_changes(const std::vector<std::string>& changes, int columns, bool utf8) {
    if (changes.empty()) return {};
    TableText text(TableStyle{std::max(columns, kLeastColumns), false, utf8});
    text.blank();
    text.paragraph("changed: " + short_list(changes));
    return text.str();
}

} // namespace stratum::hw
