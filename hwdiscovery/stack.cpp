#include "hwdiscovery/stack.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "hwdiscovery/array_health.hpp"
#include "hwdiscovery/lvm_metadata.hpp"

namespace stratum::hw {
namespace {

constexpr std::size_t kLvmUuidChars = 32;
constexpr std::string_view kLvmPrefix = "LVM-";

std::string dm_kind(const std::string& uuid, const std::string& target) {
    if (uuid.starts_with(kLvmPrefix)) return "lvm";
    if (uuid.starts_with("CRYPT-INTEGRITY") || target == "integrity") return "integrity";
    if (uuid.starts_with("CRYPT-VERITY") || target == "verity") return "verity";
    if (uuid.starts_with("CRYPT-")) return "crypt";
    if (uuid.starts_with("mpath-")) return "multipath";
    return uuid.starts_with("part") ? "partition" : "other";
}

// Somebody but the layers above has it: a mount, a swap, a program.
std::optional<bool> is_open(const BlockRecord& block, const BlockGraph& graph,
                            const ContentRecord* content) {
    if (content == nullptr) return std::nullopt;
    if (content->writer) return true;
    const std::size_t above = graph.above(block).size();
    if (content->dm_open_count) return *content->dm_open_count > above;
    if (above > 0 && content->exclusive == Exclusive::kBusy) return false;
    if (content->exclusive == Exclusive::kUnknown) return std::nullopt;
    return content->exclusive == Exclusive::kBusy;
}

// LVM's RAID: its legs are the devices below it that end in the leg's number (…_rimage_0).
void fill_dm_raid(const BlockRecord& block, const BlockGraph& graph,
                  const std::optional<DmRaidHealth>& health, facts::StackLayer& layer) {
    if (!health) return;
    layer.level = health->level;
    layer.sync = health->sync;
    layer.sync_percent = health->sync_percent;
    for (std::size_t leg : health->failed) {
        const std::string ending = "_rimage_" + std::to_string(leg);
        std::string name = "leg " + std::to_string(leg);
        for (const auto& slave : block.slaves)
            if (const BlockRecord* one = graph.named(slave);
                one != nullptr && one->dm_name.ends_with(ending))
                name = one->dm_name;
        layer.failed.push_back(name);
    }
    layer.degraded = !layer.failed.empty();
}

void fill_dm(const BlockRecord& block, const BlockGraph& graph, const ContentRecord* content,
             facts::StackLayer& layer) {
    layer.name = block.dm_name;
    layer.kind = dm_kind(block.dm_uuid, content != nullptr ? content->dm_target : "");
    layer.uuid = block.dm_uuid;
    if (content != nullptr) layer.level = content->dm_target;
    if (layer.level.empty() && layer.kind == "crypt") layer.level = "crypt";
    if (content != nullptr && content->dm_target == "raid")
        fill_dm_raid(block, graph, parse_dm_raid(content->dm_status), layer);
    if (layer.kind != "lvm") return;
    layer.group = parse_lvm_name(block.dm_name).group;
    layer.group_uuid = lvm_uuid(block.dm_uuid.substr(kLvmPrefix.size(), kLvmUuidChars));
}

// udev has it as mdadm writes it: four words of eight digits with colons between.
std::string with_hyphens(const std::string& mdadm_uuid) {
    std::string digits;
    for (char c : mdadm_uuid)
        if (c != ':') digits += c;
    if (digits.size() != 32) return mdadm_uuid;
    for (std::size_t at : {20u, 16u, 12u, 8u}) digits.insert(at, "-");
    return digits;
}

// Zeros where the metadata is none of the kernel's own, absent in older kernels: then its members'
// superblocks tell, or what mdadm told udev.
std::string md_uuid_of(const BlockRecord& array, const DiskRecords& records) {
    if (array.md->uuid.find_first_not_of("0-") != std::string::npos) return array.md->uuid;
    for (const auto& member : array.slaves) {
        const auto found = records.contents.find(member);
        if (found == records.contents.end()) continue;
        for (const auto& signature : found->second.signatures)
            if (signature.type == "linux_raid_member") return signature.uuid;
    }
    return array.udev ? with_hyphens(array.udev->property("MD_UUID")) : std::string{};
}

void fill_md(const BlockRecord& block, const DiskRecords& records, facts::StackLayer& layer) {
    layer.name = block.name;
    layer.kind = "md";
    layer.level = is_container_array(block) ? "container" : block.md->level;
    layer.uuid = md_uuid_of(block, records);
    layer.failed = block.md->faulty;
    if (block.md->degraded || !layer.failed.empty())
        layer.degraded = block.md->degraded.value_or(0) > 0 || !layer.failed.empty();
    if (is_array_work(block.md->sync_action)) {
        layer.sync = block.md->sync_action;
        layer.sync_percent = percent_done(block.md->sync_completed);
    }
}

void make_valid(facts::StackLayer& layer) {
    for (std::string* text :
         {&layer.name, &layer.path, &layer.level, &layer.uuid, &layer.group, &layer.group_uuid})
        *text = to_valid_utf8(*text);
    for (auto* list : {&layer.members, &layer.failed})
        for (auto& text : *list) text = to_valid_utf8(text);
}

facts::StackLayer layer_of(const BlockRecord& block, const BlockGraph& graph,
                           const DiskRecords& records) {
    const ContentRecord* content = records.content_of(block.name);
    facts::StackLayer layer;
    layer.path = block.path();
    layer.members = block.slaves;
    layer.name = block.name;
    layer.kind = block.is_partition() ? "partition" : "other";
    if (block.md) fill_md(block, records, layer);
    if (!block.dm_name.empty()) fill_dm(block, graph, content, layer);
    if (block.is_partition()) layer.members = {block.parent};
    if (!block.backing_file.empty()) layer.level = "loop";
    if (!block.md && block.dm_name.empty() && block.name.starts_with("bcache"))
        layer.level = "bcache";
    layer.open = is_open(block, graph, content);
    make_valid(layer);
    return layer;
}

bool spans_devices(const std::string& type) {
    static constexpr std::array<std::string_view, 9> kTypes = {
        "linux_raid_member", "btrfs", "zfs_member",    "ddf_raid_member", "bcachefs", "bcache",
        "isw_raid_member",   "drbd",  "ceph_bluestore"};
    return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

void add_ties(const std::vector<SignatureRecord>& signatures, std::set<std::string>& ties) {
    for (const auto& signature : signatures) {
        if (spans_devices(signature.type) && !signature.uuid.empty())
            ties.insert(signature.type + " " + lower(signature.uuid));
        // A physical volume without metadata of its own is known by what the others say.
        if (signature.type == "LVM2_member" && !signature.uuid.empty())
            ties.insert("physical volume " + signature.uuid);
        for (const auto& uuid : signature.group_members) ties.insert("physical volume " + uuid);
        if (signature.group_uuid.empty()) continue;
        const bool is_lvm = signature.type.starts_with("LVM");
        ties.insert((is_lvm ? "volume group" : signature.type + " set") +
                    (" " + signature.group_uuid));
    }
}

void add_ties_of_udev(const UdevRecord& udev, std::set<std::string>& ties) {
    const std::string type = udev.property("ID_FS_TYPE");
    const std::string uuid = udev.property("ID_FS_UUID");
    if (spans_devices(type) && !uuid.empty()) ties.insert(type + " " + lower(uuid));
}

void add_live_ties(const char* kind, const std::map<std::string, std::vector<std::string>>& sets,
                   const std::string& name, std::set<std::string>& ties) {
    for (const auto& [uuid, members] : sets)
        if (std::find(members.begin(), members.end(), name) != members.end())
            ties.insert(kind + (" " + lower(uuid)));
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
        if (const ContentRecord* content = records.content_of(block->name)) {
            add_ties(content->signatures, ties);
            for (const auto& partition : content->partitions) add_ties(partition.signatures, ties);
        }
        const bool was_read = records.content_of(block->name) != nullptr &&
                              records.content_of(block->name)->is_complete;
        if (block->udev && !was_read) add_ties_of_udev(*block->udev, ties);
        add_live_ties("btrfs", records.btrfs, block->name, ties);
        add_live_ties("bcachefs", records.bcachefs, block->name, ties);
        add_live_ties("bcache set", records.bcache, block->name, ties);
    }
    return ties;
}

std::map<std::string, std::set<std::string>>
volume_groups_on(const BlockRecord& disk, const BlockGraph& graph, const DiskRecords& records) {
    std::map<std::string, std::set<std::string>> groups;
    const auto add = [&](const std::vector<SignatureRecord>& signatures) {
        for (const auto& one : signatures)
            if (one.type.starts_with("LVM") && !one.group.empty() && !one.group_uuid.empty())
                groups[one.group].insert(one.group_uuid);
    };
    for (const BlockRecord* block : graph.devices_of(disk)) {
        if (block->dm_uuid.starts_with(kLvmPrefix))
            groups[parse_lvm_name(block->dm_name).group].insert(
                lvm_uuid(block->dm_uuid.substr(kLvmPrefix.size(), kLvmUuidChars)));
        const ContentRecord* content = records.content_of(block->name);
        if (content == nullptr) continue;
        add(content->signatures);
        for (const auto& partition : content->partitions) add(partition.signatures);
    }
    return groups;
}

} // namespace stratum::hw
