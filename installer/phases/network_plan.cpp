#include "installer/phases/network_plan.hpp"

#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::installer {
namespace {

bool same_mac(const std::string& a, const std::string& b) {
    const auto left = MacAddress::parse(a);
    const auto right = MacAddress::parse(b);
    return left && right && *left == *right;
}

const facts::Nic* find_by_mac(const facts::Inventory& machine, const std::string& mac) {
    for (const facts::Nic& nic : machine.nics) {
        if (nic.kind != "physical") continue;
        if (same_mac(nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac, mac)) return &nic;
    }
    return nullptr;
}

std::string physical_nics(const facts::Inventory& machine) {
    std::vector<std::string> names;
    for (const facts::Nic& nic : machine.nics) {
        if (nic.kind == "physical") names.push_back(nic.name + " (" + nic.mac + ")");
    }
    return names.empty() ? "none" : join(names, ", ");
}

// Builds the plan in node.yaml's words first (names as approved), then renames to today's.
class Planner {
public:
    Planner(const facts::Inventory& machine, std::vector<std::string>& notes)
        : machine_(machine), notes_(notes) {}

    Status add_physical(const std::string& approved_name, const std::string& mac) {
        if (find(approved_name) != nullptr) return {};
        const facts::Nic* nic = find_by_mac(machine_, mac);
        if (nic == nullptr) {
            return fail(ErrorCode::kNotFound, "no NIC has the permanent MAC " + mac +
                                                  " (approved as " + approved_name +
                                                  "); this machine has " + physical_nics(machine_));
        }
        if (nic->name != approved_name) notes_.push_back(approved_name + " is now " + nic->name);
        PlannedDevice device;
        device.name = nic->name;
        device.mac = mac;
        add(approved_name, std::move(device));
        return {};
    }

    void add(const std::string& approved_name, PlannedDevice device) {
        names_.push_back(approved_name);
        plan_.devices.push_back(std::move(device));
    }

    PlannedDevice* find(const std::string& approved_name) {
        const auto at = std::find(names_.begin(), names_.end(), approved_name);
        if (at == names_.end()) return nullptr;
        return &plan_.devices[static_cast<std::size_t>(at - names_.begin())];
    }

    NetworkPlan take() {
        std::stable_sort(
            plan_.devices.begin(), plan_.devices.end(),
            [](const PlannedDevice& a, const PlannedDevice& b) { return a.kind < b.kind; });
        return std::move(plan_);
    }

private:
    const facts::Inventory& machine_;
    std::vector<std::string>& notes_;
    NetworkPlan plan_;
    std::vector<std::string> names_; // as approved, by position
};

std::string kind_of(const config::Link& link) {
    return link.kind.value_or("ethernet");
}

Status add_devices(const config::NodeConfig& node, Planner& planner) {
    if (!node.mgmt.nic.mac.empty()) {
        if (auto added = planner.add_physical(node.mgmt.nic.interface, node.mgmt.nic.mac); !added) {
            return added;
        }
    }
    for (const config::Connection& connection : node.connections) {
        const config::Link& link = connection.link;
        if (kind_of(link) == "ethernet") {
            if (auto added = planner.add_physical(link.interface, connection.mac); !added)
                return added;
            continue;
        }
        PlannedDevice device;
        device.kind = kind_of(link) == "bond" ? DeviceKind::kBond : DeviceKind::kVlan;
        device.name = link.interface;
        device.bond = link.bond;
        device.vlan_id = link.vlan_id;
        planner.add(link.interface, std::move(device));
    }
    return {};
}

void raise_mtu(PlannedDevice& device, std::optional<std::int64_t> mtu) {
    if (mtu && (!device.mtu || *device.mtu < *mtu)) device.mtu = mtu;
}

Status missing_device(const std::string& name, const std::string& wanted_by) {
    return fail(ErrorCode::kInvalid,
                "node.yaml names " + name + " for " + wanted_by + ", but defines no such device");
}

Status settle_link(const config::Connection& connection, Planner& planner) {
    const config::Link& link = connection.link;
    PlannedDevice& device = *planner.find(link.interface);
    raise_mtu(device, link.mtu);
    device.addresses.insert(device.addresses.end(), link.addresses.begin(), link.addresses.end());
    if (link.controller) {
        PlannedDevice* bond = planner.find(*link.controller);
        if (bond == nullptr) return missing_device(*link.controller, link.interface);
        device.controller = bond->name;
    }
    if (link.parent) {
        PlannedDevice* parent = planner.find(*link.parent);
        if (parent == nullptr) return missing_device(*link.parent, link.interface);
        parent->vlans.push_back(device.name);
        raise_mtu(*parent, link.mtu);
    }
    return {};
}

Status settle_mgmt(const config::NodeMgmt& mgmt, Planner& planner) {
    PlannedDevice* device = planner.find(mgmt.nic.interface);
    if (device == nullptr) return missing_device(mgmt.nic.interface, "mgmt");
    device->addresses.insert(device->addresses.begin(), mgmt.address);
    device->gateway = mgmt.gateway;
    device->dns = mgmt.dns;
    raise_mtu(*device, mgmt.mtu);
    return {};
}

void add_oob(const config::NodeConfig& node, const facts::Inventory& machine, Planner& planner) {
    if (node.oob_interface.empty() || planner.find(node.oob_interface) != nullptr) return;
    for (const facts::Nic& nic : machine.nics) {
        if (nic.name != node.oob_interface || nic.kind != "physical") continue;
        PlannedDevice device;
        device.name = nic.name;
        device.mac = nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac;
        device.dhcp = true;
        planner.add(node.oob_interface, std::move(device));
    }
}

} // namespace

const PlannedDevice* NetworkPlan::find(const std::string& name) const {
    for (const PlannedDevice& device : devices) {
        if (device.name == name) return &device;
    }
    return nullptr;
}

Result<NetworkPlan> plan_network(const config::NodeConfig& node, const facts::Inventory& machine,
                                 std::vector<std::string>& notes) {
    Planner planner(machine, notes);
    if (auto added = add_devices(node, planner); !added) return tl::make_unexpected(added.error());
    for (const config::Connection& connection : node.connections) {
        if (auto settled = settle_link(connection, planner); !settled) {
            return tl::make_unexpected(settled.error());
        }
    }
    if (auto settled = settle_mgmt(node.mgmt, planner); !settled) {
        return tl::make_unexpected(settled.error());
    }
    add_oob(node, machine, planner);
    return planner.take();
}

} // namespace stratum::installer
