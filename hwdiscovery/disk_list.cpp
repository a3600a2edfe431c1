#include "hwdiscovery/disk_list.hpp"

#include <algorithm>

namespace stratum::hw {
namespace {

template<class GivesWay>
std::size_t drop_from_back(std::vector<facts::Disk>& disks, std::size_t most, GivesWay gives_way) {
    std::size_t dropped = 0;
    for (std::size_t i = disks.size(); i > 0 && disks.size() > most; --i) {
        if (!gives_way(disks[i - 1])) continue;
        disks.erase(disks.begin() + static_cast<std::ptrdiff_t>(i - 1));
        ++dropped;
    }
    return dropped;
}

} // namespace

std::string shorten_disks(std::vector<facts::Disk>& disks, std::size_t most) {
    const std::size_t all = disks.size();
    if (all <= most) return {};
    const std::size_t unusable = drop_from_back(disks, most, [](const facts::Disk& disk) {
        return !disk.unusable.empty() && !disk.system;
    });
    drop_from_back(disks, most, [](const facts::Disk& disk) { return !disk.system; });
    const std::size_t others = all - disks.size() - unusable;
    return "this machine has " + std::to_string(all) + " disks, " + std::to_string(disks.size()) +
           " are listed: left out are " + std::to_string(unusable) + " that cannot be used" +
           (others == 0 ? "" : " and " + std::to_string(others) + " others");
}

} // namespace stratum::hw
