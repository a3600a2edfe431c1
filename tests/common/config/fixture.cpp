#include "tests/common/config/fixture.hpp"

#include <fstream>
#include <sstream>

#include "common/config/assignment.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::config::test {

namespace {

constexpr std::uint64_t kTerabyte = 1'000'204'886'016;

facts::Disk system_disk() {
    facts::Disk disk = blank_disk("/dev/sda", "0x5000c500a1b2c300");
    disk.system = true;
    disk.holds =
        std::vector<facts::Hold>{{"filesystem", "ext4", "stratum-state", "", "/dev/sda2", {}}};
    disk.free_tail_bytes = kTerabyte / 2;
    return disk;
}

facts::Disk old_disk() {
    facts::Disk disk = blank_disk("/dev/nvme1n1", kOldKey);
    disk.holds =
        std::vector<facts::Hold>{{"filesystem", "ext4", "olddata", "", "/dev/nvme1n1", {}}};
    return disk;
}

std::string lines_of(const Findings& findings) {
    std::string text;
    for (const std::string& line : findings.lines()) text += (text.empty() ? "" : "\n") + line;
    return text;
}

} // namespace

IpAddress ip(std::string_view text) {
    return *IpAddress::parse(text);
}

Network network(std::string name, std::string purpose, std::string_view cidr) {
    Network network;
    network.name = std::move(name);
    network.purpose = std::move(purpose);
    network.cidr = *Cidr::parse(cidr);
    return network;
}

Holder holder(std::string name, const std::vector<std::string>& addresses) {
    Holder holder;
    holder.node_id = "n-" + name;
    holder.name = std::move(name);
    holder.state = "member";
    for (const std::string& address : addresses) holder.addresses.push_back(ip(address));
    return holder;
}

ClusterView demo_cluster() {
    ClusterView cluster;
    cluster.name = "demo";
    cluster.region = "demo-1";
    cluster.networks = {network("storage", "storage", "10.77.10.0/24"),
                        network("overlay", "overlay", "10.77.20.0/24")};
    cluster.provider.topology = "bridged";
    cluster.provider.upstream_interface = "enp1s0";
    cluster.provider.upstream_purpose = "mgmt";
    cluster.ntp_servers = {"ntp.example.org"};
    cluster.vips = {ip("10.77.0.240")};
    cluster.holders = {holder("alpha", {"10.77.0.1", "10.77.10.1", "10.77.20.1"})};
    return cluster;
}

facts::Nic nic(std::string name) {
    facts::Nic nic;
    nic.mac = "02:00:00:00:00:" + name.substr(3, 1) + "0";
    nic.permanent_mac = nic.mac;
    nic.name = std::move(name);
    nic.driver = "mlx5_core";
    nic.speed_mbps = 10'000;
    nic.mtu = 1500;
    nic.max_mtu = 9000;
    nic.state = facts::LinkState::kUp;
    return nic;
}

facts::Disk blank_disk(std::string path, std::string wwn) {
    facts::Disk disk;
    disk.name = path.substr(5);
    disk.by_id = {"/dev/disk/by-id/" + (wwn.starts_with("eui.") ? "nvme-" + wwn : "wwn-" + wwn)};
    disk.path = std::move(path);
    disk.model = "Example SSD";
    disk.serial = "SN" + wwn.substr(wwn.size() - 6);
    disk.wwn = std::move(wwn);
    disk.size_bytes = kTerabyte;
    disk.logical_block_size = 512;
    disk.rotational = false;
    disk.transport = "nvme";
    disk.holds = std::vector<facts::Hold>{};
    return disk;
}

facts::Inventory joiner_machine() {
    facts::Inventory machine;
    machine.hostname = "beta.example.org";
    machine.cpu.virtualization = "svm";
    machine.install_record = facts::InstallRecord{"1.0.0", "compute-tail", {"/dev/sda"}, "enp9s0"};
    machine.founder_interface = "enp1s0";
    machine.disks = {system_disk(), blank_disk("/dev/nvme0n1", kBlankKey), old_disk(),
                     blank_disk("/dev/sdb", kScsiKey)};
    machine.nics = {nic("enp1s0"), nic("enp2s0"), nic("enp3s0"), nic("enp4s0")};
    machine.nics[0].addresses = {{"10.77.0.50/24", "dhcp"}, {"fe80::1/64", "link-local"}};
    machine.nics[0].gateway = "10.77.0.254";
    machine.nics[0].dns = {"10.77.0.253"};
    machine.nics[3].state = facts::LinkState::kDown;
    return machine;
}

Trial::Trial() {
    join.join_id = "nj-8w2k4m1p";
    join.node_id = "n-7f3k2p";
    join.remote_address = "10.77.0.50";
    join.pairing_code = "4F7-K2Q";
    join.inventory = joiner_machine();
    request.assignment.links.emplace();
    request.assignment.disks.emplace();
    add_link("storage", "enp2s0").purposes = {"storage"};
    add_link("overlay", "enp3s0").purposes = {"overlay"};
    add_disk(kBlankKey).pool = "fast";
}

Link& Trial::add_link(std::string name, std::string interface) {
    Link link;
    link.name = std::move(name);
    link.interface = std::move(interface);
    request.assignment.links->push_back(std::move(link));
    return request.assignment.links->back();
}

DiskChoice& Trial::add_disk(std::string key) {
    DiskChoice disk;
    disk.key = std::move(key);
    request.assignment.disks->push_back(std::move(disk));
    return request.assignment.disks->back();
}

facts::Nic& Trial::machine_nic(std::string_view name) {
    for (facts::Nic& found : join.inventory.nics)
        if (found.name == name) return found;
    FAIL("the fixture has no such NIC");
    return join.inventory.nics.front();
}

facts::Disk& Trial::machine_disk(std::string_view path) {
    for (facts::Disk& found : join.inventory.disks)
        if (found.path == path) return found;
    FAIL("the fixture has no such disk");
    return join.inventory.disks.front();
}

void Trial::use_bond() {
    request.assignment.links->pop_back();
    Link& bond = add_link("bond", "bond0");
    bond.kind = "bond";
    bond.bond = Bond{"active-backup", {}, {}, {}};
    bond.purposes = {"overlay"};
    add_link("member-a", "enp3s0").controller = "bond0";
    add_link("member-b", "enp4s0").controller = "bond0";
}

Link& Trial::use_vlan() {
    request.assignment.links->pop_back();
    Link& vlan = add_link("overlay", "vlan90");
    vlan.kind = "vlan";
    vlan.parent = "enp3s0";
    vlan.vlan_id = 90;
    vlan.purposes = {"overlay"};
    return vlan;
}

tl::expected<ApprovalPlan, Refusal> Trial::plan() const {
    return plan_approval(cluster, join, request);
}

std::vector<std::string> Trial::problems() const {
    const auto planned = plan();
    return planned ? std::vector<std::string>{} : planned.error().problems.lines();
}

std::string Trial::at(std::string_view field) const {
    const auto planned = plan();
    if (planned) return {};
    std::string text;
    for (const Finding& finding : planned.error().problems.all())
        if (finding.field == field) text += (text.empty() ? "" : "\n") + finding.message;
    return text;
}

ApprovalRequest request_of(std::string_view json) {
    Findings findings;
    ApprovalRequest request = parse_approval(json, findings);
    STRCMP_EQUAL("", lines_of(findings).c_str());
    return request;
}

std::string decode_problems(std::string_view json) {
    Findings findings;
    parse_approval(json, findings);
    return lines_of(findings);
}

std::string read_repo_file(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace stratum::config::test
