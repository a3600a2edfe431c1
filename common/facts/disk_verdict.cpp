// May this disk be used, and what would be lost.
#include <algorithm>
#include <array>
#include <set>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::facts {
namespace {

// How many mounts a sentence names before it counts the rest.
constexpr std::size_t kNamedMounts = 4;

std::string quoted(const std::string& label) {
    return label.empty() ? std::string{} : " “" + label + "”";
}

std::string mount_words(const Mount& mount) {
    std::string words = (mount.device.empty() ? "" : mount.device + " at ") + mount.path;
    if (mount.pid) words += " (in process " + std::to_string(*mount.pid) + ")";
    return words;
}

std::string refuse_unusable(const Disk& disk) {
    return disk.unusable;
}

bool is_named(const Disk& disk, std::string_view stem) {
    const std::string_view name = disk.name;
    return name.starts_with(stem) && parse_decimal(name.substr(stem.size())).has_value();
}

// What a reporter that is not ours may list without saying that it is no disk.
std::string refuse_no_disk(const Disk& disk) {
    if (!disk.unusable.empty()) return {};
    if (is_named(disk, "sr")) return "is an optical drive";
    if (is_named(disk, "fd")) return "is a floppy drive";
    if (is_named(disk, "loop")) return "is a loop device";
    if (is_named(disk, "ram") || is_named(disk, "zram")) return "is memory";
    const bool is_area =
        disk.name.ends_with("boot0") || disk.name.ends_with("boot1") || disk.name.ends_with("rpmb");
    return disk.name.starts_with("mmcblk") && is_area ? "is a boot or protected area of an eMMC"
                                                      : "";
}

std::string refuse_system(const Disk& disk) {
    if (!disk.system) return {};
    return "is a system disk: this machine's system, its state or its boot partition is on it";
}

std::string refuse_mounted(const Disk& disk) {
    if (!disk.mounted && disk.mounts.empty()) return {};
    std::vector<std::string> named;
    for (const auto& mount : disk.mounts)
        if (named.size() < kNamedMounts) named.push_back(mount_words(mount));
    if (named.empty()) return "is mounted";
    const std::size_t rest = disk.mounts.size() - named.size();
    return "is mounted: " + join(named, ", ") +
           (rest == 0 ? "" : " and " + std::to_string(rest) + " more");
}

std::string refuse_swap(const Disk& disk) {
    return disk.swap ? "is in use as swap: swapoff it, or choose another disk" : "";
}

std::string refuse_open(const Disk& disk) {
    std::vector<std::string> open;
    for (const auto& layer : disk.stack)
        if (layer.open.value_or(false)) open.push_back(layer.name);
    // A mount holds its device open too, and says more.
    if (open.empty() || disk.mounted || disk.swap) return {};
    return "is in use: a program or the kernel holds " + join(open, ", ") + " open";
}

std::string refuse_read_only(const Disk& disk) {
    return disk.read_only.value_or(false) ? "is read-only" : "";
}

std::string refuse_transport(const Disk& disk) {
    const std::string transport = lower(disk.transport);
    if (transport == "usb") return "is on USB (a stick, an external disk or a BMC's virtual media)";
    if (transport == "sd") return "is an SD card";
    return {};
}

std::string refuse_size(const Disk& disk) {
    if (disk.size_bytes >= kSmallestDiskBytes || disk.size_bytes == 0) return {};
    return "is too small: " + human_bytes_binary(disk.size_bytes) + ", at least " +
           human_bytes_binary(kSmallestDiskBytes) + " are needed";
}

std::string refuse_empty(const Disk& disk) {
    if (disk.size_bytes != 0 || !disk.unusable.empty()) return {};
    return "has no medium in it (its size is 0)";
}

std::string refuse_no_key(const Disk& disk) {
    return best_key(disk).empty() ? "cannot be named: " + how_to_give_a_key() : "";
}

using Refusal = std::string (*)(const Disk&);
constexpr std::array<Refusal, 11> kRefusals = {
    refuse_unusable,  refuse_no_disk,   refuse_system, refuse_mounted, refuse_swap,  refuse_open,
    refuse_read_only, refuse_transport, refuse_empty,  refuse_size,    refuse_no_key};

std::string hold_words(const Hold& hold) {
    const std::string where = hold.device.empty() ? "" : " on " + hold.device;
    if (hold.kind == "partition-table")
        return "a partition table (" + (hold.type.empty() ? "unknown" : hold.type) + ")" + where;
    if (hold.kind == "swap") return "swap space" + quoted(hold.label) + where;
    const std::string type = hold.type.empty() ? hold.kind : hold.type;
    return (type.empty() ? "something" : type) + quoted(hold.label) + where;
}

std::string layer_words(const StackLayer& layer) {
    if (layer.kind == "md")
        return "the " + (layer.level.empty() ? "md" : layer.level) + " array " + layer.name;
    if (layer.kind == "crypt") return "the encrypted device " + layer.name;
    if (layer.kind == "multipath") return {};
    return "the device " + layer.name;
}

std::string group_words(const StackLayer& layer) {
    return "an LVM volume group " + layer.group +
           (layer.group_uuid.empty() ? "" : " (" + layer.group_uuid + ")");
}

void add_once(std::vector<std::string>& list, std::string words) {
    if (!words.empty() && std::find(list.begin(), list.end(), words) == list.end())
        list.push_back(std::move(words));
}

std::vector<std::string> losses_of(const Disk& disk) {
    std::vector<std::string> losses;
    if (disk.holds)
        for (const auto& hold : *disk.holds) add_once(losses, hold_words(hold));
    for (const auto& partition : disk.partitions) {
        if (partition.holds)
            for (const auto& hold : *partition.holds) add_once(losses, hold_words(hold));
        else
            add_once(losses, "whatever is on partition " + std::to_string(partition.number) +
                                 " (it could not be read)");
    }
    if (losses.empty() && !disk.partitions.empty())
        add_once(losses, std::to_string(disk.partitions.size()) + " partitions");
    for (const auto& layer : disk.stack)
        add_once(losses, layer.kind == "lvm" && !layer.group.empty() ? group_words(layer)
                                                                     : layer_words(layer));
    return losses;
}

Contents contents_of(const Disk& disk) {
    const bool something = (disk.holds && !disk.holds->empty()) || !disk.partitions.empty() ||
                           !disk.stack.empty() || !disk.mounts.empty() || disk.mounted ||
                           disk.swap || disk.system || !disk.closure.empty();
    if (something) return Contents::kHolds;
    return disk.holds ? Contents::kBlank : Contents::kUnknown;
}

} // namespace

DiskVerdict judge(const Disk& disk) {
    DiskVerdict verdict;
    for (Refusal refusal : kRefusals) add_once(verdict.refusals, refusal(disk));
    verdict.contents = contents_of(disk);
    verdict.losses = losses_of(disk);
    if (!disk.holds) add_once(verdict.losses, "whatever is on it (not all of it could be read)");
    verdict.also_breaks = disk.closure;
    return verdict;
}

} // namespace stratum::facts
