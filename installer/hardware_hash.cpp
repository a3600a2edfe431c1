#include "installer/hardware_hash.hpp"

#include <algorithm>
#include <utility>

#include "common/base/document.hpp"
#include "common/base/hash.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

void settle(facts::Disk& disk) {
    for (auto& mount : disk.mounts) mount.pid.reset();
    for (auto& layer : disk.stack) layer.sync_percent.reset();
}

void settle(facts::Nic& nic) {
    std::erase_if(nic.addresses, [](const auto& address) { return address.how == "temporary"; });
    std::sort(nic.addresses.begin(), nic.addresses.end(),
              [](const auto& a, const auto& b) { return a.cidr < b.cidr; });
    std::sort(nic.routes.begin(), nic.routes.end());
    nic.lldp.clear();
}

} // namespace

std::string hardware_sha256(facts::Inventory inventory) {
    for (auto& disk : inventory.disks) settle(disk);
    for (auto& nic : inventory.nics) settle(nic);
    return to_hex(sha256(bytes_of(write_json(facts::to_node(inventory)))));
}

} // namespace stratum::installer
