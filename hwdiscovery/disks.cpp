#include "hwdiscovery/disks.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/disk_mounts.hpp"
#include "hwdiscovery/holds.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/offered.hpp"
#include "hwdiscovery/partitions.hpp"
#include "hwdiscovery/stack.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kMostEntries = 256; // of any list, as the API takes them
constexpr std::string_view kEspType = "c12a7328-f81f-11d2-ba4b-00a0c93ec93b";

using MountsByDevice = std::map<std::string, std::vector<MountRecord>>;

// What all disks are made from.
struct Making {
    const DiskRecords& records;
    const BlockGraph& graph;
    MountsByDevice mounts;
    std::set<std::string> swaps; // kernel names
};

void fill_identity(const BlockRecord& block, facts::Disk& disk) {
    const Identity identity = identify(block);
    disk.name = to_valid_utf8(block.name);
    disk.path = to_valid_utf8(block.path());
    disk.by_id = identity.by_id;
    disk.wwn = identity.wwn;
    disk.model = identity.model;
    disk.serial = identity.serial;
    disk.transport = identity.transport;
    disk.size_bytes = block.size_bytes;
    disk.logical_block_size = block.logical_block_size;
    disk.rotational = block.rotational;
    disk.removable = block.removable;
    disk.read_only = block.read_only;
    disk.warnings = block.warnings;
}

void fill_usage(const BlockRecord& block, const Making& making, facts::Disk& disk) {
    for (const BlockRecord* device : making.graph.devices_of(block)) {
        if (making.swaps.count(device->name) != 0) disk.swap = true;
        const auto found = making.mounts.find(device->name);
        if (found == making.mounts.end()) continue;
        for (const auto& mount : found->second)
            disk.mounts.push_back({to_valid_utf8(mount.path), device->path(), mount.pid});
    }
    disk.mounted = !disk.mounts.empty();
}

// The whole stack's: the disk's own, its partitions', and every layer's.
void fill_holds(const BlockRecord& block, const Making& making, facts::Disk& disk) {
    const auto content_of = [&](const std::string& name) -> const ContentRecord* {
        const auto found = making.records.contents.find(name);
        return found == making.records.contents.end() ? nullptr : &found->second;
    };
    auto own = holds_of(block, content_of(block.name));
    bool is_proved = own.is_proved && making.records.usage.is_complete;
    std::vector<facts::Hold> holds = std::move(own.holds);
    const auto add = [&](const facts::Hold& hold) {
        if (std::find(holds.begin(), holds.end(), hold) == holds.end()) holds.push_back(hold);
    };
    for (const auto& partition : disk.partitions) {
        if (!partition.holds) is_proved = false;
        for (const auto& hold : partition.holds.value_or(std::vector<facts::Hold>{})) add(hold);
    }
    const auto layers = making.graph.layers_over(block);
    for (const BlockRecord* layer : layers)
        for (const auto& hold : holds_of(*layer, content_of(layer->name)).holds) add(hold);
    const bool is_unused = layers.empty() && disk.partitions.empty() && !disk.mounted && !disk.swap;
    if (!holds.empty() || (is_proved && is_unused)) disk.holds = std::move(holds);
    // Of an empty drive or a loop nobody needs to hear that.
    const bool is_worth_saying = disk.unusable.empty() && layers.empty() && !disk.mounted;
    if (!own.is_proved && making.records.is_probed && !own.problem.empty() && is_worth_saying)
        disk.warnings.push_back("what " + disk.path +
                                " holds is not known for certain: " + own.problem);
}

// The kernel says busy, and nothing that can be seen explains it.
std::string refuse_hidden_user(const BlockRecord& block, const Making& making,
                               const facts::Disk& disk) {
    const auto found = making.records.contents.find(block.name);
    const bool is_busy =
        found != making.records.contents.end() && found->second.exclusive == Exclusive::kBusy;
    const bool is_explained = disk.mounted || disk.swap || !making.graph.layers_over(block).empty();
    if (!is_busy || is_explained) return {};
    return "is in use: the kernel lets nobody open it alone, and neither a mount nor an array "
           "explains it";
}

bool has_boot_partition(const facts::Disk& disk, const std::string& uuid) {
    return !uuid.empty() &&
           std::any_of(disk.partitions.begin(), disk.partitions.end(),
                       [&](const facts::Partition& one) { return lower(one.uuid) == uuid; });
}

bool has_own_partition(const facts::Disk& disk) {
    return std::any_of(disk.partitions.begin(), disk.partitions.end(),
                       [](const facts::Partition& partition) {
                           return partition.label == kStatePartition ||
                                  (partition.label == kEspPartition && partition.type == kEspType);
                       });
}

bool holds_root(const facts::Disk& disk) {
    return std::any_of(disk.mounts.begin(), disk.mounts.end(),
                       [](const facts::Mount& mount) { return mount.path == "/" && !mount.pid; });
}

