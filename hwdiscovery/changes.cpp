#include "hwdiscovery/changes.hpp"

#include <algorithm>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

using Phrases = std::vector<std::string>;

template<class Device>
const Device* named(const std::vector<Device>& devices, const std::string& name) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const Device& one) { return one.name == name; });
    return found == devices.end() ? nullptr : &*found;
}

std::string joined_addresses(const facts::Nic& nic) {
    Phrases all;
    for (const auto& address : nic.addresses) all.push_back(address.cidr);
    return all.empty() ? "no address" : join(all, ", ");
}

void compare(const facts::Nic& before, const facts::Nic& after, Phrases& said) {
    const std::string& name = after.name;
    if (before.state != after.state) {
        const bool is_known = after.state != facts::LinkState::kUnknown;
        said.push_back(is_known ? name + " is " + std::string(facts::link_state_name(after.state))
                                : name + " is switched off");
    }
    if (before.addresses != after.addresses)
        said.push_back(name + " has " + joined_addresses(after));
    if (before.master != after.master)
        said.push_back(after.master.empty() ? name + " is a member of nothing any more"
                                            : name + " is a member of " + after.master);
}

void compare(const facts::Disk& before, const facts::Disk& after, Phrases& said) {
    const std::string& path = after.path;
    if (before.mounted != after.mounted)
        said.push_back(path + (after.mounted ? " is mounted" : " is mounted no more"));
    if (before.size_bytes != after.size_bytes)
        said.push_back(path + " is of another size: " + human_bytes_decimal(after.size_bytes));
    if (before.holds != after.holds || before.partitions != after.partitions)
        said.push_back("what " + path + " holds is another");
}

// What devices are called: a NIC by its name, a disk by its path.
const std::string& called(const facts::Nic& nic) {
    return nic.name;
}
const std::string& called(const facts::Disk& disk) {
    return disk.path;
}

template<class Device>
void compare_all(const std::vector<Device>& before, const std::vector<Device>& after,
                 Phrases& said) {
    for (const auto& device : after) {
        if (const Device* old = named(before, device.name))
            compare(*old, device, said);
        else
            said.push_back(called(device) + " has come");
    }
    for (const auto& device : before)
        if (named(after, device.name) == nullptr) said.push_back(called(device) + " is gone");
}

} // namespace

std::vector<std::string> changes_between(const facts::Inventory& before,
                                         const facts::Inventory& after) {
    Phrases said;
    compare_all(before.nics, after.nics, said);
    compare_all(before.disks, after.disks, said);
    return said;
}

} // namespace stratum::hw
