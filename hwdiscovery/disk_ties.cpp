#include "hwdiscovery/disk_ties.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "common/base/text.hpp"
#include "hwdiscovery/disk_mounts.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/stack.hpp"

namespace stratum::hw {
namespace {

constexpr std::string_view kEspType = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b";
constexpr std::string_view kWwnLink = "/dev/disk/by-id/wwn-";

bool is_own(const std::string& label, const std::string& type) {
    return label == kStatePartition || (label == kEspPartition && lower(type) == kEspType);
}

bool has_boot_partition(const BlockRecord& block, const BlockGraph& graph, const std::string& uuid,
                        const facts::Disk& disk) {
    if (uuid.empty()) return false;
    const auto own = graph.partitions_of(block);
    return std::any_of(disk.partitions.begin(), disk.partitions.end(),
                       [&](const facts::Partition& one) { return lower(one.uuid) == uuid; }) ||
           std::any_of(own.begin(), own.end(),
                       [&](const BlockRecord* one) { return one->partition_uuid == uuid; });
}

// Ours may also stand in a table of something stacked: a volume of firmware RAID, an array.
bool has_own_partition_above(const BlockRecord& block, const BlockGraph& graph,
                             const DiskRecords& records) {
    for (const BlockRecord* layer : graph.layers_over(block)) {
        const std::string type =
            layer->udev ? layer->udev->property("ID_PART_ENTRY_TYPE") : std::string{};
        if (is_own(layer->partition_label, type)) return true;
        if (layer->udev && is_own(layer->udev->property("ID_PART_ENTRY_NAME"), type)) return true;
        const auto content = records.contents.find(layer->name);
        if (content == records.contents.end()) continue;
        for (const auto& one : content->second.partitions)
            if (is_own(one.label, one.type)) return true;
    }
    return false;
}

bool has_own_partition(const facts::Disk& disk) {
    return std::any_of(
        disk.partitions.begin(), disk.partitions.end(),
        [](const facts::Partition& partition) { return is_own(partition.label, partition.type); });
}

bool holds_system_mount(const facts::Disk& disk) {
    return std::any_of(disk.mounts.begin(), disk.mounts.end(), [](const facts::Mount& mount) {
        return !mount.pid && is_system_place(mount.path);
    });
}

// A path of a map is the map's, and a container its disks': they lose nothing of their own.
bool counts_in_closures(const MadeDisk& one, const BlockGraph& graph) {
    return !graph.is_multipath_path(*one.block) && !is_container_array(*one.block);
}

using Groups = std::map<std::string, std::vector<std::size_t>>;

// Disks that have an identifier of their own in common: one disk by several ways. No placeholders.
Groups ways_to_one(const BlockGraph& graph, const std::vector<MadeDisk>& disks) {
    Groups ways;
    for (std::size_t i = 0; i < disks.size(); ++i)
        if (counts_in_closures(disks[i], graph))
            for (const auto& id : world_wide_ids(disks[i].disk)) ways[id].push_back(i);
    std::erase_if(ways, [](const auto& one) { return one.second.size() < 2; });
    return ways;
}

std::vector<std::set<std::string>> all_ties(const BlockGraph& graph, const DiskRecords& records,
                                            const std::vector<MadeDisk>& disks,
                                            const Groups& ways) {
    std::vector<std::set<std::string>> ties;
    ties.reserve(disks.size());
    for (const auto& one : disks)
        ties.push_back(counts_in_closures(one, graph) ? ties_of(*one.block, graph, records)
                                                      : std::set<std::string>{});
    // What one way is tied to, the others are.
    for (const auto& [id, group] : ways) {
        std::set<std::string> together = {"one disk: " + id};
        for (std::size_t one : group) together.insert(ties[one].begin(), ties[one].end());
        for (std::size_t one : group) ties[one] = together;
    }
    return ties;
}

// What a disk is in use for, in words; empty: nothing.
std::string use_of(const MadeDisk& one, const DiskRecords& records) {
    const facts::Disk& disk = one.disk;
    if (disk.system) return "is in use (this machine's system is on it)";
    if (disk.mounted || !disk.mounts.empty()) return "is in use (mounted)";
    if (disk.swap) return "is in use (swap)";
    if (!disk.stack.empty()) return "is in use (" + disk.stack.front().name + " stands on it)";
    const auto content = records.contents.find(one.block->name);
    if (content != records.contents.end() && content->second.exclusive == Exclusive::kBusy)
        return "is in use (something holds it open)";
    return disk.unusable.empty() ? "" : "cannot be used: it " + disk.unusable;
}

void refuse_other_ways(const Groups& ways, const DiskRecords& records,
                       std::vector<MadeDisk>& disks) {
    std::vector<std::string> uses;
    uses.reserve(disks.size());
    for (const auto& one : disks) uses.push_back(use_of(one, records));
    for (const auto& [id, group] : ways)
        for (std::size_t one : group)
            for (std::size_t other : group) {
                facts::Disk& disk = disks[one].disk;
                if (other == one || uses[other].empty() || !disk.unusable.empty()) continue;
                disk.unusable = "is another way to " + disks[other].disk.path +
                                " (they share the identifier " + id + "), which " + uses[other];
            }
}

void refuse_beside_system(std::vector<MadeDisk>& disks) {
    std::set<std::string> systems;
    for (const auto& one : disks)
        if (one.disk.system) systems.insert(one.disk.path);
    for (auto& one : disks) {
        if (!one.disk.unusable.empty() || one.disk.system) continue;
        for (const auto& path : one.disk.closure)
            if (systems.count(path) != 0 && one.disk.unusable.empty())
                one.disk.unusable = "is in one stack with the system disk " + path;
    }
}

} // namespace

void mark_system(const BlockRecord& block, const BlockGraph& graph, const DiskRecords& records,
                 facts::Disk& disk) {
    const bool is_medium =
        has_boot_partition(block, graph, lower(records.boot_partition_uuid), disk);
    // A stick that the system was merely booted from is not where it lives.
    const bool is_stick = disk.transport == "usb";
    disk.system = has_own_partition(disk) || has_own_partition_above(block, graph, records) ||
                  holds_system_mount(disk) || (is_medium && !is_stick);
    if (disk.unusable.empty() && is_medium) disk.unusable = "is the medium this machine runs from";
}

void mark_recorded(const facts::InstallRecord& record, facts::Disk& disk) {
    for (const auto& key : record.disks) {
        const bool is_link =
            std::find(disk.by_id.begin(), disk.by_id.end(), key) != disk.by_id.end();
        const std::string wwn =
            lower(key.starts_with(kWwnLink) ? key.substr(kWwnLink.size()) : key);
        if (is_link || (!disk.wwn.empty() && lower(disk.wwn) == wwn)) disk.system = true;
    }
}

void tie_disks(const BlockGraph& graph, const DiskRecords& records, std::vector<MadeDisk>& disks) {
    Groups members;
    const Groups ways = ways_to_one(graph, disks);
    const auto ties = all_ties(graph, records, disks, ways);
    for (std::size_t i = 0; i < disks.size(); ++i)
        for (const auto& tie : ties[i]) members[tie].push_back(i);
    std::map<std::size_t, std::set<std::size_t>> others;
    for (const auto& [tie, group] : members)
        for (std::size_t one : group)
            if (group.size() > 1) others[one].insert(group.begin(), group.end());
    for (const auto& [one, group] : others)
        for (std::size_t other : group)
            if (other != one) disks[one].disk.closure.push_back(disks[other].disk.path);
    refuse_other_ways(ways, records, disks);
    refuse_beside_system(disks);
}

void warn_of_doubled_groups(const BlockGraph& graph, const DiskRecords& records,
                            std::vector<MadeDisk>& disks) {
    using Uuids = std::map<std::string, std::set<std::string>>;
    std::vector<Uuids> own;
    Uuids all;
    for (const auto& one : disks) {
        own.push_back(volume_groups_on(*one.block, graph, records));
        for (const auto& [name, uuids] : own.back()) all[name].insert(uuids.begin(), uuids.end());
    }
    for (std::size_t i = 0; i < disks.size(); ++i)
        for (const auto& [name, uuids] : own[i]) {
            if (all[name].size() < 2) continue;
            std::vector<std::string> foreign;
            std::set_difference(all[name].begin(), all[name].end(), uuids.begin(), uuids.end(),
                                std::back_inserter(foreign));
            const std::vector<std::string> here(uuids.begin(), uuids.end());
            disks[i].disk.warnings.push_back(to_valid_utf8(
                "this machine has " + std::to_string(all[name].size()) +
                " LVM volume groups named " + name + ": this disk is in " + join(here, ", ") +
                (foreign.empty() ? "" : ", others in " + join(foreign, ", ")) +
                "; tell them apart by uuid"));
        }
}

} // namespace stratum::hw