facts::Disk make_disk(const BlockRecord& block, const Making& making) {
    facts::Disk disk;
    fill_identity(block, disk);
    auto found = partitions_of(block, making.graph, making.records);
    disk.partitions = std::move(found.partitions);
    disk.warnings.insert(disk.warnings.end(), found.warnings.begin(), found.warnings.end());
    disk.stack = stack_of(block, making.graph, making.records);
    fill_usage(block, making, disk);
    disk.unusable = never_usable(block, making.graph);
    fill_holds(block, making, disk);
    disk.free_tail_bytes = free_tail(disk);
    if (disk.unusable.empty()) disk.unusable = refuse_hidden_user(block, making, disk);
    const bool is_medium = has_boot_partition(disk, lower(making.records.boot_partition_uuid));
    // A stick that the system was merely booted from is not where it lives.
    disk.system =
        has_own_partition(disk) || holds_root(disk) || (is_medium && disk.transport != "usb");
    if (disk.unusable.empty() && is_medium) disk.unusable = "is the medium this machine runs from";
    return disk;
}

void mark_recorded_disks(const std::optional<facts::InstallRecord>& record,
                         std::vector<facts::Disk>& disks) {
    if (!record) return;
    for (const auto& key : record->disks)
        for (auto& disk : disks) {
            const auto keys = facts::keys_of(disk);
            if (std::find(keys.begin(), keys.end(), key) != keys.end()) disk.system = true;
        }
}

// Disks that a tie binds lose together. Paths of a multipath map are the map's, not its neighbours.
void fill_closures(const std::vector<const BlockRecord*>& blocks, const Making& making,
                   std::vector<facts::Disk>& disks) {
    std::map<std::string, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < disks.size(); ++i) {
        if (making.graph.is_multipath_path(*blocks[i])) continue;
        for (const auto& tie : ties_of(*blocks[i], making.graph, making.records))
            members[tie].push_back(i);
    }
    for (std::size_t i = 0; i < disks.size(); ++i) {
        std::set<std::size_t> others;
        for (const auto& [tie, group] : members)
            if (std::find(group.begin(), group.end(), i) != group.end())
                others.insert(group.begin(), group.end());
        others.erase(i);
        for (std::size_t other : others) disks[i].closure.push_back(disks[other].path);
    }
}

void refuse_beside_system(std::vector<facts::Disk>& disks) {
    for (auto& disk : disks) {
        if (!disk.unusable.empty() || disk.system) continue;
        for (const auto& other : disks) {
            const bool is_tied = std::find(disk.closure.begin(), disk.closure.end(), other.path) !=
                                 disk.closure.end();
            if (is_tied && other.system && disk.unusable.empty())
                disk.unusable = "is in one stack with the system disk " + other.path;
        }
    }
}

template<class T>
void shorten(std::vector<T>& list, const char* what, std::vector<std::string>& warnings) {
    if (list.size() <= kMostEntries) return;
    warnings.push_back("it has " + std::to_string(list.size()) + " " + what + ", the first " +
                       std::to_string(kMostEntries) + " are listed");
    list.resize(kMostEntries);
}

void shorten_lists(facts::Disk& disk) {
    shorten(disk.mounts, "mounts", disk.warnings);
    if (disk.holds) shorten(*disk.holds, "things on it", disk.warnings);
    shorten(disk.stack, "layers", disk.warnings);
    shorten(disk.closure, "disks tied to it", disk.warnings);
    if (disk.by_id.size() > kMostEntries) disk.by_id.resize(kMostEntries);
    if (disk.warnings.size() > kMostEntries) disk.warnings.resize(kMostEntries);
}

} // namespace

std::vector<ProbeTarget> probe_targets(const std::vector<BlockRecord>& blocks) {
    std::set<std::string> parents;
    for (const auto& block : blocks) parents.insert(block.parent);
    std::vector<ProbeTarget> targets;
    for (const auto& block : blocks) {
        // A floppy drive spins for seconds, an rpmb area answers with errors, a hidden path to
        // none.
        const bool is_never_read = block.size_bytes == 0 || block.hidden ||
                                   block.name.starts_with("fd") ||
                                   block.name.find("rpmb") != std::string::npos;
        if (is_never_read) continue;
        targets.push_back(
            {block.name, block.path(), block.dev, block.dm_name, parents.count(block.name) == 0});
    }
    return targets;
}

std::vector<facts::Disk> make_disks(const DiskRecords& records) {
    const BlockGraph graph(records.blocks);
    Making making{records, graph, mounts_by_device(records, graph), {}};
    for (const auto& path : records.usage.swaps)
        if (const BlockRecord* block = graph.at_path(path)) making.swaps.insert(block->name);
    std::vector<const BlockRecord*> blocks;
    std::vector<facts::Disk> disks;
    for (const auto& block : records.blocks) {
        if (!is_listed(block)) continue;
        blocks.push_back(&block);
        disks.push_back(make_disk(block, making));
    }
    fill_closures(blocks, making, disks);
    drop_shared_keys(disks);
    mark_recorded_disks(records.install_record, disks);
    refuse_beside_system(disks);
    for (auto& disk : disks) shorten_lists(disk);
    return disks;
}

} // namespace stratum::hw
