// What node.yaml orders of the network, as a plan: each device once, with all that stands on it,
// and the systemd-networkd files that say the same. Pure: rendering, applying and reading back all
// use this one value.
//
// Files are systemd.network(5) and systemd.netdev(5). A physical NIC is matched by its permanent
// MAC and "no kind", so that a bond or VLAN that inherits the MAC is never matched, and a renamed
// NIC is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/config/node_config.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::installer {

enum class DeviceKind { kPhysical, kBond, kVlan };

struct PlannedDevice {
    DeviceKind kind = DeviceKind::kPhysical;
    std::string name;             // today's name of a physical NIC; the name to make for the others
    std::string mac;              // of a physical NIC
    bool mac_is_permanent = true; // false: the NIC tells none, and has this one today
    std::optional<config::Bond> bond;
    std::optional<std::int64_t> vlan_id;
    std::string controller;             // the bond it is a member of
    std::string parent;                 // of a VLAN
    std::vector<std::string> vlans;     // that stand on it
    std::vector<std::string> addresses; // CIDRs, all of them
    std::string gateway;                // empty: none
    std::vector<std::string> dns;
    std::optional<std::int64_t> mtu;
    bool dhcp = false; // the oob NIC keeps its lease, without routes
};

struct NetworkPlan {
    std::vector<PlannedDevice> devices; // parents before what stands on them
    [[nodiscard]] const PlannedDevice* find(const std::string& name) const;
};

// The one physical NIC with this permanent MAC (the MAC it has, where it tells no permanent one).
// kNotFound names those there are, kConflict those that share it.
Result<const facts::Nic*> nic_with_mac(const facts::Inventory& machine, const std::string& mac);

// Each NIC of node.yaml found by its permanent MAC among the machine's; a renamed one is planned
// under today's name (and `notes` says so). kNotFound names the NIC and those there are; kConflict
// for a NIC that two entries name, or that could not be told apart once it is a bond's member.
Result<NetworkPlan> plan_network(const config::NodeConfig& node, const facts::Inventory& machine,
                                 std::vector<std::string>& notes);

// What a device's file begins with: before every name that a distribution's or an administrator's
// own files usually have.
inline constexpr std::string_view kOwnPrefix = "05-stratum-";

struct NetworkFile {
    std::string name; // without folder: 05-stratum-eth0.network
    std::string content;
    friend bool operator==(const NetworkFile&, const NetworkFile&) = default;
};

// What is no fault, but a person should know: a bond's member without a carrier.
std::vector<std::string> warnings_of(const NetworkPlan& plan, const facts::Inventory& machine);

// In byte order of their names. The last one turns DHCP off on every NIC that nobody ordered.
std::vector<NetworkFile> render_network(const NetworkPlan& plan);

// Our files' names begin with one of these; everything else in the folder is somebody else's.
bool is_our_network_file(std::string_view name);

// What of the plan the machine does not show (yet): a device, an address that is missing, only
// leased or too many, an MTU, a bond's mode or member, a second default route. Empty: all stands.
std::vector<std::string> differences(const NetworkPlan& plan, const facts::Inventory& machine);

} // namespace stratum::installer
