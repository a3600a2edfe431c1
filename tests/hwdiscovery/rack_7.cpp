#include "tests/hwdiscovery/rack_7.hpp"

namespace stratum::hw {
namespace {

facts::Disk named_disk(const std::string& name, const std::string& wwn) {
    facts::Disk disk;
    disk.name = name;
    disk.path = "/dev/" + name;
    disk.wwn = wwn;
    disk.model = "Example NVMe 1920";
    disk.serial = "S4YN" + name;
    disk.size_bytes = 1'920'383'410'176;
    disk.transport = "nvme";
    disk.rotational = false;
    disk.holds.emplace();
    return disk;
}

facts::Disk system_disk() {
    auto disk = named_disk("nvme0n1", "eui.0025385a00000001");
    disk.system = disk.mounted = true;
    disk.mounts = {{"/", "/dev/nvme0n1p2", {}}, {"/boot/efi", "/dev/nvme0n1p1", {}}};
    disk.holds->push_back({"partition-table", "gpt", "", "", "/dev/nvme0n1", {}});
    disk.holds->push_back({"filesystem", "vfat", "ESP", "", "/dev/nvme0n1p1", {}});
    disk.holds->push_back({"filesystem", "ext4", "root", "", "/dev/nvme0n1p2", {}});
    return disk;
}

facts::Disk array_disk() {
    auto disk = named_disk("sda", "0x5000c500a1b2c301");
    disk.model = "ST18000NM000J";
    disk.transport = "sas";
    disk.rotational = true;
    disk.size_bytes = 18'000'207'937'536;
    disk.holds->push_back({"raid", "linux_raid_member", "rack-7:0", "", "/dev/sda", {}});
    disk.holds->push_back({"filesystem", "xfs", "Daten für 数据", "", "/dev/md127", {}});
    facts::StackLayer array;
    array.name = "md127";
    array.path = "/dev/md127";
    array.kind = "md";
    array.level = "raid1";
    array.members = {"sda", "sdb"};
    array.degraded = true;
    array.failed = {"sdb"};
    array.sync = "recover";
    array.sync_percent = 12;
    disk.stack = {array};
    disk.closure = {"/dev/sdb"};
    return disk;
}

facts::Disk unknown_disk() {
    auto disk = named_disk("nvme2n1", "eui.0025385a00000003");
    disk.holds.reset();
    disk.warnings = {"/dev/nvme2n1 did not answer within 5 s"};
    return disk;
}

facts::Nic named_nic(const std::string& name, const std::string& mac) {
    facts::Nic nic;
    nic.name = name;
    nic.mac = nic.permanent_mac = mac;
    nic.driver = "mlx5_core";
    nic.pci_address = "0000:3b:00.0";
    nic.mtu = 9000;
    nic.state = facts::LinkState::kUp;
    return nic;
}

facts::Nic member(const std::string& name, const std::string& mac) {
    auto nic = named_nic(name, mac);
    nic.mac = "52:54:00:aa:00:01";
    nic.firmware_version = "16.35.2000 (MT_0000000080)";
    nic.speed_mbps = 25'000;
    nic.duplex = "full";
    nic.master = "bond0";
    nic.lldp = {{"52:54:00:ab:cd:ef", "Ethernet1/7", "leaf-3.example", "to rack-7", 42}};
    return nic;
}

facts::Nic made_of(const std::string& name, const std::string& kind) {
    auto nic = named_nic(name, "52:54:00:aa:00:01");
    nic.permanent_mac.clear();
    nic.kind = kind;
    nic.driver.clear();
    nic.pci_address.clear();
    return nic;
}

std::vector<facts::Nic> all_nics() {
    auto slow = named_nic("eno1", "52:54:00:aa:00:09");
    slow.driver = "igb";
    slow.speed_mbps = 100;
    slow.duplex = "half";
    slow.mtu = 1500;
    slow.addresses = {{"192.0.2.17/24", "dhcp"}, {"fe80::5054:ff:feaa:9/64", "link-local"}};
    slow.routes = {"192.0.2.0/24", "198.51.100.7/32"};
    slow.gateway = "192.0.2.1";
    slow.dns = {"192.0.2.53", "2001:db8::53"};
    auto down = named_nic("eno2", "52:54:00:aa:00:0a");
    down.state = facts::LinkState::kDown;
    auto bmc = named_nic("usb0", "52:54:00:aa:00:0b");
    bmc.driver = "cdc_ether";
    bmc.pci_address.clear();
    bmc.bmc = true;
    bmc.state = facts::LinkState::kUnknown;
    auto bond = made_of("bond0", "bond");
    bond.bond =
        facts::NicBond{"802.3ad", {"enp59s0f0np0", "enp59s0f1np1"}, "layer3+4", "fast", 100};
    bond.speed_mbps = 50'000;
    auto vlan = made_of("bond0.42", "vlan");
    vlan.vlan_id = 42;
    vlan.parent = "bond0";
    vlan.addresses = {{"10.42.0.5/24", "static"}};
    vlan.master = "br0";
    auto bridge = made_of("br0", "bridge");
    bridge.bridge_members = {"bond0.42"};
    auto function = made_of("enp59s0f0v0", "other");
    function.parent = "enp59s0f0np0";
    return {slow,
            down,
            member("enp59s0f0np0", "52:54:00:aa:00:01"),
            member("enp59s0f1np1", "52:54:00:aa:00:02"),
            bmc,
            bond,
            vlan,
            bridge,
            function};
}

} // namespace

facts::Inventory rack_7() {
    facts::Inventory machine;
    machine.hostname = "rack-7";
    machine.machine = {"Example Works", "R650 Früh", "EX000123", "",   "kvm",
                       "uefi",          true,        true,       "2.0"};
    machine.cpu = {"Example CPU", 32, 2, "vmx"};
    machine.memory_bytes = 270'000'000'000;
    machine.founder_interface = "eno1";
    machine.disks = {system_disk(), named_disk("nvme1n1", "eui.0025385a00000002"), unknown_disk(),
                     array_disk()};
    auto keyless = named_disk("vdb", "");
    keyless.serial.clear();
    keyless.model.clear();
    keyless.transport = "virtio";
    keyless.size_bytes = 1'000'000'000;
    machine.disks.push_back(keyless);
    machine.nics = all_nics();
    machine.warnings = {"eno2: no LLDP was heard within 35 s (the switch may send none, or the "
                        "card's firmware may keep it for itself)"};
    return machine;
}

} // namespace stratum::hw
