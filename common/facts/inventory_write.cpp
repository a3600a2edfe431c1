// Inventory to its JSON form.
#include <utility>

#include "common/base/text.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::facts {
namespace {

// As valid UTF-8 and no longer than the reader takes: a path can be as long, and an attribute of
// odd bytes longer once each has become a character.
std::string fitting(const std::string& text) {
    constexpr std::size_t kMostBytes = 4096;
    constexpr std::size_t kCutBytes = 4000;
    std::string valid = to_valid_utf8(text);
    if (valid.size() <= kMostBytes) return valid;
    valid.resize(kCutBytes);
    valid.resize(utf8_length(valid));
    return valid + "…";
}

// An empty text means "not known" and is left out.
void put(Node& node, const char* name, const std::string& text) {
    if (!text.empty()) node.set(name, fitting(text));
}

// What the API requires is there even when it is empty.
void put_required(Node& node, const char* name, const std::string& text) {
    node.set(name, fitting(text));
}

template<class T>
void put_number(Node& node, const char* name, const std::optional<T>& value) {
    if (value) node.set(name, Node::integer(static_cast<std::int64_t>(*value)));
}

void put_bool(Node& node, const char* name, const std::optional<bool>& value) {
    if (value) node.set(name, Node::boolean(*value));
}

Node bytes_node(std::uint64_t bytes) {
    return Node::integer(static_cast<std::int64_t>(bytes));
}

Node strings_node(const std::vector<std::string>& texts) {
    Node list = Node::array();
    for (const auto& text : texts) list.push(Node::string(fitting(text)));
    return list;
}

template<class T, class Write>
Node list_node(const std::vector<T>& values, Write write) {
    Node list = Node::array();
    for (const auto& value : values) list.push(write(value));
    return list;
}

Node hold_node(const Hold& hold) {
    Node node = Node::object();
    put(node, "kind", hold.kind);
    put(node, "type", hold.type);
    put(node, "label", hold.label);
    put(node, "uuid", hold.uuid);
    put(node, "device", hold.device);
    put_number(node, "offset", hold.offset_bytes);
    return node;
}

Node mount_node(const Mount& mount) {
    Node node = Node::object();
    put(node, "path", mount.path);
    put(node, "device", mount.device);
    put_number(node, "pid", mount.pid);
    return node;
}

Node partition_node(const Partition& partition) {
    Node node = Node::object();
    node.set("number", Node::integer(partition.number));
    put(node, "path", partition.path);
    node.set("start", bytes_node(partition.start_bytes));
    node.set("size", bytes_node(partition.size_bytes));
    put(node, "type", partition.type);
    put(node, "label", partition.label);
    put(node, "uuid", partition.uuid);
    if (partition.holds) node.set("holds", list_node(*partition.holds, hold_node));
    return node;
}

Node layer_node(const StackLayer& layer) {
    Node node = Node::object();
    put(node, "name", layer.name);
    put(node, "path", layer.path);
    put(node, "kind", layer.kind);
    put(node, "level", layer.level);
    put(node, "uuid", layer.uuid);
    node.set("members", strings_node(layer.members));
    put_bool(node, "degraded", layer.degraded);
    node.set("failed", strings_node(layer.failed));
    put(node, "sync", layer.sync);
    put_number(node, "syncPercent", layer.sync_percent);
    put(node, "group", layer.group);
    put(node, "groupUuid", layer.group_uuid);
    put_bool(node, "open", layer.open);
    return node;
}

void put_disk_identity(Node& node, const Disk& disk) {
    put_required(node, "name", disk.name);
    put_required(node, "path", disk.path);
    node.set("byId", strings_node(disk.by_id));
    put(node, "wwn", disk.wwn);
    put(node, "model", disk.model);
    put(node, "serial", disk.serial);
    node.set("sizeBytes", bytes_node(disk.size_bytes));
    put_number(node, "logicalBlockSize", disk.logical_block_size);
    put_bool(node, "rotational", disk.rotational);
    put_bool(node, "removable", disk.removable);
    put_bool(node, "readOnly", disk.read_only);
    put(node, "transport", disk.transport);
}

Node disk_node(const Disk& disk) {
    Node node = Node::object();
    put_disk_identity(node, disk);
    node.set("mounted", Node::boolean(disk.mounted));
    node.set("mounts", list_node(disk.mounts, mount_node));
    node.set("swap", Node::boolean(disk.swap));
    node.set("system", Node::boolean(disk.system));
    put(node, "unusable", disk.unusable);
    if (disk.holds) node.set("holds", list_node(*disk.holds, hold_node));
    node.set("partitions", list_node(disk.partitions, partition_node));
    put_number(node, "freeTailBytes", disk.free_tail_bytes);
    if (!disk.paths.empty()) node.set("paths", strings_node(disk.paths));
    node.set("stack", list_node(disk.stack, layer_node));
    node.set("closure", strings_node(disk.closure));
    if (!disk.warnings.empty()) node.set("warnings", strings_node(disk.warnings));
    return node;
}

Node address_node(const NicAddress& address) {
    Node node = Node::object();
    put(node, "cidr", address.cidr);
    put(node, "how", address.how);
    return node;
}

void put_nic_make_up(Node& node, const Nic& nic) {
    put(node, "master", nic.master);
    put(node, "kind", nic.kind);
    put_number(node, "vlanId", nic.vlan_id);
    put(node, "parent", nic.parent);
    if (nic.bond) {
        Node bond = Node::object();
        put(bond, "mode", nic.bond->mode);
        bond.set("members", strings_node(nic.bond->members));
        put(bond, "xmitHashPolicy", nic.bond->xmit_hash_policy);
        put(bond, "lacpRate", nic.bond->lacp_rate);
        put_number(bond, "miimonMs", nic.bond->miimon_ms);
        node.set("bond", std::move(bond));
    }
    if (!nic.bridge_members.empty()) {
        Node bridge = Node::object();
        bridge.set("members", strings_node(nic.bridge_members));
        node.set("bridge", std::move(bridge));
    }
    node.set("bmc", Node::boolean(nic.bmc));
}

Node neighbour_node(const LldpNeighbour& neighbour) {
    Node node = Node::object();
    put(node, "chassisId", neighbour.chassis_id);
    put(node, "portId", neighbour.port_id);
    put(node, "systemName", neighbour.system_name);
    put(node, "portDescription", neighbour.port_description);
    put_number(node, "vlanId", neighbour.vlan_id);
    return node;
}

Node nic_node(const Nic& nic) {
    Node node = Node::object();
    put_required(node, "name", nic.name);
    node.set("altNames", strings_node(nic.alt_names));
    put_required(node, "mac", nic.mac);
    put(node, "permanentMac", nic.permanent_mac);
    put(node, "driver", nic.driver);
    put(node, "pciAddress", nic.pci_address);
    put(node, "firmwareVersion", nic.firmware_version);
    put_number(node, "speedMbps", nic.speed_mbps);
    put(node, "duplex", nic.duplex);
    put_number(node, "mtu", nic.mtu);
    put_number(node, "maxMtu", nic.max_mtu);
    node.set("state", std::string(link_state_name(nic.state)));
    node.set("addresses", list_node(nic.addresses, address_node));
    node.set("routes", strings_node(nic.routes));
    put(node, "gateway", nic.gateway);
    node.set("dns", strings_node(nic.dns));
    put_nic_make_up(node, nic);
    if (!nic.lldp.empty()) node.set("lldp", list_node(nic.lldp, neighbour_node));
    return node;
}

Node machine_node(const Machine& machine) {
    Node node = Node::object();
    put(node, "vendor", machine.vendor);
    put(node, "product", machine.product);
    put(node, "serial", machine.serial);
    put(node, "uuid", machine.uuid);
    put(node, "virtual", machine.virtual_kind);
    put(node, "firmware", machine.firmware);
    put_bool(node, "secureBoot", machine.secure_boot);
    put_bool(node, "tpm", machine.tpm);
    put(node, "tpmVersion", machine.tpm_version);
    return node;
}

Node cpu_node(const Cpu& cpu) {
    Node node = Node::object();
    put(node, "model", cpu.model);
    put_number(node, "cores", cpu.cores);
    put_number(node, "sockets", cpu.sockets);
    // The empty text is a fact here: this CPU is known to have neither.
    if (cpu.virtualization) node.set("virtualization", *cpu.virtualization);
    return node;
}

Node install_record_node(const InstallRecord& record) {
    Node node = Node::object();
    put(node, "release", record.release);
    put(node, "osDiskLayout", record.os_disk_layout);
    node.set("disks", strings_node(record.disks));
    put(node, "oobInterface", record.oob_interface);
    return node;
}

} // namespace

std::string_view link_state_name(LinkState state) {
    switch (state) {
    case LinkState::kUp:
        return "up";
    case LinkState::kDown:
        return "down";
    case LinkState::kUnknown:
        break;
    }
    return "unknown";
}

Node to_node(const Inventory& inventory) {
    Node node = Node::object();
    put_required(node, "hostname", inventory.hostname);
    node.set("machine", machine_node(inventory.machine));
    node.set("cpu", cpu_node(inventory.cpu));
    put_number(node, "memoryBytes", inventory.memory_bytes);
    if (inventory.install_record) {
        node.set("installRecord", install_record_node(*inventory.install_record));
        put(node, "osDiskLayout", inventory.install_record->os_disk_layout);
    }
    put(node, "founderInterface", inventory.founder_interface);
    node.set("disks", list_node(inventory.disks, disk_node));
    node.set("nics", list_node(inventory.nics, nic_node));
    if (!inventory.warnings.empty()) node.set("warnings", strings_node(inventory.warnings));
    return node;
}

} // namespace stratum::facts
