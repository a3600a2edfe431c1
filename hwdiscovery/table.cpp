#include "hwdiscovery/table.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/table_text.hpp"

namespace stratum::hw {
namespace {

constexpr int kLeastColumns = 40;
constexpr std::size_t kNamedHolds = 12;

void add(std::vector<std::string>& parts, std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
}

std::string counted(std::size_t count, const std::string& one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string machine_line(const facts::Inventory& inventory) {
    std::vector<std::string> parts;
    add(parts, inventory.hostname.empty() ? "(no hostname)" : inventory.hostname);
    add(parts, std::string(trim(inventory.machine.vendor + " " + inventory.machine.product)));
    if (inventory.cpu.cores) add(parts, counted(*inventory.cpu.cores, "core"));
    if (inventory.memory_bytes) add(parts, human_bytes_binary(*inventory.memory_bytes));
    if (inventory.cpu.virtualization)
        add(parts, inventory.cpu.virtualization->empty() ? "no vmx or svm"
                                                         : *inventory.cpu.virtualization);
    return join(parts, " · ");
}

struct Word {
    std::string text;
    Ink ink = Ink::kPlain;
};

Word verdict_word(const facts::DiskVerdict& verdict) {
    if (!verdict.refusals.empty()) return {"not usable", Ink::kBad};
    switch (verdict.contents) {
    case facts::Contents::kBlank:
        return {"blank", Ink::kGood};
    case facts::Contents::kHolds:
        return {"holds data", Ink::kWarn};
    case facts::Contents::kUnknown:
        break;
    }
    return {"not known to be blank", Ink::kWarn};
}

std::string disk_title(const facts::Disk& disk) {
    std::vector<std::string> parts = {disk.path};
    add(parts, disk.size_bytes == 0 ? "" : human_bytes_decimal(disk.size_bytes));
    add(parts, disk.transport);
    if (disk.rotational && *disk.rotational && disk.transport != "virtio") add(parts, "spinning");
    return join(parts, "  ");
}

std::string what_it_is(const facts::Disk& disk) {
    std::vector<std::string> parts;
    add(parts, disk.model);
    add(parts, disk.serial.empty() ? "" : "serial " + disk.serial);
    return join(parts, ", ");
}

std::string short_list(const std::vector<std::string>& parts) {
    std::vector<std::string> named(
        parts.begin(),
        parts.begin() + static_cast<std::ptrdiff_t>(std::min(parts.size(), kNamedHolds)));
    if (parts.size() > named.size())
        named.push_back("and " + std::to_string(parts.size() - named.size()) + " more");
    return join(named, "; ");
}

void draw_disk(const facts::Disk& disk, TableText& text) {
    const auto verdict = facts::judge(disk);
    const Word word = verdict_word(verdict);
    text.heading(disk_title(disk), word.text, word.ink);
    text.field("what", what_it_is(disk));
    text.field("key", facts::best_key(disk));
    text.field("holds", short_list(verdict.losses));
    text.field("with", verdict.also_breaks.empty()
                           ? ""
                           : "wiping it also takes from " + join(verdict.also_breaks, ", "));
    for (const auto& refusal : verdict.refusals) text.field("why not", "it " + refusal, Ink::kBad);
    for (const auto& warning : disk.warnings) text.field("note", warning, Ink::kFaint);
}

std::string nic_title(const facts::Nic& nic) {
    std::vector<std::string> parts = {nic.name};
    if (nic.kind != "physical") add(parts, nic.kind);
    if (nic.speed_mbps)
        add(parts, *nic.speed_mbps >= 1000 && *nic.speed_mbps % 1000 == 0
                       ? std::to_string(*nic.speed_mbps / 1000) + " Gb/s"
                       : std::to_string(*nic.speed_mbps) + " Mb/s");
    if (nic.mtu) add(parts, "mtu " + std::to_string(*nic.mtu));
    return join(parts, "  ");
}

std::string nic_hardware(const facts::Nic& nic) {
    std::vector<std::string> parts;
    add(parts, nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac);
    if (!nic.permanent_mac.empty() && nic.permanent_mac != nic.mac) add(parts, "now " + nic.mac);
    add(parts, nic.driver);
    add(parts, nic.pci_address);
    if (nic.bmc) add(parts, "of the management controller");
    return join(parts, ", ");
}

std::string nic_make_up(const facts::Nic& nic) {
    std::vector<std::string> parts;
    if (nic.bond) add(parts, nic.bond->mode + " of " + join(nic.bond->members, ", "));
    if (nic.vlan_id) add(parts, "VLAN " + std::to_string(*nic.vlan_id) + " on " + nic.parent);
    if (!nic.master.empty()) add(parts, "member of " + nic.master);
    return join(parts, ", ");
}

void draw_nic(const facts::Nic& nic, bool reaches_founder, TableText& text) {
    const Ink ink = nic.state == facts::LinkState::kUp     ? Ink::kGood
                    : nic.state == facts::LinkState::kDown ? Ink::kBad
                                                           : Ink::kFaint;
    const std::string state = nic.state == facts::LinkState::kUnknown
                                  ? "state not known"
                                  : std::string(facts::link_state_name(nic.state));
    text.heading(nic_title(nic), state, ink);
    text.field("what", nic_hardware(nic));
    text.field("made of", nic_make_up(nic));
    std::vector<std::string> addresses;
    for (const auto& address : nic.addresses)
        addresses.push_back(address.cidr + " (" + address.how + ")");
    text.field("address", join(addresses, ", "));
    text.field("gateway", nic.gateway);
    text.field("dns", join(nic.dns, ", "));
    if (reaches_founder) text.field("founder", "is reached through this one");
}

} // namespace

std::string render_table(const facts::Inventory& inventory, int columns, bool colour, bool utf8) {
    TableText text(TableStyle{std::max(columns, kLeastColumns), colour, utf8});
    text.line(machine_line(inventory), Ink::kBold);
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
        text.line("note: " + warning);
    }
    return text.str();
}

} // namespace stratum::hw
