#include "hwdiscovery/block_graph.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "common/base/text.hpp"
#include "hwdiscovery/mounts.hpp"

namespace stratum::hw {
namespace {

constexpr std::string_view kDev = "/dev/";
constexpr std::string_view kMapper = "/dev/mapper/";

void add_once(std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

// nvme0c1n2 is a way to nvme0n2 through controller 1.
bool is_nvme_path_of(const std::string& path, const std::string& head) {
    const auto of_head = head.rfind('n'), of_path = path.rfind('n');
    const auto controller = path.rfind('c');
    return controller != std::string::npos && controller < of_path &&
           path.substr(0, controller) == head.substr(0, of_head) &&
           path.substr(of_path) == head.substr(of_head);
}

} // namespace

const MountRecord* mount_of_file(const std::string& path, const std::vector<MountRecord>& mounts) {
    const MountRecord* found = nullptr;
    for (const auto& mount : mounts) {
        const bool is_below = mount.path == "/" || path == mount.path ||
                              (path.starts_with(mount.path) && path[mount.path.size()] == '/');
        // The later of two at one place covers the earlier.
        const bool is_closer = found == nullptr || mount.path.size() >= found->path.size();
        if (!mount.pid && is_below && is_closer) found = &mount;
    }
    return found;
}

std::string container_of(const BlockRecord& block) {
    static constexpr std::string_view kExternal = "external:";
    if (!block.md || !block.md->metadata.starts_with(kExternal)) return {};
    // external:/md127/0 is volume 0 of md127 ("-" for "/" while it is read-only); external:imsm is
    // a container itself.
    const std::string rest = block.md->metadata.substr(kExternal.size());
    if (!rest.starts_with("/") && !rest.starts_with("-")) return {};
    return rest.substr(1, rest.find('/', 1) - 1);
}

bool is_container_array(const BlockRecord& block) {
    if (!block.md) return false;
    // The kernel knows no level of a container; mdadm calls it that by what metadata it has.
    return block.md->level == "container" ||
           (block.md->metadata.starts_with("external:") && container_of(block).empty());
}

bool is_multipath(const BlockRecord& block) {
    return block.dm_uuid.starts_with("mpath-");
}

bool is_multipath_partition(const BlockRecord& block) {
    return block.dm_uuid.starts_with("part") && block.dm_uuid.find("-mpath-") != std::string::npos;
}

BlockGraph::BlockGraph(const std::vector<BlockRecord>& blocks,
                       const std::vector<MountRecord>& mounts)
    : blocks_(blocks) {
    for (const auto& block : blocks) {
        by_name_[block.name] = &block;
        if (!block.dev.empty()) by_dev_[block.dev] = &block;
    }
    for (const auto& block : blocks) {
        // Either side may be missing while a map is being made: both are asked.
        for (const auto& holder : block.holders) add_once(above_[block.name], holder);
        for (const auto& slave : block.slaves) add_once(above_[slave], block.name);
        if (block.is_partition()) add_once(above_[block.parent], block.name);
        // A volume of firmware RAID stands on its container, beside the disks themselves.
        if (auto container = container_of(block); !container.empty())
            add_once(above_[container], block.name);
        // What a loop stands on, the kernel does not list among the holders.
        if (const BlockRecord* backing = backing_of(block, mounts))
            add_once(above_[backing->name], block.name);
    }
}

const BlockRecord* BlockGraph::backing_of(const BlockRecord& loop,
                                          const std::vector<MountRecord>& mounts) const {
    const std::string path = without_deleted(loop.backing_file);
    if (!path.starts_with("/")) return nullptr;
    if (const BlockRecord* device = at_path(path)) return device;
    const MountRecord* mount = mount_of_file(path, mounts);
    if (mount == nullptr) return nullptr;
    const BlockRecord* device = numbered(mount->dev);
    return device != nullptr ? device : at_path(mount->source);
}

const BlockRecord* BlockGraph::named(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
}

const BlockRecord* BlockGraph::numbered(const std::string& dev) const {
    const auto found = by_dev_.find(dev);
    return found == by_dev_.end() ? nullptr : found->second;
}

const BlockRecord* BlockGraph::at_path(const std::string& path) const {
    if (path.starts_with(kMapper)) {
        const std::string name = path.substr(kMapper.size());
        for (const auto& block : blocks_)
            if (!block.dm_name.empty() && block.dm_name == name) return &block;
    }
    if (!path.starts_with(kDev)) return nullptr;
    const std::string name = path.substr(kDev.size());
    if (const BlockRecord* block = named(name)) return block;
    for (const auto& block : blocks_)
        if (block.udev && std::find(block.udev->links.begin(), block.udev->links.end(), name) !=
                              block.udev->links.end())
            return &block;
    return nullptr;
}

std::vector<const BlockRecord*> BlockGraph::above(const BlockRecord& block) const {
    std::vector<const BlockRecord*> found;
    const auto names = above_.find(block.name);
    if (names == above_.end()) return found;
    for (const auto& name : names->second)
        if (const BlockRecord* one = named(name)) found.push_back(one);
    std::sort(found.begin(), found.end(), [](const BlockRecord* a, const BlockRecord* b) {
        return natural_less(a->name, b->name);
    });
    return found;
}

std::vector<const BlockRecord*> BlockGraph::partitions_of(const BlockRecord& disk) const {
    std::vector<const BlockRecord*> found;
    for (const BlockRecord* one : above(disk)) {
        const bool is_own = one->is_partition() && one->parent == disk.name;
        if (is_own || (is_multipath(disk) && is_multipath_partition(*one))) found.push_back(one);
    }
    return found;
}

std::vector<const BlockRecord*> BlockGraph::layers_over(const BlockRecord& disk) const {
    std::vector<const BlockRecord*> order;
    std::set<const BlockRecord*> seen = {&disk};
    const std::function<void(const BlockRecord&)> visit = [&](const BlockRecord& block) {
        for (const BlockRecord* one : above(block)) {
            if (!seen.insert(one).second) continue;
            visit(*one);
            order.push_back(one);
        }
    };
    visit(disk);
    const auto partitions = partitions_of(disk);
    std::erase_if(order, [&](const BlockRecord* one) {
        return std::find(partitions.begin(), partitions.end(), one) != partitions.end();
    });
    return order;
}

std::vector<const BlockRecord*> BlockGraph::devices_of(const BlockRecord& disk) const {
    std::vector<const BlockRecord*> devices = {&disk};
    for (const BlockRecord* one : partitions_of(disk)) devices.push_back(one);
    for (const BlockRecord* one : layers_over(disk)) devices.push_back(one);
    return devices;
}

std::vector<std::string> BlockGraph::paths_of(const BlockRecord& disk) const {
    std::vector<std::string> paths;
    if (is_multipath(disk))
        for (const auto& slave : disk.slaves) paths.push_back(slave);
    if (disk.nvme && !disk.hidden) paths = disk.nvme->paths;
    if (disk.nvme && paths.empty())
        for (const auto& block : blocks_)
            if (block.hidden && is_nvme_path_of(block.name, disk.name)) paths.push_back(block.name);
    std::sort(paths.begin(), paths.end(), natural_less);
    return paths;
}

bool BlockGraph::is_multipath_path(const BlockRecord& block) const {
    const auto holders = above(block);
    return std::any_of(holders.begin(), holders.end(),
                       [](const BlockRecord* holder) { return is_multipath(*holder); });
}

} // namespace stratum::hw
