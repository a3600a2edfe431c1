// What a confirmation is tied to.
#include <algorithm>

#include "common/facts/disk_verdict.hpp"

namespace stratum::facts {
namespace {

// Each value goes in with its length in front, so that no two different disks can spell the same
// bytes.
class DigestText {
public:
    void add(std::string_view value) {
        text_ += std::to_string(value.size());
        text_ += ':';
        text_ += value;
        text_ += '\n';
    }
    void add(std::uint64_t value) { add(std::to_string(value)); }

    [[nodiscard]] const std::string& str() const { return text_; }

private:
    std::string text_;
};

// Kernel names change from boot to boot; where on the disk something stands does not.
std::string place_of(const Hold& hold, const Disk& disk) {
    if (hold.device.empty() || hold.device == disk.path) return "disk";
    for (const auto& partition : disk.partitions)
        if (partition.path == hold.device) return "partition " + std::to_string(partition.number);
    return {};
}

std::vector<std::string> hold_lines(const std::vector<Hold>& holds, const Disk& disk) {
    std::vector<std::string> lines;
    for (const auto& hold : holds) {
        const std::string place = place_of(hold, disk);
        // On a device stacked above: there or not as somebody assembles the stack. The superblock
        // of its member, which is always there, stands for it.
        if (place.empty()) continue;
        DigestText line;
        for (const auto& part : {place, hold.kind, hold.type, hold.label, hold.uuid})
            line.add(part);
        line.add(hold.offset_bytes ? std::to_string(*hold.offset_bytes) : "?");
        lines.push_back(line.str());
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

void add_holds(DigestText& text, const std::optional<std::vector<Hold>>& holds, const Disk& disk) {
    text.add(holds ? "holds" : "unknown");
    if (!holds) return;
    const auto lines = hold_lines(*holds, disk);
    text.add(lines.size());
    for (const auto& line : lines) text.add(line);
}

void add_partition(DigestText& text, const Partition& partition, const Disk& disk) {
    text.add(static_cast<std::uint64_t>(partition.number));
    text.add(partition.start_bytes);
    text.add(partition.size_bytes);
    for (const auto& part : {partition.type, partition.label, partition.uuid}) text.add(part);
    add_holds(text, partition.holds, disk);
}

} // namespace

Sha256 contents_digest(const Disk& disk) {
    DigestText text;
    text.add("stratum-disk-contents-v1");
    for (const auto& part : {best_key(disk), disk.wwn, disk.serial, disk.model}) text.add(part);
    text.add(disk.size_bytes);
    auto partitions = disk.partitions;
    std::sort(partitions.begin(), partitions.end(),
              [](const Partition& a, const Partition& b) { return a.start_bytes < b.start_bytes; });
    text.add(partitions.size());
    for (const auto& partition : partitions) add_partition(text, partition, disk);
    add_holds(text, disk.holds, disk);
    return sha256(bytes_of(text.str()));
}

} // namespace stratum::facts
