#include "hwdiscovery/disk_use.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "hwdiscovery/disk_mounts.hpp"

namespace stratum::hw {
namespace {

bool is_used(const BlockRecord& block, const InUse& use) {
    const auto mounts = use.mounts.find(block.name);
    return use.swaps.count(block.name) != 0 ||
           (mounts != use.mounts.end() && !mounts->second.empty());
}

// What a person sees when asking who has this device.
bool is_explained(const BlockRecord& block, const BlockGraph& graph, const InUse& use) {
    if (is_used(block, use)) return true;
    const auto above = graph.above(block);
    return std::any_of(above.begin(), above.end(), [&](const BlockRecord* one) {
        // Whoever has a partition keeps others from having its disk alone.
        return !one->is_partition() || is_explained(*one, graph, use);
    });
}

std::string words_of(const Writer& writer) {
    return "process " + std::to_string(writer.pid) +
           (writer.program.empty() ? "" : " (" + to_valid_utf8(writer.program) + ")");
}

// The likeliest user, by what stands on the device and what the kernel has running.
std::string likely_user(const BlockRecord& block, const ContentRecord& content,
                        const DiskRecords& records) {
    const auto is_in = [&](const std::map<std::string, std::vector<std::string>>& sets) {
        return std::any_of(sets.begin(), sets.end(), [&](const auto& set) {
            return std::find(set.second.begin(), set.second.end(), block.name) != set.second.end();
        });
    };
    if (is_in(records.bcache)) return "the cache set (bcache) that it is a part of is running";
    if (is_in(records.btrfs)) return "the btrfs that it is a part of is mounted";
    if (is_in(records.bcachefs)) return "the bcachefs that it is a part of is mounted";
    for (const auto& one : content.signatures) {
        const bool is_imported = one.type == "zfs_member" &&
                                 std::find(records.zfs_pools.begin(), records.zfs_pools.end(),
                                           one.label) != records.zfs_pools.end();
        if (is_imported) return "the ZFS pool " + to_valid_utf8(one.label) + " is imported";
        if (one.type == "ceph_bluestore") return "a Ceph OSD may run on it";
    }
    return "neither a mount nor an array explains it";
}

} // namespace

InUse find_use(const DiskRecords& records, const BlockGraph& graph) {
    InUse use{mounts_by_device(records, graph), swaps_by_device(records, graph), {}};
    for (const auto& path : records.exports)
        if (const BlockRecord* block = graph.at_path(path)) use.exports.insert(block->name);
    return use;
}

void doubt_unplaced_use(DiskRecords& records) {
    Usage& usage = records.usage;
    const auto words = unplaced_use(records, BlockGraph(records.blocks, usage.mounts));
    if (!words.empty()) usage.is_complete = false;
    if (!usage.problem.empty()) records.warnings.push_back(usage.problem);
    records.warnings.insert(records.warnings.end(), words.begin(), words.end());
}

void fill_use(const BlockRecord& block, const BlockGraph& graph, const InUse& use,
              facts::Disk& disk) {
    for (const BlockRecord* device : graph.devices_of(block)) {
        if (use.swaps.count(device->name) != 0) disk.swap = true;
        const auto found = use.mounts.find(device->name);
        if (found == use.mounts.end()) continue;
        for (const auto& mount : found->second)
            disk.mounts.push_back(
                {to_valid_utf8(mount.path), to_valid_utf8(device->path()), mount.pid});
    }
    disk.mounted = !disk.mounts.empty();
}

std::string refuse_hidden_user(const BlockRecord& block, const BlockGraph& graph, const InUse& use,
                               const DiskRecords& records) {
    auto devices = graph.partitions_of(block);
    devices.push_back(&block); // last: a partition's user says more
    for (const BlockRecord* device : devices) {
        const std::string path = to_valid_utf8(device->path());
        if (use.exports.count(device->name) != 0)
            return "is in use: this machine gives " + path + " to others (SCSI or NVMe target)";
        const ContentRecord* content = records.content_of(device->name);
        if (content == nullptr || is_explained(*device, graph, use)) continue;
        if (content->writer)
            return "is in use: " + words_of(*content->writer) + " has " + path +
                   " open for writing";
        const bool is_open_map = is_multipath(*device) &&
                                 content->dm_open_count.value_or(0) > graph.above(*device).size();
        if (content->exclusive == Exclusive::kBusy || is_open_map)
            return "is in use: the kernel lets nobody open " + path + " alone, and " +
                   likely_user(*device, *content, records);
    }
    return {};
}

} // namespace stratum::hw
