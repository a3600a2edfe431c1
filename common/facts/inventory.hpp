// What a machine is, as facts: plain values that discovery fills, the joiner sends, the founder
// keeps and the rules read. An absent optional means "not known". Field names and meaning are the
// API's (docs/openapi.yaml, Inventory); sizes are bytes, speeds Mb/s.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/field_path.hpp"
#include "common/base/findings.hpp"

namespace stratum::facts {

// One thing found on a device: a filesystem, a table, a member's superblock.
struct Hold {
    std::string kind;   // filesystem, swap, raid, lvm, crypt, partition-table, other
    std::string type;   // as libblkid names it: ext4, linux_raid_member, gpt; "gpt (backup only)"
    std::string label;  // empty: none
    std::string uuid;   // empty: none
    std::string device; // the device it stands on: /dev/nvme0n1p1
    std::optional<std::uint64_t> offset_bytes; // from the start of that device
    friend bool operator==(const Hold&, const Hold&) = default;
};

struct Mount {
    std::string path;       // where it is mounted, in the namespace it was found in
    std::string device;     // the device of the stack that is mounted
    std::optional<int> pid; // a process whose mount namespace holds it, where it is not ours
    friend bool operator==(const Mount&, const Mount&) = default;
};

struct Partition {
    int number = 0;
    std::string path;
    std::uint64_t start_bytes = 0;
    std::uint64_t size_bytes = 0;
    std::string type;  // GPT type uuid, lower case; 0x83 for MBR
    std::string label; // GPT name
    std::string uuid;
    std::optional<std::vector<Hold>> holds; // absent: not known; empty: proved blank
    friend bool operator==(const Partition&, const Partition&) = default;
};

// One md array or device-mapper device that stands on a disk.
struct StackLayer {
    std::string name;  // md127, vg0-lv0, the kernel's or device-mapper's name
    std::string path;  // /dev/md127, /dev/dm-0
    std::string kind;  // md, lvm, crypt, multipath, partition, other
    std::string level; // raid1, linear, striped, crypt …
    std::string uuid;
    std::vector<std::string> members; // kernel names of what it stands on directly
    std::optional<bool> degraded;
    std::vector<std::string> failed; // members the array has given up
    std::string sync;                // md: resync, recover, check, repair, reshape; empty: idle
    std::optional<int> sync_percent; // of that, 0 to 100
    std::string group;               // LVM: the volume group's name
    std::string group_uuid;
    std::optional<bool> open; // somebody holds it open (device-mapper's open count, md in use)
    friend bool operator==(const StackLayer&, const StackLayer&) = default;
};

struct Disk {
    std::string name;               // the kernel's, today: nvme0n1
    std::string path;               // /dev/nvme0n1
    std::vector<std::string> by_id; // full paths under /dev/disk/by-id, byte order
    std::string wwn; // empty: none, or a placeholder; "0x5000c500a1b2c301", "eui.…"
    std::string model;
    std::string serial;
    std::uint64_t size_bytes = 0;
    std::optional<std::uint32_t> logical_block_size;
    std::optional<bool> rotational;
    std::optional<bool> removable;
    std::optional<bool> read_only;
    std::string transport; // sata, sas, nvme, virtio, usb, mmc, iscsi, fc, …; empty: not known
    bool mounted = false;  // a live mount on the disk or anything stacked on it
    std::vector<Mount> mounts;
    bool swap = false;    // in use as swap, anywhere in its stack
    bool system = false;  // install record, state partition or our ESP, mounted or not
    std::string unusable; // why it can not be used, in words; empty: it can
    std::optional<std::vector<Hold>> holds; // the whole stack's; absent: not known; empty: blank
    std::vector<Partition> partitions;
    std::optional<std::uint64_t> free_tail_bytes;
    std::vector<std::string> paths;   // of a multipath map: the kernel names of its paths
    std::vector<StackLayer> stack;    // in the order to take it down: each before what it is on
    std::vector<std::string> closure; // other disks (paths) that lose something if this is wiped
    // What a person should know about this disk's reading: attributes that could not be read.
    std::vector<std::string> warnings;
    friend bool operator==(const Disk&, const Disk&) = default;
};

struct NicAddress {
    std::string cidr; // 10.20.0.11/24
    std::string how;  // dhcp, static, link-local, temporary, unknown
    friend bool operator==(const NicAddress&, const NicAddress&) = default;
};

struct NicBond {
    std::string mode;
    std::vector<std::string> members;
    std::string xmit_hash_policy = {}, lacp_rate = {}; // empty: not known, or the mode has none
    std::optional<std::uint32_t> miimon_ms = {};
    friend bool operator==(const NicBond&, const NicBond&) = default;
};

// What the switch at the other end said of itself (IEEE 802.1AB).
struct LldpNeighbour {
    std::string chassis_id, port_id; // text, or a MAC with colons
    std::string system_name, port_description;
    std::optional<int> vlan_id; // the port's own VLAN
    friend bool operator==(const LldpNeighbour&, const LldpNeighbour&) = default;
};

enum class LinkState { kUnknown, kUp, kDown }; // up: with a carrier

struct Nic {
    std::string name;
    std::vector<std::string> alt_names;
    std::string mac;
    std::string permanent_mac; // empty: not known
    std::string driver;
    std::string pci_address;
    std::string firmware_version;
    std::optional<std::uint32_t> speed_mbps;
    std::string duplex; // full, half; empty: not known
    std::optional<std::uint32_t> mtu;
    std::optional<std::uint32_t> max_mtu;
    LinkState state = LinkState::kUnknown;
    std::vector<NicAddress> addresses;
    std::vector<std::string> routes; // IPv4, main table, no default route; host routes as /32
    std::string gateway;             // of the default route out of this NIC
    std::vector<std::string> dns;
    std::string master;            // the bond or bridge it is a member of
    std::string kind = "physical"; // physical, bond, vlan, bridge, other
    std::optional<int> vlan_id;
    std::string parent;
    std::optional<NicBond> bond;
    std::vector<std::string> bridge_members;
    std::vector<LldpNeighbour> lldp; // only where it was listened for
    bool bmc = false;
    friend bool operator==(const Nic&, const Nic&) = default;
};

struct Machine {
    std::string vendor, product, serial, uuid; // empty: not known, or a placeholder
    std::string virtual_kind;                  // kvm, qemu, vmware …; empty: none known
    std::string firmware;                      // uefi, bios; empty: not known
    std::optional<bool> secure_boot;           // absent: not known, or no UEFI
    std::optional<bool> tpm;                   // one is there
    std::string tpm_version;                   // 1.2, 2.0; empty: not known
    friend bool operator==(const Machine&, const Machine&) = default;
};

struct Cpu {
    std::string model;
    std::optional<std::uint32_t> cores, sockets;
    std::optional<std::string> virtualization; // "vmx", "svm"; "": known to have neither
    friend bool operator==(const Cpu&, const Cpu&) = default;
};

struct InstallRecord {
    std::string release;
    std::string os_disk_layout; // compute-tail, whole-disk
    std::vector<std::string> disks;
    std::string oob_interface;
    friend bool operator==(const InstallRecord&, const InstallRecord&) = default;
};

struct Inventory {
    std::string hostname;
    Machine machine;
    Cpu cpu;
    std::optional<std::uint64_t> memory_bytes;
    std::optional<InstallRecord> install_record;
    std::string founder_interface; // the NIC that reaches the founder; empty: not known
    std::vector<Disk> disks;
    std::vector<Nic> nics;
    std::vector<std::string> warnings;
    friend bool operator==(const Inventory&, const Inventory&) = default;
};

std::string_view link_state_name(LinkState state);

// The API's JSON form, camelCase; what is not known is left out.
Node to_node(const Inventory& inventory);
// Required: hostname, disks, nics; of a disk name, path, sizeBytes; of a NIC name, mac. Everything
// else may be absent or null; members that are not known to us are ignored. Text is made valid
// UTF-8. Limits: 512 disks, 512 NICs, 256 entries in any other list, 4096 bytes of any text.
Inventory read_inventory(const Node& node, const FieldPath& path, Findings& findings);

} // namespace stratum::facts
