#include "hwdiscovery/disk_mounts.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

// Of one device; who binds one filesystem to a thousand places is told enough by these.
constexpr std::size_t kMostMounts = 32;

using Names = std::set<std::string>;

void add_btrfs_members(const DiskRecords& records, Names& names) {
    for (const auto& [uuid, members] : records.btrfs) {
        const bool is_part = std::any_of(members.begin(), members.end(), [&](const auto& member) {
            return names.count(member) != 0;
        });
        if (is_part) names.insert(members.begin(), members.end());
    }
}

// A pool's datasets are mounted under its name; its members carry that name as their label.
void add_zfs_members(const DiskRecords& records, const std::string& source, Names& names) {
    const std::string pool = source.substr(0, source.find('/'));
    for (const auto& [name, content] : records.contents)
        for (const auto& signature : content.signatures)
            if (signature.type == "zfs_member" && signature.label == pool) names.insert(name);
}

Names devices_of(const MountRecord& mount, const DiskRecords& records, const BlockGraph& graph) {
    Names names;
    if (const BlockRecord* block = graph.numbered(mount.dev)) names.insert(block->name);
    // Filesystems over several devices have a number of their own; bcachefs lists all its devices.
    for (const auto& source : split(mount.source, ':'))
        if (const BlockRecord* block = graph.at_path(source); block != nullptr && names.empty())
            names.insert(block->name);
    if (mount.type == "bcachefs")
        for (const auto& source : split(mount.source, ':'))
            if (const BlockRecord* block = graph.at_path(source)) names.insert(block->name);
    if (mount.type == "btrfs") add_btrfs_members(records, names);
    if (mount.type == "zfs") add_zfs_members(records, mount.source, names);
    return names;
}

// devtmpfs and the like name a device as their source without standing on it.
bool can_stand_on_a_device(const MountRecord& mount) {
    return !mount.dev.starts_with("0:") || mount.type == "btrfs" || mount.type == "zfs" ||
           mount.type == "bcachefs";
}

} // namespace

std::map<std::string, std::vector<MountRecord>> mounts_by_device(const DiskRecords& records,
                                                                 const BlockGraph& graph) {
    std::map<std::string, std::vector<MountRecord>> by_device;
    std::set<std::pair<std::string, std::string>> seen;
    // Our own namespace's come first in the list.
    for (const auto& mount : records.usage.mounts) {
        if (!can_stand_on_a_device(mount)) continue;
        for (const auto& name : devices_of(mount, records, graph)) {
            auto& mounts = by_device[name];
            const bool is_ours_known = !mounts.empty() && !mounts.front().pid;
            if (mount.pid && is_ours_known) continue;
            if (mounts.size() < kMostMounts && seen.insert({name, mount.path}).second)
                mounts.push_back(mount);
        }
    }
    return by_device;
}

} // namespace stratum::hw
