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

std::string physical_nics(const facts::Inventory& machine) {
    std::vector<std::string> names;
    for (const facts::Nic& nic : machine.nics) {
        if (nic.kind != "physical") continue;
        const auto& mac = nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac;
        names.push_back(nic.name + " (" + mac + ")");
    }
    return names.empty() ? "none" : join(names, ", ");
}

// Builds the plan in node.yaml's words first (names as approved), then renames to today's.
class Planner {
public:
    Planner(const facts::Inventory& machine, std::vector<std::string>& notes)
        : machine_(machine), notes_(notes) {}

    Status add_physical(const std::string& approved_name, const std::string& mac) {
        const auto nic = nic_with_mac(machine_, mac);
        if (!nic) return fail_in("approved as " + approved_name, nic.error());
        if (const PlannedDevice* known = find(approved_name); known != nullptr) {
            if (known->name == (*nic)->name) return {};
            return fail(ErrorCode::kConflict, approved_name + " has two MACs in node.yaml, of " +
                                                  known->name + " and " + (*nic)->name);
        }
        for (std::size_t i = 0; i < names_.size(); ++i) {
            if (plan_.devices[i].name != (*nic)->name) continue;
            return fail(ErrorCode::kConflict, names_[i] + " and " + approved_name +
                                                  " are both this machine's " + (*nic)->name);
        }
        if ((*nic)->name != approved_name) {
            notes_.push_back(approved_name + " is now " + (*nic)->name);
        }
        PlannedDevice device;
        device.name = (*nic)->name;
        device.mac = MacAddress::parse(mac)->str();
        device.mac_is_permanent = !(*nic)->permanent_mac.empty();
        add(approved_name, std::move(device));
        return {};
    }

    // A bond or VLAN. NICs move between names: one of them may have taken this one.
    Status add_made(PlannedDevice device) {
        const std::string name = device.name;
        const bool is_nic =
            std::any_of(machine_.nics.begin(), machine_.nics.end(), [&](const facts::Nic& nic) {
                return nic.kind == "physical" && nic.name == name;
            });
        if (is_nic || find(name) != nullptr) {
            return fail(ErrorCode::kConflict, name + " is to be made, but " +
                                                  (is_nic ? "a NIC of this machine has that name"
                                                          : "node.yaml has it twice"));
        }
        add(name, std::move(device));
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

    std::vector<PlannedDevice>& devices() { return plan_.devices; }

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
        if (auto added = planner.add_made(std::move(device)); !added) return added;
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
        // In a bond all members show one MAC, and then nothing would tell them apart.
        if (!device.mac_is_permanent) {
            return fail(ErrorCode::kConflict, device.name + " tells no permanent MAC, and so " +
                                                  "cannot be a member of " + bond->name);
        }
    }
    if (link.parent) {
        PlannedDevice* parent = planner.find(*link.parent);
        if (parent == nullptr) return missing_device(*link.parent, link.interface);
        parent->vlans.push_back(device.name);
        device.parent = parent->name;
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

// What hangs on a bond or a NIC was raised above; a bond's members follow their bond.
void settle_member_mtus(Planner& planner) {
    std::vector<PlannedDevice>& devices = planner.devices();
    for (PlannedDevice& member : devices) {
        if (member.controller.empty()) continue;
        for (const PlannedDevice& bond : devices) {
            if (bond.name == member.controller) raise_mtu(member, bond.mtu);
        }
    }
}

// The install record knows the oob NIC by its name alone.
void add_oob(const config::NodeConfig& node, const facts::Inventory& machine, Planner& planner,
             std::vector<std::string>& notes) {
    if (node.oob_interface.empty()) return;
    for (const facts::Nic& nic : machine.nics) {
        if (nic.name != node.oob_interface || nic.kind != "physical") continue;
        for (const PlannedDevice& planned : planner.devices()) {
            if (planned.name == nic.name) return;
        }
        PlannedDevice device;
        device.name = nic.name;
        device.mac_is_permanent = !nic.permanent_mac.empty();
        device.mac = device.mac_is_permanent ? nic.permanent_mac : nic.mac;
        device.dhcp = true;
        planner.add("oob " + node.oob_interface, std::move(device));
        return;
    }
    notes.push_back("the oob NIC " + node.oob_interface + " is not here; the NICs are " +
                    physical_nics(machine));
}

} // namespace

const PlannedDevice* NetworkPlan::find(const std::string& name) const {
    for (const PlannedDevice& device : devices) {
        if (device.name == name) return &device;
    }
    return nullptr;
}

Result<const facts::Nic*> nic_with_mac(const facts::Inventory& machine, const std::string& mac) {
    const facts::Nic* found = nullptr;
    for (const facts::Nic& nic : machine.nics) {
        if (nic.kind != "physical" || nic.bmc) continue;
        if (!same_mac(nic.permanent_mac.empty() ? nic.mac : nic.permanent_mac, mac)) continue;
        if (found != nullptr) {
            return fail(ErrorCode::kConflict, found->name + " and " + nic.name +
                                                  " have the same MAC " + mac +
                                                  ": nothing tells them apart");
        }
        found = &nic;
    }
    if (found != nullptr) return found;
    return fail(ErrorCode::kNotFound, "no NIC has the permanent MAC " + mac +
                                          "; this machine has " + physical_nics(machine));
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
    settle_member_mtus(planner);
    add_oob(node, machine, planner, notes);
    return planner.take();
}

} // namespace stratum::installer
