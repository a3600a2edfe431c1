#include "hwdiscovery/partitions.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "hwdiscovery/holds.hpp"
#include "hwdiscovery/own_signatures.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kMib = 1u << 20;
constexpr std::size_t kMostPartitions = 256;

struct Known {
    const DiskRecords& records;
    const BlockGraph& graph;
};

int number_of(const BlockRecord& block) {
    if (block.is_partition()) return block.partition_number;
    // part3-mpath-3600…: kpartx's map of partition 3.
    const auto end = block.dm_uuid.find("-mpath-");
    if (end == std::string::npos || end < 4) return 0;
    const std::uint64_t number = parse_decimal(block.dm_uuid.substr(4, end - 4)).value_or(0);
    return number < kMostPartitions ? static_cast<int>(number) : 0;
}

const TablePartition* in_table(const BlockRecord& block, const ContentRecord* disk) {
    if (disk == nullptr) return nullptr;
    for (const auto& partition : disk->partitions) {
        const bool is_same_start =
            !block.is_partition() || partition.start_bytes == block.start_bytes;
        if (is_same_start && partition.number == number_of(block)) return &partition;
    }
    return nullptr;
}

void describe_from_table(const TablePartition& table, facts::Partition& partition) {
    partition.start_bytes = table.start_bytes;
    partition.type = to_valid_utf8(table.type);
    partition.label = to_valid_utf8(table.label);
    partition.uuid = to_valid_utf8(table.uuid);
}

void describe_from_system(const BlockRecord& block, facts::Partition& partition) {
    if (block.udev) {
        partition.type = to_valid_utf8(lower(block.udev->property("ID_PART_ENTRY_TYPE")));
        partition.label = to_valid_utf8(block.udev->property("ID_PART_ENTRY_NAME"));
        partition.uuid = to_valid_utf8(block.udev->property("ID_PART_ENTRY_UUID"));
    }
    if (partition.label.empty()) partition.label = to_valid_utf8(block.partition_label);
}

// An extended partition is a frame for others; nothing stands on it itself.
bool is_container(const TablePartition* table) {
    return table != nullptr && table->is_container;
}

facts::Partition kernel_partition(const BlockRecord& block, const TablePartition* table,
                                  const Known& machine, std::vector<std::string>& warnings) {
    const DiskRecords& records = machine.records;
    facts::Partition partition;
    partition.number = number_of(block);
    partition.path = block.path();
    partition.start_bytes = block.start_bytes;
    partition.size_bytes = block.size_bytes;
    if (table != nullptr)
        describe_from_table(*table, partition);
    else
        describe_from_system(block, partition);
    auto known = holds_of(block, records.content_of(block.name));
    const bool is_blank =
        known.holds.empty() && known.is_proved && machine.graph.above(block).empty();
    if (is_container(table) || is_blank)
        partition.holds = std::vector<facts::Hold>{};
    else if (!known.holds.empty())
        partition.holds = std::move(known.holds);
    if ((!partition.holds || known.is_unread) && records.is_probed)
        warnings.push_back("what " + partition.path + " holds is not known" +
                           (partition.holds ? " for certain" : "") +
                           (known.problem.empty() ? "" : ": " + known.problem));
    return partition;
}

facts::Partition table_partition(const BlockRecord& disk, const TablePartition& table,
                                 bool is_complete) {
    facts::Partition partition;
    partition.number = table.number;
    partition.size_bytes = table.size_bytes;
    describe_from_table(table, partition);
    auto known = holds_in_place(disk.path(), table, is_complete);
    if (table.is_container || known.is_proved || !known.holds.empty())
        partition.holds = std::move(known.holds);
    return partition;
}

bool has_hybrid_table(const facts::Disk& disk) {
    const auto is_hybrid = [](const facts::Hold& hold) { return hold.type == kHybridType; };
    return disk.holds && std::any_of(disk.holds->begin(), disk.holds->end(), is_hybrid);
}

// A device has less than 2^63 bytes; a table may say anything.
void bound_places(DiskPartitions& found) {
    constexpr std::uint64_t kMost = (1ull << 63) - 512;
    for (auto& one : found.partitions) {
        if (one.start_bytes <= kMost && one.size_bytes <= kMost - one.start_bytes) continue;
        one.start_bytes = 0;
        one.size_bytes = 0;
        found.is_cut = true;
        found.warnings.push_back("partition " + std::to_string(one.number) +
                                 " stands where no disk reaches, its place is not known");
    }
}

} // namespace

DiskPartitions partitions_of(const BlockRecord& disk, const BlockGraph& graph,
                             const DiskRecords& records) {
    DiskPartitions result;
    const ContentRecord* content = records.content_of(disk.name);
    const auto from_kernel = graph.partitions_of(disk);
    std::vector<const TablePartition*> matched;
    for (const BlockRecord* block : from_kernel) {
        const TablePartition* table = in_table(*block, content);
        matched.push_back(table);
        if (!block->has_start || !block->has_size) {
            result.is_cut = true;
            result.warnings.push_back("where " + block->path() + " stands could not be read");
        }
        result.partitions.push_back(
            kernel_partition(*block, table, {records, graph}, result.warnings));
    }
    if (content != nullptr) {
        // They were read in place only where the kernel has no partitions at all.
        const bool was_read = from_kernel.empty() && content->is_complete;
        for (const auto& table : content->partitions)
            if (std::find(matched.begin(), matched.end(), &table) == matched.end())
                result.partitions.push_back(table_partition(disk, table, was_read));
    }
    bound_places(result);
    std::stable_sort(result.partitions.begin(), result.partitions.end(),
                     [](const facts::Partition& a, const facts::Partition& b) {
                         return a.start_bytes < b.start_bytes;
                     });
    if (result.partitions.size() > kMostPartitions) {
        result.warnings.push_back("it has " + std::to_string(result.partitions.size()) +
                                  " partitions, the first " + std::to_string(kMostPartitions) +
                                  " are listed");
        result.partitions.resize(kMostPartitions);
        result.is_cut = true;
    }
    return result;
}

std::optional<std::uint64_t> free_tail(const facts::Disk& disk) {
    if (disk.partitions.empty() || has_hybrid_table(disk)) return std::nullopt;
    std::uint64_t end = 0;
    for (const auto& partition : disk.partitions) {
        const bool is_inside = partition.start_bytes <= disk.size_bytes &&
                               partition.size_bytes <= disk.size_bytes - partition.start_bytes;
        if (!is_inside) return std::nullopt;
        end = std::max(end, partition.start_bytes + partition.size_bytes);
    }
    // The copy of a GPT needs 33 blocks; a MiB is kept for it whatever the block's size.
    const std::uint64_t first_free = (end + kMib - 1) / kMib * kMib;
    const std::uint64_t last_free = disk.size_bytes / kMib * kMib;
    if (last_free < first_free + 2 * kMib) return 0;
    return last_free - first_free - kMib;
}

} // namespace stratum::hw
