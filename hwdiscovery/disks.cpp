#include "hwdiscovery/disks.hpp"

#include <algorithm>
#include <set>

#include "common/base/text.hpp"
#include "hwdiscovery/array_health.hpp"
#include "hwdiscovery/block_graph.hpp"
#include "hwdiscovery/disk_ties.hpp"
#include "hwdiscovery/disk_use.hpp"
#include "hwdiscovery/holds.hpp"
#include "hwdiscovery/identity.hpp"
#include "hwdiscovery/offered.hpp"
#include "hwdiscovery/partitions.hpp"
#include "hwdiscovery/stack.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kMostEntries = 256; // of any list, as the API takes them

// What all disks are made from.
struct Making {
    const DiskRecords& records;
    const BlockGraph& graph;
    InUse use;
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
    disk.warnings.insert(disk.warnings.end(), identity.warnings.begin(), identity.warnings.end());
}

// The whole stack's: the disk's own, its partitions', and every layer's.
void fill_holds(const BlockRecord& block, const Making& making, facts::Disk& disk) {
    auto own = holds_of(block, making.records.content_of(block.name));
    bool is_proved = own.is_proved && making.records.usage.is_complete && block.doubt.empty();
    std::vector<facts::Hold> holds = std::move(own.holds);
    const auto add = [&](const facts::Hold& hold) {
        if (std::find(holds.begin(), holds.end(), hold) == holds.end()) holds.push_back(hold);
    };
    for (const auto& partition : disk.partitions) {
        if (!partition.holds) is_proved = false;
        for (const auto& hold : partition.holds.value_or(std::vector<facts::Hold>{})) add(hold);
    }
    const auto layers = making.graph.layers_over(block);
    for (const BlockRecord* layer : layers) {
        if (holds.size() > kMostEntries) break; // no more than one past the end are listed
        const auto known = holds_of(*layer, making.records.content_of(layer->name));
        for (const auto& hold : known.holds) add(hold);
        if (known.is_unread && disk.unusable.empty())
            disk.warnings.push_back("what " + to_valid_utf8(layer->path()) +
                                    " holds is not known for certain: " + known.problem);
    }
    const bool is_unused = layers.empty() && disk.partitions.empty() && !disk.mounted && !disk.swap;
    if (!holds.empty() || (is_proved && is_unused)) disk.holds = std::move(holds);
    // Of an empty drive or a loop nobody needs to hear that; of a claim, where it shows.
    const bool is_worth_saying =
        disk.unusable.empty() && (own.is_unread || (layers.empty() && !disk.mounted));
    if (!own.is_proved && making.records.is_probed && !own.problem.empty() && is_worth_saying)
        disk.warnings.push_back("what " + disk.path +
                                " holds is not known for certain: " + own.problem);
}

// A way to the disk that does not work is no loss yet, and should be known before there is one.
void warn_of_paths(const BlockRecord& block, const Making& making, facts::Disk& disk) {
    std::set<std::string> given_up;
    const auto content = making.records.contents.find(block.name);
    if (is_multipath(block) && content != making.records.contents.end())
        for (const auto& dev : parse_failed_paths(content->second.dm_status)) given_up.insert(dev);
    for (const auto& name : disk.paths) {
        const BlockRecord* path = making.graph.named(name);
        if (path == nullptr) continue;
        std::string state;
        if (path->nvme && path->nvme->state != "live") state = path->nvme->state;
        if (path->scsi && path->scsi->state != "running") state = path->scsi->state;
        if (given_up.count(path->dev) != 0 && !path->dev.empty()) state = "failed";
        if (!state.empty())
            disk.warnings.push_back("the path " + name + " to it does not work: it is " +
                                    to_valid_utf8(state));
    }
    if (block.scsi && !block.scsi->state.empty() && block.scsi->state != "running")
        disk.warnings.push_back("the kernel has it " + to_valid_utf8(block.scsi->state));
}

// What stands on the disk as a whole may reach to its very end: nothing there is free then.
bool is_claimed_whole(const BlockRecord& block, const Making& making) {
    for (const BlockRecord* one : making.graph.above(block))
        if (!one->is_partition() && !is_multipath_partition(*one)) return true;
    const auto content = making.records.contents.find(block.name);
    return content != making.records.contents.end() && !content->second.signatures.empty();
}

facts::Disk make_disk(const BlockRecord& block, const Making& making) {
    facts::Disk disk;
    fill_identity(block, disk);
    disk.paths = making.graph.paths_of(block);
    auto found = partitions_of(block, making.graph, making.records);
    disk.partitions = std::move(found.partitions);
    disk.warnings.insert(disk.warnings.end(), found.warnings.begin(), found.warnings.end());
    disk.stack = stack_of(block, making.graph, making.records);
    fill_use(block, making.graph, making.use, disk);
    disk.unusable = never_usable(block, making.graph);
    fill_holds(block, making, disk);
    if (!found.is_cut && !is_claimed_whole(block, making)) disk.free_tail_bytes = free_tail(disk);
    if (disk.unusable.empty())
        disk.unusable = refuse_hidden_user(block, making.graph, making.use, making.records);
    mark_system(block, making.graph, making.records, disk);
    warn_of_paths(block, making, disk);
    // Bays for hot swap call every disk so; it is no reason, but a person looks twice.
    const bool is_stick = disk.transport == "usb" || disk.transport == "sd";
    if (disk.removable.value_or(false) && disk.unusable.empty() && !is_stick)
        disk.warnings.push_back("it calls itself removable");
    return disk;
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
    shorten(disk.paths, "paths", disk.warnings);
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
        const bool is_never_read = block.size_bytes == 0 || block.hidden || block.dev.empty() ||
                                   block.name.starts_with("fd") ||
                                   block.name.find("rpmb") != std::string::npos;
        if (is_never_read) continue;
        targets.push_back(
            {block.name, block.path(), block.dev, block.dm_name, parents.count(block.name) == 0});
    }
    return targets;
}

std::vector<facts::Disk> make_disks(const DiskRecords& records) {
    const BlockGraph graph(records.blocks, records.usage.mounts);
    const Making making{records, graph, find_use(records, graph)};
    std::vector<MadeDisk> made;
    for (const auto& block : records.blocks)
        if (is_listed(block)) made.push_back({&block, make_disk(block, making)});
    if (records.install_record)
        for (auto& one : made) mark_recorded(*records.install_record, one.disk);
    tie_disks(graph, records, made);
    warn_of_doubled_groups(graph, records, made);
    std::vector<facts::Disk> disks;
    disks.reserve(made.size());
    for (auto& one : made) disks.push_back(std::move(one.disk));
    drop_shared_keys(disks);
    for (auto& disk : disks) {
        warn_of_missing_key(disk);
        for (auto& warning : disk.warnings) warning = to_valid_utf8(warning);
        disk.unusable = to_valid_utf8(disk.unusable);
        for (auto& mount : disk.mounts) mount.path = to_valid_utf8(mount.path);
        shorten_lists(disk);
    }
    return disks;
}

} // namespace stratum::hw
