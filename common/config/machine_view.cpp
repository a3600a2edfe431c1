#include "common/config/machine_view.hpp"

#include <algorithm>
#include <tuple>

#include "common/base/text.hpp"
#include "common/config/words.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::config {

namespace {

std::optional<IpAddress> address_of(const facts::NicAddress& held) {
    if (const auto cidr = Cidr::parse(held.cidr)) return cidr->address();
    return {};
}

// A remote address as a socket tells it may carry a zone: fe80::1%eth0.
std::optional<IpAddress> without_zone(std::string_view text) {
    const auto parsed = IpAddress::parse(text.substr(0, text.find('%')));
    if (!parsed) return {};
    return *parsed;
}

std::string speed_words(std::uint32_t mbps) {
    if (mbps % 1000 == 0) return say(mbps / 1000, " Gb/s");
    if (mbps > 1000 && mbps % 100 == 0) return say(mbps / 1000, ".", mbps % 1000 / 100, " Gb/s");
    return say(mbps, " Mb/s");
}

void sort_texts(std::vector<std::string>& texts) {
    std::sort(texts.begin(), texts.end());
}

void sort_holds(std::vector<facts::Hold>& holds) {
    const auto key = [](const facts::Hold& hold) {
        return std::tie(hold.device, hold.offset_bytes, hold.kind, hold.type, hold.label,
                        hold.uuid);
    };
    std::sort(holds.begin(), holds.end(),
              [&](const facts::Hold& a, const facts::Hold& b) { return key(a) < key(b); });
}

// All but `stack`, whose order says what stands on what.
void sort_lists(facts::Disk& disk) {
    sort_texts(disk.by_id);
    sort_texts(disk.closure);
    sort_texts(disk.paths);
    std::sort(disk.mounts.begin(), disk.mounts.end(),
              [](const facts::Mount& a, const facts::Mount& b) {
                  return std::tie(a.path, a.device, a.pid) < std::tie(b.path, b.device, b.pid);
              });
    std::stable_sort(disk.partitions.begin(), disk.partitions.end(),
                     [](const facts::Partition& a, const facts::Partition& b) {
                         return std::tie(a.start_bytes, a.number) <
                                std::tie(b.start_bytes, b.number);
                     });
    if (disk.holds) sort_holds(*disk.holds);
    for (facts::Partition& partition : disk.partitions)
        if (partition.holds) sort_holds(*partition.holds);
}

// All but `dns`, whose order is that of asking.
void sort_lists(facts::Nic& nic) {
    sort_texts(nic.alt_names);
    sort_texts(nic.routes);
    if (nic.bond) std::sort(nic.bond->members.begin(), nic.bond->members.end(), natural_less);
    std::sort(nic.addresses.begin(), nic.addresses.end(),
              [](const facts::NicAddress& a, const facts::NicAddress& b) {
                  return std::tie(a.cidr, a.how) < std::tie(b.cidr, b.how);
              });
}

} // namespace

facts::Inventory in_stable_order(facts::Inventory inventory) {
    for (facts::Nic& nic : inventory.nics) sort_lists(nic);
    for (facts::Disk& disk : inventory.disks) sort_lists(disk);
    std::stable_sort(inventory.nics.begin(), inventory.nics.end(),
                     [](const facts::Nic& a, const facts::Nic& b) {
                         if (a.name != b.name) return natural_less(a.name, b.name);
                         return a.mac < b.mac;
                     });
    const auto key = [](const facts::Disk& disk) {
        return std::tuple(facts::best_key(disk), disk.path, disk.serial);
    };
    std::stable_sort(inventory.disks.begin(), inventory.disks.end(),
                     [&](const facts::Disk& a, const facts::Disk& b) { return key(a) < key(b); });
    return inventory;
}

MachineView::MachineView(const facts::Inventory& inventory, std::string_view remote_address)
    : inventory_(inventory) {
    if (const auto remote = without_zone(remote_address))
        for (const facts::Nic& nic : inventory_.nics)
            if (!registered_ && address_on(nic.name, *remote)) registered_ = &nic;
    if (registered_) return;
    registered_ = device(inventory_.founder_interface);
    behind_nat_ = registered_ != nullptr;
}

