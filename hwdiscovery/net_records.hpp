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
};

struct RouteRecord {
    std::string destination; // CIDR; empty: the default route
    std::string gateway;     // empty: on the link
    std::string interface;
    std::uint32_t metric = 0;
    bool is_v4 = true;
};

// The kernel's answers, together.
struct NetRecords {
    std::vector<LinkRecord> links;
    std::vector<RouteRecord> routes; // of the main table, unicast
};

// What sysfs knows of one device.
struct NicSysfs {
    std::string name;
    std::string path; // /sys/devices/…
    int index = 0;
    std::optional<std::uint64_t> hardware_type; // ARPHRD: 1 Ethernet
    bool has_device = false;                    // hardware (or a hypervisor's) behind it
    std::string driver, devtype, mac, permanent_mac, master, bond_mode;
    std::vector<std::string> bond_members;
    bool is_bridge = false, is_bond = false;
    std::optional<std::uint32_t> mtu;
    std::optional<bool> carrier;
    std::optional<std::int64_t> speed;   // as it stands there: -1 and the like too
    std::string usb_vendor, usb_product; // of a device on USB
};

} // namespace stratum::hw
