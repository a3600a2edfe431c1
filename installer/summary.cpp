// The inventory in a few lines for the console.
#include "common/base/text.hpp"
#include "installer/progress.hpp"

namespace stratum::installer {
namespace {

void add(std::string& line, const std::string& part) {
    if (part.empty()) return;
    if (!line.empty()) line += ", ";
    line += part;
}

std::string machine_line(const facts::Inventory& inventory) {
    const facts::Machine& machine = inventory.machine;
    std::string name = machine.vendor;
    if (!machine.product.empty()) name += (name.empty() ? "" : " ") + machine.product;
    std::string line = name.empty() ? "Unknown machine" : name;
    if (!machine.serial.empty()) add(line, "serial " + machine.serial);
    if (!inventory.hostname.empty()) add(line, "host name " + inventory.hostname);
    return line;
}

std::string power_line(const facts::Inventory& inventory) {
    std::string line = inventory.cpu.model;
    if (inventory.cpu.cores) add(line, std::to_string(*inventory.cpu.cores) + " cores");
    if (inventory.memory_bytes) {
        add(line, human_bytes_binary(*inventory.memory_bytes) + " of memory");
    }
    return line;
}

std::string disks_line(const facts::Inventory& inventory) {
    std::string line;
    for (const facts::Disk& disk : inventory.disks) {
        add(line, disk.name + " " + human_bytes_decimal(disk.size_bytes) +
                      (disk.system ? " (system)" : ""));
    }
    return "Disks: " + (line.empty() ? "none" : line);
}

std::string nics_line(const facts::Inventory& inventory) {
    std::string line;
    for (const facts::Nic& nic : inventory.nics) {
        if (nic.kind != "physical") continue;
        std::string one = nic.name;
        if (nic.state == facts::LinkState::kDown) one += " (no link)";
        for (const facts::NicAddress& address : nic.addresses) one += " " + address.cidr;
        add(line, one);
    }
    return "NICs: " + (line.empty() ? "none" : line);
}

} // namespace

std::vector<std::string> summary_of(const facts::Inventory& inventory) {
    std::vector<std::string> lines;
    for (const std::string& line : {machine_line(inventory), power_line(inventory),
                                    disks_line(inventory), nics_line(inventory)}) {
        if (!line.empty()) lines.push_back(to_valid_utf8(line));
    }
    return lines;
}

} // namespace stratum::installer