const facts::Nic* MachineView::device(std::string_view name) const {
    for (const facts::Nic& nic : inventory_.nics)
        if (!name.empty() && nic.name == name) return &nic;
    return nullptr;
}

const facts::Nic* MachineView::nic(std::string_view name) const {
    const facts::Nic* found = device(name);
    return found && found->kind == "physical" && !found->bmc ? found : nullptr;
}

const facts::Nic* MachineView::nic_also_called(std::string_view alt_name) const {
    for (const facts::Nic& nic : inventory_.nics)
        if (has_word(nic.alt_names, alt_name)) return &nic;
    return nullptr;
}

std::vector<std::string> MachineView::physical_below(std::string_view name) const {
    const facts::Nic* found = device(name);
    if (!found) return {};
    if (found->kind == "physical") return {found->name};
    std::vector<std::string> below;
    if (!found->parent.empty() && found->parent != name) {
        const facts::Nic* parent = device(found->parent);
        if (parent && parent->kind == "physical") below.push_back(parent->name);
        if (parent && parent->bond) below = parent->bond->members;
    }
    if (found->bond) below = found->bond->members;
    for (const facts::Nic& nic : inventory_.nics)
        if (nic.master == name && nic.kind == "physical" && !has_word(below, nic.name))
            below.push_back(nic.name);
    std::sort(below.begin(), below.end(), natural_less);
    return below;
}

const facts::NicAddress* MachineView::address_on(std::string_view name,
                                                 const IpAddress& address) const {
    const facts::Nic* found = device(name);
    if (!found) return nullptr;
    for (const facts::NicAddress& held : found->addresses)
        if (address_of(held) == address) return &held;
    return nullptr;
}

std::string nic_words(const facts::Nic& nic) {
    std::string words = nic.name + " (" + std::string(facts::link_state_name(nic.state));
    if (nic.speed_mbps && nic.state != facts::LinkState::kDown)
        words += ", " + speed_words(*nic.speed_mbps);
    return words + ")";
}

const facts::Nic* MachineView::oob() const {
    const auto& record = inventory_.install_record;
    const facts::Nic* found = record ? nic(record->oob_interface) : nullptr;
    const bool is_mgmt =
        found && registered_ && has_word(physical_below(registered_->name), found->name);
    return is_mgmt ? nullptr : found;
}

Fault nic_identity_fault(const MachineView& machine, std::string_view name) {
    const auto mac_of = [](const facts::Nic& nic) {
        return MacAddress::parse(nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac);
    };
    const facts::Nic* own = machine.nic(name);
    if (!own) return {};
    const auto mac = mac_of(*own);
    if (!mac || !mac->is_plausible())
        return say(name, " has no MAC address of its own (\"",
                   own->permanent_mac.empty() ? own->mac : own->permanent_mac,
                   "\"), and would not be found again under another name; choose another NIC");
    for (const facts::Nic& other : machine.inventory().nics) {
        if (&other == own || !machine.nic(other.name) || other.name == own->name) continue;
        const auto others = mac_of(other);
        if (others && *others == *mac)
            return say(name, " and ", other.name, " have the same MAC address ", mac->str(),
                       ", so that nothing tells them apart; give one of them another");
    }
    return {};
}

std::string MachineView::choices() const {
    std::vector<std::string> words;
    for (const facts::Nic& nic : inventory_.nics)
        if (nic.kind == "physical" && !nic.bmc) words.push_back(nic_words(nic));
    return "this machine has " + listed(words, "no NIC");
}

std::string MachineView::os_disk_layout() const {
    if (inventory_.install_record && !inventory_.install_record->os_disk_layout.empty())
        return inventory_.install_record->os_disk_layout;
    for (const facts::Disk& disk : inventory_.disks) {
        const bool has_tail = disk.free_tail_bytes.value_or(0) >= facts::kSmallestDiskBytes;
        if ((disk.system || disk.mounted) && has_tail) return "compute-tail";
    }
    return "whole-disk";
}

} // namespace stratum::config
