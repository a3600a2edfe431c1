// The plan against the machine as it is: what is missing, and what is left over.
#include <algorithm>

#include "common/base/net.hpp"
#include "installer/phases/network_plan.hpp"

namespace stratum::installer {
namespace {

const facts::Nic* find_nic(const facts::Inventory& machine, const std::string& name) {
    for (const facts::Nic& nic : machine.nics) {
        if (nic.name == name) return &nic;
    }
    return nullptr;
}

// By value: IPv6 has many spellings.
bool same_cidr(const std::string& a, const std::string& b) {
    const auto left = Cidr::parse(a);
    const auto right = Cidr::parse(b);
    return left && right ? *left == *right : a == b;
}

bool same_address(const std::string& a, const std::string& b) {
    const auto left = IpAddress::parse(a);
    const auto right = IpAddress::parse(b);
    return left && right ? *left == *right : a == b;
}

// Addresses the kernel gives by itself are nobody's leftover.
bool is_leftover(const facts::NicAddress& address, const PlannedDevice* device) {
    if (address.how == "link-local") return false;
    if (device == nullptr) return true;
    if (device->dhcp) return false;
    return std::none_of(
        device->addresses.begin(), device->addresses.end(),
        [&](const std::string& ordered) { return same_cidr(ordered, address.cidr); });
}

void compare_addresses(const PlannedDevice& device, const facts::Nic& nic,
                       std::vector<std::string>& out) {
    for (const std::string& ordered : device.addresses) {
        const auto at = std::find_if(
            nic.addresses.begin(), nic.addresses.end(),
            [&](const facts::NicAddress& one) { return same_cidr(one.cidr, ordered); });
        if (at == nic.addresses.end()) {
            const bool is_down = nic.state == facts::LinkState::kDown;
            out.push_back(device.name + " has no address " + ordered +
                          (is_down ? " (it has no carrier)" : ""));
        } else if (at->how == "dhcp" || at->how == "temporary") {
            out.push_back(device.name + " has " + ordered +
                          " only as a lease, which ends; ordered is a static address");
        }
    }
    for (const facts::NicAddress& address : nic.addresses) {
        if (!is_leftover(address, &device)) continue;
        out.push_back(device.name + " still has " + address.cidr + ", which nobody ordered");
    }
    if (!same_address(nic.gateway, device.gateway)) {
        out.push_back(device.name + ": the default route is " +
                      (nic.gateway.empty() ? "missing" : "by " + nic.gateway) + ", ordered is " +
                      (device.gateway.empty() ? "none" : device.gateway));
    }
}

void compare_mtu(const PlannedDevice& device, const facts::Nic& nic,
                 std::vector<std::string>& out) {
    if (!device.mtu) return;
    if (nic.mtu && static_cast<std::int64_t>(*nic.mtu) == *device.mtu) return;
    out.push_back(device.name + " has MTU " + (nic.mtu ? std::to_string(*nic.mtu) : "unknown") +
                  ", ordered is " + std::to_string(*device.mtu));
}

void compare_bond(const PlannedDevice& device, const facts::Nic& nic,
                  std::vector<std::string>& out) {
    const std::string mode = nic.bond ? nic.bond->mode : "";
    const std::string ordered = device.bond ? device.bond->mode.value_or("") : "";
    if (ordered.empty() || mode == ordered) return;
    out.push_back(device.name + " has bond mode " + (mode.empty() ? "unknown" : mode) +
                  ", ordered is " + ordered);
}

void compare_vlan(const PlannedDevice& device, const facts::Nic& nic,
                  std::vector<std::string>& out) {
    if (!nic.vlan_id || nic.vlan_id != device.vlan_id) {
        out.push_back(device.name + " has VLAN id " +
                      (nic.vlan_id ? std::to_string(*nic.vlan_id) : "unknown") + ", ordered is " +
                      std::to_string(device.vlan_id.value_or(0)));
    }
    if (nic.parent != device.parent) {
        out.push_back(device.name + " stands on " + (nic.parent.empty() ? "nothing" : nic.parent) +
                      ", ordered is " + device.parent);
    }
}

std::string_view kind_name(DeviceKind kind) {
    if (kind == DeviceKind::kPhysical) return "physical";
    return kind == DeviceKind::kBond ? "bond" : "vlan";
}

// A member of a bond that the plan does not know of. (What a join step bridges is its own matter.)
bool is_in_foreign_bond(const PlannedDevice& device, const facts::Nic& nic,
                        const facts::Inventory& machine) {
    if (nic.master.empty() || nic.master == device.controller) return false;
    const facts::Nic* master = find_nic(machine, nic.master);
    return master != nullptr && master->kind == "bond";
}

void compare_device(const PlannedDevice& device, const facts::Nic& nic,
                    const facts::Inventory& machine, std::vector<std::string>& out) {
    if (nic.kind != kind_name(device.kind)) {
        out.push_back(device.name + " is of kind " + nic.kind + ", ordered is " +
                      std::string(kind_name(device.kind)));
        return;
    }
    if (!device.controller.empty() && nic.master != device.controller) {
        out.push_back(device.name + " is not yet a member of " + device.controller);
    } else if (is_in_foreign_bond(device, nic, machine)) {
        out.push_back(device.name + " is still a member of " + nic.master +
                      ", which nobody ordered");
    }
    compare_mtu(device, nic, out);
    if (device.kind == DeviceKind::kBond) compare_bond(device, nic, out);
    if (device.kind == DeviceKind::kVlan) compare_vlan(device, nic, out);
    compare_addresses(device, nic, out);
}

// NICs that nobody ordered keep nothing of the time before: neither an address nor a way out. Only
// a management controller's own card is left as it is.
void compare_others(const NetworkPlan& plan, const facts::Inventory& machine,
                    std::vector<std::string>& out) {
    for (const facts::Nic& nic : machine.nics) {
        if (nic.bmc || plan.find(nic.name) != nullptr) continue;
        const bool is_ours = nic.kind == "physical" || nic.kind == "bond" || nic.kind == "vlan";
        if (!is_ours) continue;
        if (!nic.gateway.empty()) {
            out.push_back(nic.name + " still has a default route by " + nic.gateway +
                          ", which nobody ordered");
        }
        for (const facts::NicAddress& address : nic.addresses) {
            if (nic.kind != "physical" || !is_leftover(address, nullptr)) continue;
            out.push_back(nic.name + " still has " + address.cidr + ", which nobody ordered");
        }
    }
}

} // namespace

std::vector<std::string> differences(const NetworkPlan& plan, const facts::Inventory& machine) {
    std::vector<std::string> out;
    for (const PlannedDevice& device : plan.devices) {
        const facts::Nic* nic = find_nic(machine, device.name);
        if (nic == nullptr) {
            out.push_back("there is no " + device.name + " yet");
            continue;
        }
        compare_device(device, *nic, machine, out);
    }
    compare_others(plan, machine, out);
    return out;
}

std::vector<std::string> warnings_of(const NetworkPlan& plan, const facts::Inventory& machine) {
    std::vector<std::string> warnings;
    for (const PlannedDevice& device : plan.devices) {
        const facts::Nic* nic = find_nic(machine, device.name);
        if (nic == nullptr || nic->state != facts::LinkState::kDown) continue;
        if (device.controller.empty()) continue;
        warnings.push_back("warning: " + device.name + ", a member of " + device.controller +
                           ", has no carrier");
    }
    return warnings;
}

} // namespace stratum::installer
