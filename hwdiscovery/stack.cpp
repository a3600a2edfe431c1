#include "hwdiscovery/stack.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "hwdiscovery/lvm_metadata.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kLvmUuidChars = 32;
constexpr std::string_view kLvmPrefix = "LVM-";

const ContentRecord* content_of(const BlockRecord& block, const DiskRecords& records) {
    const auto found = records.contents.find(block.name);
    return found == records.contents.end() ? nullptr : &found->second;
}

std::string dm_kind(const std::string& uuid) {
    if (uuid.starts_with(kLvmPrefix)) return "lvm";
    if (uuid.starts_with("CRYPT-")) return "crypt";
    if (uuid.starts_with("mpath-")) return "multipath";
    return uuid.starts_with("part") ? "partition" : "other";
}

// Somebody but the layers above has it: a mount, a swap, a program.
std::optional<bool> is_open(const BlockRecord& block, const BlockGraph& graph,
                            const ContentRecord* content) {
    if (content == nullptr) return std::nullopt;
    const std::size_t above = graph.above(block).size();
    if (content->dm_open_count) return *content->dm_open_count > above;
    if (above > 0 && content->exclusive == Exclusive::kBusy) return false;
    if (content->exclusive == Exclusive::kUnknown) return std::nullopt;
    return content->exclusive == Exclusive::kBusy;
}

void fill_dm(const BlockRecord& block, const ContentRecord* content, facts::StackLayer& layer) {
    layer.name = block.dm_name;
    layer.kind = dm_kind(block.dm_uuid);
    layer.uuid = block.dm_uuid;
    if (content != nullptr) layer.level = content->dm_target;
    if (layer.level.empty() && layer.kind == "crypt") layer.level = "crypt";
    if (layer.kind != "lvm") return;
    layer.group = parse_lvm_name(block.dm_name).group;
    layer.group_uuid = lvm_uuid(block.dm_uuid.substr(kLvmPrefix.size(), kLvmUuidChars));
}

// The array's uuid from its members' superblocks, where the kernel is too old to say it.
std::string md_uuid_of_members(const BlockRecord& array, const DiskRecords& records) {
    for (const auto& member : array.slaves) {
        const auto found = records.contents.find(member);
        if (found == records.contents.end()) continue;
        for (const auto& signature : found->second.signatures)
            if (signature.type == "linux_raid_member") return signature.uuid;
    }
    return {};
}

void fill_md(const BlockRecord& block, const DiskRecords& records, facts::StackLayer& layer) {
    layer.name = block.name;
    layer.kind = "md";
    layer.level = block.md->level;
    layer.uuid = block.md->uuid.empty() ? md_uuid_of_members(block, records) : block.md->uuid;
    layer.failed = block.md->faulty;
    if (block.md->degraded) layer.degraded = *block.md->degraded > 0 || !layer.failed.empty();
}

void make_valid(facts::StackLayer& layer) {
    for (std::string* text :
         {&layer.name, &layer.level, &layer.uuid, &layer.group, &layer.group_uuid})
        *text = to_valid_utf8(*text);
}

facts::StackLayer layer_of(const BlockRecord& block, const BlockGraph& graph,
                           const DiskRecords& records) {
    const ContentRecord* content = content_of(block, records);
    facts::StackLayer layer;
    layer.path = block.path();
    layer.members = block.slaves;
    layer.name = block.name;
    layer.kind = block.is_partition() ? "partition" : "other";
    if (block.md) fill_md(block, records, layer);
    if (!block.dm_name.empty()) fill_dm(block, content, layer);
    if (block.is_partition()) layer.members = {block.parent};
    if (!block.backing_file.empty()) layer.level = "loop";
    layer.open = is_open(block, graph, content);
    make_valid(layer);
    return layer;
}

bool spans_devices(const std::string& type) {
    static constexpr std::array<std::string_view, 8> kTypes = {
        "linux_raid_member", "btrfs",  "zfs_member",      "ddf_raid_member",
        "bcachefs",          "bcache", "isw_raid_member", "drbd"};
    return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

void add_ties(const std::vector<SignatureRecord>& signatures, std::set<std::string>& ties) {
    for (const auto& signature : signatures) {
        if (spans_devices(signature.type) && !signature.uuid.empty())
            ties.insert(signature.type + " " + lower(signature.uuid));
        if (!signature.group_uuid.empty()) ties.insert("volume group " + signature.group_uuid);
    }
}

void add_ties_of_udev(const UdevRecord& udev, std::set<std::string>& ties) {
    const std::string type = udev.property("ID_FS_TYPE");
    const std::string uuid = udev.property("ID_FS_UUID");
    if (spans_devices(type) && !uuid.empty()) ties.insert(type + " " + lower(uuid));
}

} // namespace

std::vector<facts::StackLayer> stack_of(const BlockRecord& disk, const BlockGraph& graph,
                                        const DiskRecords& records) {
    std::vector<facts::StackLayer> stack;
    for (const BlockRecord* block : graph.layers_over(disk))
        stack.push_back(layer_of(*block, graph, records));
    return stack;
}

std::set<std::string> ties_of(const BlockRecord& disk, const BlockGraph& graph,
                              const DiskRecords& records) {
    std::set<std::string> ties;
    for (const BlockRecord* block : graph.layers_over(disk)) {
        ties.insert("layer " + block->name);
        if (block->dm_uuid.starts_with(kLvmPrefix))
            ties.insert("volume group " +
                        lvm_uuid(block->dm_uuid.substr(kLvmPrefix.size(), kLvmUuidChars)));
    }
    for (const BlockRecord* block : graph.devices_of(disk)) {
        if (const ContentRecord* content = content_of(*block, records)) {
            add_ties(content->signatures, ties);
            for (const auto& partition : content->partitions) add_ties(partition.signatures, ties);
        } else if (block->udev) {
            add_ties_of_udev(*block->udev, ties);
        }
    }
    for (const auto& [uuid, members] : records.btrfs)
        for (const BlockRecord* block : graph.devices_of(disk))
            if (std::find(members.begin(), members.end(), block->name) != members.end())
                ties.insert("btrfs " + lower(uuid));
    return ties;
}

} // namespace stratum::hw
