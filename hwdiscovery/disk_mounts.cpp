#include "hwdiscovery/disk_mounts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

// Of one device; who binds one filesystem to a thousand places is told enough by these.
constexpr std::size_t kMostMounts = 32;

using Names = std::set<std::string>;
using Members = std::map<std::string, std::vector<std::string>>;

// One device of a filesystem over several stands for all of them.
void add_members(const Members& filesystems, Names& names) {
    for (const auto& [uuid, members] : filesystems) {
        const bool is_part = std::any_of(members.begin(), members.end(), [&](const auto& member) {
            return names.count(member) != 0;
        });
        if (is_part) names.insert(members.begin(), members.end());
    }
}

// A pool's datasets are mounted under its name; its members carry that name as their label.
void add_zfs_members(const DiskRecords& records, const std::string& source, Names& names) {
    const std::string pool = source.substr(0, source.find_first_of("/@"));
    for (const auto& [name, content] : records.contents)
        for (const auto& signature : content.signatures)
            if (signature.type == "zfs_member" && signature.label == pool) names.insert(name);
    for (const auto& block : records.blocks)
        if (block.udev && block.udev->property("ID_FS_TYPE") == "zfs_member" &&
            block.udev->property("ID_FS_LABEL") == pool)
            names.insert(block.name);
}

Names devices_of(const MountRecord& mount, const DiskRecords& records, const BlockGraph& graph) {
    Names names;
    if (const BlockRecord* block = graph.numbered(mount.dev)) names.insert(block->name);
    // Filesystems over several devices have a number of their own; bcachefs lists all its devices.
    if (const BlockRecord* block = graph.at_path(mount.source); block != nullptr && names.empty())
        names.insert(block->name);
    if (mount.type == "bcachefs") {
        for (const auto& source : split(mount.source, ':'))
            if (const BlockRecord* block = graph.at_path(source)) names.insert(block->name);
        add_members(records.bcachefs, names);
    }
    if (mount.type == "btrfs") add_members(records.btrfs, names);
    if (mount.type == "zfs") add_zfs_members(records, mount.source, names);
    return names;
}

// devtmpfs and the like name a device as their source without standing on it.
bool can_stand_on_a_device(const MountRecord& mount) {
    return !mount.dev.starts_with("0:") || mount.type == "btrfs" || mount.type == "zfs" ||
           mount.type == "bcachefs" || mount.type.starts_with("fuse");
}

// A swap file's filesystem may be one without a device of the machine's; a path of /dev is a
// device.
bool is_placed_swap(const std::string& path, const DiskRecords& records, const BlockGraph& graph) {
    if (graph.at_path(path) != nullptr) return true;
    if (path.starts_with("/dev/")) return false;
    const MountRecord* mount = mount_of_file(path, records.usage.mounts);
    return mount != nullptr && can_stand_on_a_device(*mount) &&
           !devices_of(*mount, records, graph).empty();
}

// The kernel lists only what is mounted somewhere. Where no mount leads to a filesystem's members
// (/dev/root as its source, a path of another namespace's /dev), those of its kind that lead
// nowhere may be it.
void add_lost(const Members& filesystems, const std::vector<MountRecord>& lost,
              std::map<std::string, std::vector<MountRecord>>& by_device) {
    for (const auto& [uuid, members] : filesystems) {
        const bool is_found = std::any_of(members.begin(), members.end(), [&](const auto& member) {
            return by_device.count(member) != 0;
        });
        if (is_found || lost.empty()) continue;
        for (const auto& member : members)
            by_device[member].assign(
                lost.begin(),
                lost.begin() + static_cast<std::ptrdiff_t>(std::min(lost.size(), kMostMounts)));
    }
}

} // namespace

bool is_system_place(const std::string& path) {
    static constexpr std::array<std::string_view, 6> kPlaces = {
        "/", "/usr", "/boot", "/boot/efi", "/efi", "/var/lib/stratum"};
    return std::find(kPlaces.begin(), kPlaces.end(), path) != kPlaces.end();
}

std::map<std::string, std::vector<MountRecord>> mounts_by_device(const DiskRecords& records,
                                                                 const BlockGraph& graph) {
    std::map<std::string, std::vector<MountRecord>> by_device;
    std::set<std::pair<std::string, std::string>> seen;
    std::map<std::string, std::vector<MountRecord>> lost; // by type
    // Our own namespace's come first in the list.
    for (const auto& mount : records.usage.mounts) {
        if (!can_stand_on_a_device(mount)) continue;
        const Names names = devices_of(mount, records, graph);
        if (names.empty()) lost[mount.type].push_back(mount);
        for (const auto& name : names) {
            auto& mounts = by_device[name];
            const bool is_ours_known = !mounts.empty() && !mounts.front().pid;
            if (mount.pid && is_ours_known) continue;
            const bool is_kept =
                mounts.size() < kMostMounts || (!mount.pid && is_system_place(mount.path));
            if (is_kept && seen.insert({name, mount.path}).second) mounts.push_back(mount);
        }
    }
    add_lost(records.btrfs, lost["btrfs"], by_device);
    add_lost(records.bcachefs, lost["bcachefs"], by_device);
    return by_device;
}

std::set<std::string> swaps_by_device(const DiskRecords& records, const BlockGraph& graph) {
    Names names;
    for (const auto& path : records.usage.swaps) {
        if (const BlockRecord* block = graph.at_path(path)) {
            names.insert(block->name);
        } else if (const MountRecord* mount = mount_of_file(path, records.usage.mounts)) {
            if (can_stand_on_a_device(*mount)) names.merge(devices_of(*mount, records, graph));
        }
    }
    return names;
}

std::vector<std::string> unplaced_use(const DiskRecords& records, const BlockGraph& graph) {
    constexpr std::size_t kMostWords = 8;
    std::set<std::string> words;
    for (const auto& mount : records.usage.mounts)
        if (!mount.dev.starts_with("0:") && devices_of(mount, records, graph).empty())
            words.insert("what is mounted at " + to_valid_utf8(mount.path) + " is on the device " +
                         to_valid_utf8(mount.dev) +
                         ", which the kernel does not list: no disk is known to be unused");
    for (const auto& path : records.usage.swaps)
        if (!is_placed_swap(path, records, graph))
            words.insert("the swap " + to_valid_utf8(path) +
                         " is on no device that the kernel lists: no disk is known to be unused");
    std::vector<std::string> found(words.begin(), words.end());
    if (found.size() > kMostWords) found.resize(kMostWords);
    return found;
}

} // namespace stratum::hw
