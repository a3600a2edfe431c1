#include "hwdiscovery/block_doubts.hpp"

#include <map>
#include <set>
#include <string>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

using ByName = std::map<std::string, BlockRecord*>;

// Whether what a device is made of leads down to something that is made of nothing else.
bool stands_on_something(const BlockRecord& top, const ByName& by_name) {
    std::set<std::string> seen = {top.name};
    std::vector<const BlockRecord*> left = {&top};
    while (!left.empty()) {
        const BlockRecord* one = left.back();
        left.pop_back();
        if (one->slaves.empty()) return true;
        for (const auto& slave : one->slaves)
            if (const auto found = by_name.find(slave); found != by_name.end())
                if (seen.insert(slave).second) left.push_back(found->second);
    }
    return false;
}

std::string unknown_holder(const BlockRecord& block, const ByName& by_name) {
    for (const auto& holder : block.holders)
        if (holder == block.name || by_name.count(holder) == 0) return holder;
    return {};
}

bool is_array_by_name(const std::string& name) {
    return name.size() > 2 && name.starts_with("md") &&
           (name[2] == '_' || (name[2] >= '0' && name[2] <= '9'));
}

} // namespace

void doubt_tangles(std::vector<BlockRecord>& blocks) {
    ByName by_name;
    for (auto& block : blocks) by_name[block.name] = &block;
    for (auto& block : blocks) {
        const auto parent = by_name.find(block.parent);
        BlockRecord& disk =
            block.is_partition() && parent != by_name.end() ? *parent->second : block;
        const bool is_layer = disk.md || !disk.dm_uuid.empty() || disk.name.starts_with("dm-");
        if (is_layer || disk.hidden || !disk.doubt.empty()) continue;
        const std::string holder = unknown_holder(block, by_name);
        if (!holder.empty())
            disk.doubt = to_valid_utf8(holder) + " holds " + to_valid_utf8(block.name) +
                         ", and the kernel lists no such layer";
        else if (is_array_by_name(disk.name))
            disk.doubt = "it is an array (md), and what the kernel knows of it cannot be read";
        else if (!stands_on_something(disk, by_name))
            disk.doubt = "it is made of devices that the kernel does not list";
    }
}

} // namespace stratum::hw
