// Raw records of network devices: what sysfs and the kernel's route socket said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stratum::hw {

struct AddressRecord {
    std::string cidr;          // 10.20.0.11/24
    bool is_dynamic = false;   // it ends one day: a lease, or a router's announcement
    bool is_temporary = false; // IPv6 privacy
    bool is_link = false;      // good on this link only
    friend bool operator==(const AddressRecord&, const AddressRecord&) = default;
};

// As the kernel spells them: 802.3ad, layer3+4, fast. Empty or absent: not told.
struct BondRecord {
    std::string mode, xmit_hash_policy, lacp_rate;
    std::optional<std::uint32_t> miimon_ms;
    friend bool operator==(const BondRecord&, const BondRecord&) = default;
};

struct LinkRecord {
    int index = 0;
    std::string name;
    std::vector<std::string> alt_names;
    std::string mac, permanent_mac;
    std::optional<std::uint64_t> hardware_type; // ARPHRD: 1 Ethernet
    std::string kind; // bond, vlan, bridge, veth …; empty: hardware, or not known
    std::optional<std::uint32_t> mtu, max_mtu;
    std::optional<bool> carrier;
    std::string master, parent; // names
    std::optional<int> vlan_id;
    std::vector<AddressRecord> addresses;
    BondRecord bond;
    std::string parent_bus, parent_device; // the hardware behind it: pci, 0000:03:00.0
    std::string driver, firmware_version;  // as its driver answers; "N/A" and the like too
    friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

struct RouteRecord {
    std::string destination; // CIDR; empty: the default route
    std::string gateway;     // empty: on the link
    std::string interface;
    std::uint32_t metric = 0;
    bool is_v4 = true;
    friend bool operator==(const RouteRecord&, const RouteRecord&) = default;
};

// The kernel's answers, together.
struct NetRecords {
    std::vector<LinkRecord> links;
    std::vector<RouteRecord> routes;   // of the main table, unicast
    std::vector<std::string> warnings; // what the kernel did not tell
    friend bool operator==(const NetRecords&, const NetRecords&) = default;
};

// What sysfs knows of one device.
struct NicSysfs {
    std::string name;
    std::string path; // /sys/devices/…
    int index = 0;
    std::optional<std::uint64_t> hardware_type; // ARPHRD: 1 Ethernet
    bool has_device = false;                    // hardware (or a hypervisor's) behind it
    std::string driver, devtype, mac, permanent_mac, master;
    BondRecord bond;
    std::vector<std::string> bond_members, bridge_members;
    std::vector<std::string> lower;   // what it stands on
    bool is_virtual_function = false; // of a card of this machine
    std::string physical_function;    // that card's device, where it has one
    std::string port_name;            // what a switching card calls the port: p0, pf0vf3
    bool is_bridge = false, is_bond = false;
    std::optional<std::uint32_t> mtu;
    std::optional<bool> carrier;
    std::optional<std::int64_t> speed;   // as it stands there: -1 and the like too
    std::string duplex;                  // full, half, unknown
    std::string usb_vendor, usb_product; // of a device on USB
};

} // namespace stratum::hw
