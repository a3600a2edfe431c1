// The JSON form to an Inventory. What comes here was sent by a machine that nobody trusts yet: each
// text, number and list has its limit, and whatever is past it is a finding.
#include <array>
#include <limits>
#include <utility>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/facts/inventory.hpp"

namespace stratum::facts {
namespace {

constexpr std::size_t kMostDevices = 512;
constexpr std::size_t kMostEntries = 256;
constexpr std::size_t kMostTextBytes = 4096;
constexpr std::int64_t kMostInt64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostUint32 = std::numeric_limits<std::uint32_t>::max();

std::string text(ObjectReader& reader, std::string_view name) {
    return reader.optional_text(name, kMostTextBytes);
}

std::string required_text(ObjectReader& reader, std::string_view name) {
    return reader.required_text(name, kMostTextBytes);
}

std::vector<std::string> texts(ObjectReader& reader, std::string_view name) {
    auto list = reader.optional_strings(name).value_or(std::vector<std::string>{});
    if (list.size() > kMostEntries) {
        reader.add(name, "has " + std::to_string(list.size()) + " entries, at most " +
                             std::to_string(kMostEntries) + " are taken");
        return {};
    }
    for (auto& entry : list) entry = reader.bounded_text(name, entry, kMostTextBytes);
    return list;
}

template<class T>
std::optional<T> number(ObjectReader& reader, std::string_view name, std::int64_t min,
                        std::int64_t max) {
    const auto value = reader.optional_int(name, min, max);
    return value ? std::optional<T>(static_cast<T>(*value)) : std::nullopt;
}

// The kernel's "no limit" and "not known" are 0 and -1: what is there is taken as a number alone.
std::optional<std::uint32_t> measure(ObjectReader& reader, std::string_view name) {
    const auto value = number<std::uint32_t>(reader, name, 0, kMostUint32);
    return value == 0 || value == kMostUint32 ? std::nullopt : value;
}

std::uint64_t required_bytes(ObjectReader& reader, std::string_view name) {
    return static_cast<std::uint64_t>(reader.required_int(name, 0, kMostInt64).value_or(0));
}

// The list's objects, each read by `read`; absent where there is no such list, or one too long.
template<class T>
std::optional<std::vector<T>> objects(ObjectReader& reader, std::string_view name,
                                      Findings& findings, T (*read)(ObjectReader&, Findings&),
                                      std::size_t most = kMostEntries) {
    const Node* list = reader.member(name);
    if (list != nullptr && list->is_array() && list->items().size() > most) {
        reader.add(name, "has " + std::to_string(list->items().size()) + " entries, at most " +
                             std::to_string(most) + " are taken");
        return std::nullopt;
    }
    std::vector<T> values;
    const bool is_there = reader.each(name, [&](const Node& item, const FieldPath& at) {
        ObjectReader one(item, at, findings, Unknown::kIgnored);
        values.push_back(read(one, findings));
        one.finish();
    });
    if (!is_there) return std::nullopt;
    return values;
}

template<class T>
std::vector<T> objects_or_none(ObjectReader& reader, std::string_view name, Findings& findings,
                               T (*read)(ObjectReader&, Findings&)) {
    return objects(reader, name, findings, read).value_or(std::vector<T>{});
}

Hold read_hold(ObjectReader& reader, Findings&) {
    Hold hold;
    hold.kind = text(reader, "kind");
    hold.type = text(reader, "type");
    hold.label = text(reader, "label");
    hold.uuid = text(reader, "uuid");
    hold.device = text(reader, "device");
    hold.offset_bytes = number<std::uint64_t>(reader, "offset", 0, kMostInt64);
    return hold;
}

Mount read_mount(ObjectReader& reader, Findings&) {
    Mount mount;
    mount.path = text(reader, "path");
    mount.device = text(reader, "device");
    mount.pid = number<int>(reader, "pid", 0, std::numeric_limits<int>::max());
    return mount;
}

Partition read_partition(ObjectReader& reader, Findings& findings) {
    Partition partition;
    partition.number =
        number<int>(reader, "number", 0, std::numeric_limits<int>::max()).value_or(0);
    partition.path = text(reader, "path");
    partition.start_bytes = number<std::uint64_t>(reader, "start", 0, kMostInt64).value_or(0);
    partition.size_bytes = number<std::uint64_t>(reader, "size", 0, kMostInt64).value_or(0);
    partition.type = text(reader, "type");
    partition.label = text(reader, "label");
    partition.uuid = text(reader, "uuid");
    partition.holds = objects(reader, "holds", findings, read_hold);
    return partition;
}

StackLayer read_layer(ObjectReader& reader, Findings&) {
    StackLayer layer;
    layer.name = text(reader, "name");
    layer.path = text(reader, "path");
    layer.kind = text(reader, "kind");
    layer.level = text(reader, "level");
    layer.uuid = text(reader, "uuid");
    layer.members = texts(reader, "members");
    layer.degraded = reader.optional_bool("degraded");
    layer.failed = texts(reader, "failed");
    layer.sync = text(reader, "sync");
    layer.sync_percent = number<int>(reader, "syncPercent", 0, 100);
    layer.group = text(reader, "group");
    layer.group_uuid = text(reader, "groupUuid");
    layer.open = reader.optional_bool("open");
    return layer;
}

void read_disk_identity(ObjectReader& reader, Disk& disk) {
    disk.name = required_text(reader, "name");
    disk.path = required_text(reader, "path");
    disk.by_id = texts(reader, "byId");
    disk.wwn = text(reader, "wwn");
    disk.model = text(reader, "model");
    disk.serial = text(reader, "serial");
    disk.size_bytes = required_bytes(reader, "sizeBytes");
    disk.logical_block_size = measure(reader, "logicalBlockSize");
    disk.rotational = reader.optional_bool("rotational");
    disk.removable = reader.optional_bool("removable");
    disk.read_only = reader.optional_bool("readOnly");
    disk.transport = text(reader, "transport");
}

Disk read_disk(ObjectReader& reader, Findings& findings) {
    Disk disk;
    read_disk_identity(reader, disk);
    disk.mounts = objects_or_none(reader, "mounts", findings, read_mount);
    disk.mounted = reader.optional_bool("mounted").value_or(false) || !disk.mounts.empty();
    disk.swap = reader.optional_bool("swap").value_or(false);
    disk.system = reader.optional_bool("system").value_or(false);
    disk.unusable = text(reader, "unusable");
    disk.holds = objects(reader, "holds", findings, read_hold);
    disk.partitions = objects_or_none(reader, "partitions", findings, read_partition);
    disk.free_tail_bytes = number<std::uint64_t>(reader, "freeTailBytes", 0, kMostInt64);
    disk.paths = texts(reader, "paths");
    disk.stack = objects_or_none(reader, "stack", findings, read_layer);
    disk.closure = texts(reader, "closure");
    disk.warnings = texts(reader, "warnings");
    return disk;
}

NicAddress read_address(ObjectReader& reader, Findings&) {
    NicAddress address;
    address.cidr = text(reader, "cidr");
    address.how = text(reader, "how");
    return address;
}

LinkState link_state_of(std::string_view name) {
    if (name == "up") return LinkState::kUp;
    if (name == "down") return LinkState::kDown;
    return LinkState::kUnknown;
}

void read_nic_make_up(ObjectReader& reader, Findings& findings, Nic& nic) {
    nic.master = text(reader, "master");
    if (auto kind = text(reader, "kind"); !kind.empty()) nic.kind = std::move(kind);
    nic.vlan_id = number<int>(reader, "vlanId", 0, 4095);
    nic.parent = text(reader, "parent");
    nic.bmc = reader.optional_bool("bmc").value_or(false);
    if (const Node* bond = reader.member("bond")) {
        ObjectReader inner(*bond, reader.path().key("bond"), findings, Unknown::kIgnored);
        nic.bond = NicBond{text(inner, "mode"), texts(inner, "members"),
                           text(inner, "xmitHashPolicy"), text(inner, "lacpRate"),
                           number<std::uint32_t>(inner, "miimonMs", 0, kMostUint32)};
        inner.finish();
    }
    if (const Node* bridge = reader.member("bridge")) {
        ObjectReader inner(*bridge, reader.path().key("bridge"), findings, Unknown::kIgnored);
        nic.bridge_members = texts(inner, "members");
        inner.finish();
    }
}

LldpNeighbour read_neighbour(ObjectReader& reader, Findings&) {
    LldpNeighbour neighbour;
    neighbour.chassis_id = text(reader, "chassisId");
    neighbour.port_id = text(reader, "portId");
    neighbour.system_name = text(reader, "systemName");
    neighbour.port_description = text(reader, "portDescription");
    neighbour.vlan_id = number<int>(reader, "vlanId", 0, 4095);
    return neighbour;
}

Nic read_nic(ObjectReader& reader, Findings& findings) {
    Nic nic;
    nic.name = required_text(reader, "name");
    nic.mac = required_text(reader, "mac");
    nic.alt_names = texts(reader, "altNames");
    nic.permanent_mac = text(reader, "permanentMac");
    nic.driver = text(reader, "driver");
    nic.pci_address = text(reader, "pciAddress");
    nic.firmware_version = text(reader, "firmwareVersion");
    nic.duplex = text(reader, "duplex");
    nic.lldp = objects_or_none(reader, "lldp", findings, read_neighbour);
    nic.speed_mbps = measure(reader, "speedMbps");
    nic.mtu = number<std::uint32_t>(reader, "mtu", 0, kMostUint32);
    nic.max_mtu = measure(reader, "maxMtu");
    nic.state = link_state_of(text(reader, "state"));
    nic.addresses = objects_or_none(reader, "addresses", findings, read_address);
    nic.routes = texts(reader, "routes");
    nic.gateway = text(reader, "gateway");
    nic.dns = texts(reader, "dns");
    read_nic_make_up(reader, findings, nic);
    return nic;
}

// Reads the object `name` of `reader`, where it is there, with `read`.
template<class Read>
void with_object(ObjectReader& reader, std::string_view name, Findings& findings, Read read) {
    const Node* node = reader.member(name);
    if (node == nullptr) return;
    ObjectReader inner(*node, reader.path().key(name), findings, Unknown::kIgnored);
    read(inner);
    inner.finish();
}

void read_machine(ObjectReader& reader, Machine& machine) {
    machine.vendor = text(reader, "vendor");
    machine.product = text(reader, "product");
    machine.serial = text(reader, "serial");
    machine.uuid = text(reader, "uuid");
    machine.virtual_kind = text(reader, "virtual");
    machine.firmware = text(reader, "firmware");
    machine.secure_boot = reader.optional_bool("secureBoot");
    machine.tpm = reader.optional_bool("tpm");
    machine.tpm_version = text(reader, "tpmVersion");
}

void read_cpu(ObjectReader& reader, Cpu& cpu) {
    cpu.model = text(reader, "model");
    cpu.cores = number<std::uint32_t>(reader, "cores", 0, kMostUint32);
    cpu.sockets = number<std::uint32_t>(reader, "sockets", 0, kMostUint32);
    if (reader.has("virtualization")) cpu.virtualization = text(reader, "virtualization");
}

void read_install_record(ObjectReader& reader, Inventory& inventory) {
    InstallRecord record;
    record.release = text(reader, "release");
    record.os_disk_layout = text(reader, "osDiskLayout");
    record.disks = texts(reader, "disks");
    record.oob_interface = text(reader, "oobInterface");
    inventory.install_record = std::move(record);
}

template<class T>
std::vector<T> required_devices(ObjectReader& reader, std::string_view name, Findings& findings,
                                T (*read)(ObjectReader&, Findings&)) {
    if (!reader.is_object()) return {};
    if (!reader.has(name)) {
        reader.add(name, "is missing");
        return {};
    }
    return objects(reader, name, findings, read, kMostDevices).value_or(std::vector<T>{});
}

// The kernel gives a name once. Two devices of one name would be taken for one another.
template<class T>
void refuse_twins(ObjectReader& reader, std::string_view list, Findings& findings,
                  const std::vector<T>& devices, std::string T::*name) {
    for (std::size_t i = 0; i < devices.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const std::string& own = devices[i].*name;
            if (own.empty() || own != devices[j].*name) continue;
            findings.add(reader.path().key(list).index(i),
                         own + " is there twice, at " + std::to_string(j) + " too");
            break;
        }
}

} // namespace

Inventory read_inventory(const Node& node, const FieldPath& path, Findings& findings) {
    ObjectReader reader(node, path, findings, Unknown::kIgnored);
    Inventory inventory;
    inventory.hostname = required_text(reader, "hostname");
    with_object(reader, "machine", findings,
                [&](ObjectReader& inner) { read_machine(inner, inventory.machine); });
    with_object(reader, "cpu", findings,
                [&](ObjectReader& inner) { read_cpu(inner, inventory.cpu); });
    inventory.memory_bytes = number<std::uint64_t>(reader, "memoryBytes", 0, kMostInt64);
    with_object(reader, "installRecord", findings,
                [&](ObjectReader& inner) { read_install_record(inner, inventory); });
    inventory.founder_interface = text(reader, "founderInterface");
    inventory.disks = required_devices(reader, "disks", findings, read_disk);
    inventory.nics = required_devices(reader, "nics", findings, read_nic);
    refuse_twins(reader, "disks", findings, inventory.disks, &Disk::path);
    refuse_twins(reader, "nics", findings, inventory.nics, &Nic::name);
    inventory.warnings = texts(reader, "warnings");
    reader.finish();
    return inventory;
}

} // namespace stratum::facts
