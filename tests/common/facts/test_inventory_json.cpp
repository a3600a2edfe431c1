#include <string>

#include "common/base/document.hpp"
#include "common/facts/disk_verdict.hpp"
#include "common/facts/inventory.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::facts;

namespace {

Disk full_disk() {
    Disk disk;
    disk.name = "nvme0n1";
    disk.path = "/dev/nvme0n1";
    disk.by_id = {"/dev/disk/by-id/nvme-X_S1"};
    disk.wwn = "eui.0025385b01234567";
    disk.model = "X";
    disk.serial = "S1";
    disk.size_bytes = 512;
    disk.logical_block_size = 512;
    disk.rotational = false;
    disk.removable = false;
    disk.read_only = false;
    disk.transport = "nvme";
    disk.mounted = true;
    disk.mounts = {{"/mnt", "/dev/dm-0", 12}, {"/", "/dev/nvme0n1p1", {}}};
    disk.swap = true;
    disk.system = true;
    disk.unusable = "is odd";
    disk.holds = {{"filesystem", "ext4", "l", "u", "/dev/nvme0n1p1", 1080}};
    disk.partitions = {{1, "/dev/nvme0n1p1", 1048576, 4096, "t", "l", "u", disk.holds},
                       {2, "/dev/nvme0n1p2", 2097152, 4096, "", "", "", std::nullopt}};
    disk.free_tail_bytes = 7;
    disk.stack = {{"md127",
                   "/dev/md127",
                   "md",
                   "raid1",
                   "u",
                   {"nvme0n1p2"},
                   true,
                   {"sdb1"},
                   "recover",
                   12,
                   "",
                   "",
                   false}};
    disk.paths = {"sda", "sdc"};
    disk.closure = {"/dev/sdb"};
    disk.warnings = {"the model could not be read"};
    return disk;
}

Nic full_nic() {
    Nic nic;
    nic.name = "bond0";
    nic.alt_names = {"enx0"};
    nic.mac = "52:54:00:aa:00:01";
    nic.permanent_mac = "52:54:00:aa:00:02";
    nic.driver = "virtio_net";
    nic.pci_address = "0000:00:06.0";
    nic.speed_mbps = 25000;
    nic.mtu = 1500;
    nic.max_mtu = 9000;
    nic.state = LinkState::kUp;
    nic.addresses = {{"10.0.0.1/24", "dhcp"}};
    nic.routes = {"10.9.9.9/32"};
    nic.gateway = "10.0.0.254";
    nic.dns = {"10.0.0.253"};
    nic.master = "br0";
    nic.kind = "bond";
    nic.vlan_id = 42;
    nic.parent = "eth0";
    nic.bond = NicBond{"802.3ad", {"eth0", "eth1"}, "layer3+4", "fast", 100};
    nic.bridge_members = {"eth2"};
    nic.firmware_version = "8.40 0x8000b8a7";
    nic.duplex = "full";
    nic.lldp = {{"52:54:00:00:00:01", "swp7", "leaf-1", "rack 4", 12}};
    nic.bmc = true;
    return nic;
}

Inventory full_inventory() {
    Inventory inventory;
    inventory.hostname = "node-1";
    inventory.machine = {"ACME", "Box", "B1", "0000-1111", "kvm", "uefi", true, true, "2.0"};
    inventory.cpu = {"CPU", 8, 2, "svm"};
    inventory.memory_bytes = 1ull << 34;
    inventory.install_record =
        InstallRecord{"25.03", "compute-tail", {"/dev/disk/by-id/x"}, "eth0"};
    inventory.founder_interface = "bond0";
    inventory.disks = {full_disk()};
    inventory.nics = {full_nic()};
    inventory.warnings = {"something odd"};
    return inventory;
}

Inventory read(std::string_view json, Findings& findings) {
    const auto parsed = parse_json(json);
    CHECK(parsed.root.has_value());
    return read_inventory(*parsed.root, {}, findings);
}

} // namespace

TEST_GROUP(InventoryJson){};

TEST(InventoryJson, everything_comes_back_as_it_was) {
    Findings findings;
    const auto back = read(write_json(to_node(full_inventory())), findings);
    CHECK(findings.empty());
    CHECK(back == full_inventory());
}

TEST(InventoryJson, what_is_not_known_is_left_out_and_comes_back_unknown) {
    Inventory sparse;
    sparse.disks = {Disk{}};
    sparse.disks[0].name = "sda";
    sparse.disks[0].path = "/dev/sda";
    const auto node = to_node(sparse);
    CHECK(node.find("disks")->items()[0].find("holds") == nullptr);
    CHECK(node.find("disks")->items()[0].find("wwn") == nullptr);
    Findings findings;
    const auto back = read(write_json(node), findings);
    CHECK(!back.disks[0].holds.has_value());
    CHECK(judge(back.disks[0]).contents == Contents::kUnknown);
}

TEST(InventoryJson, proved_blank_and_no_virtualization_are_facts_that_survive) {
    Inventory inventory = full_inventory();
    inventory.disks[0].holds = std::vector<Hold>{};
    inventory.cpu.virtualization = "";
    Findings findings;
    const auto back = read(write_json(to_node(inventory)), findings);
    CHECK(back.disks[0].holds.has_value());
    CHECK(back.disks[0].holds->empty());
    STRCMP_EQUAL("", back.cpu.virtualization.value_or("absent").c_str());
}

TEST(InventoryJson, the_layout_of_the_install_record_stands_on_top_too) {
    STRCMP_EQUAL("compute-tail",
                 to_node(full_inventory()).find("osDiskLayout")->as_string().c_str());
    Inventory without = full_inventory();
    without.install_record.reset();
    CHECK(to_node(without).find("osDiskLayout") == nullptr);
}

TEST(InventoryJson, the_least_that_the_api_asks_for_is_taken) {
    Findings findings;
    const auto inventory = read(
        R"({"hostname":"n","disks":[{"name":"sda","path":"/dev/sda","sizeBytes":1}],
            "nics":[{"name":"eth0","mac":"52:54:00:aa:00:01"}]})",
        findings);
    CHECK(findings.empty());
    LONGS_EQUAL(1, inventory.disks.size());
    CHECK(inventory.nics[0].state == LinkState::kUnknown);
    STRCMP_EQUAL("physical", inventory.nics[0].kind.c_str());
}

TEST(InventoryJson, what_the_api_requires_is_there_even_when_it_is_empty) {
    Inventory inventory;
    inventory.disks.emplace_back();
    inventory.nics.emplace_back();
    Findings findings;
    const Inventory back = read_inventory(to_node(inventory), {}, findings);
    CHECK(findings.empty());
    CHECK_EQUAL(1u, back.disks.size());
    CHECK_EQUAL(1u, back.nics.size());
}

TEST(InventoryJson, null_means_not_known_and_unknown_members_are_ignored) {
    Findings findings;
    const auto inventory = read(
        R"({"hostname":"n","cpu":null,"tpm":true,"disks":[{"name":"sda","path":"/dev/sda",
            "sizeBytes":1,"holds":null,"wwn":null,"smart":{}}],"nics":[]})",
        findings);
    CHECK(findings.empty());
    CHECK(!inventory.disks[0].holds.has_value());
}

TEST(InventoryJson, every_missing_member_is_a_finding_at_its_path) {
    Findings findings;
    read(R"({"disks":[{"name":"sda"}]})", findings);
    CHECK(findings.has_at(FieldPath().key("hostname")));
    CHECK(findings.has_at(FieldPath().key("nics")));
    CHECK(findings.has_at(FieldPath().key("disks").index(0).key("path")));
    CHECK(findings.has_at(FieldPath().key("disks").index(0).key("sizeBytes")));
}

TEST(InventoryJson, wrong_types_and_ranges_are_findings) {
    Findings findings;
    read(R"({"hostname":"n","disks":[{"name":"sda","path":"/dev/sda","sizeBytes":-1}],
             "nics":[{"name":"e","mac":"m","mtu":"big","vlanId":5000}]})",
         findings);
    CHECK(findings.has_at(FieldPath().key("disks").index(0).key("sizeBytes")));
    CHECK(findings.has_at(FieldPath().key("nics").index(0).key("mtu")));
    CHECK(findings.has_at(FieldPath().key("nics").index(0).key("vlanId")));
}

TEST(InventoryJson, a_name_that_two_devices_have_is_a_finding_at_the_second) {
    Findings findings;
    read(R"({"hostname":"n","disks":[{"name":"sda","path":"/dev/sda","sizeBytes":1},
                                     {"name":"sdb","path":"/dev/sdb","sizeBytes":1},
                                     {"name":"sda","path":"/dev/sda","sizeBytes":1}],
             "nics":[{"name":"e","mac":"m"},{"name":"e","mac":"n"},{"name":"","mac":""},
                     {"name":"","mac":""}]})",
         findings);
    CHECK_EQUAL(2, findings.all().size());
    STRCMP_EQUAL("disks[2]: /dev/sda is there twice, at 0 too", findings.lines()[0].c_str());
    STRCMP_EQUAL("nics[1]: e is there twice, at 0 too", findings.lines()[1].c_str());
}

// Linux says "no limit" with a largest MTU of 0, and "not known" with a speed of -1.
TEST(InventoryJson, measures_of_0_and_minus_1_are_not_known) {
    Findings findings;
    const Inventory inventory =
        read(R"({"hostname":"n","disks":[{"name":"a","path":"b","sizeBytes":1,
                                         "logicalBlockSize":0}],
                "nics":[{"name":"e","mac":"m","maxMtu":0,"speedMbps":4294967295},
                        {"name":"f","mac":"m","maxMtu":1500,"speedMbps":10000}]})",
             findings);
    CHECK(findings.empty());
    CHECK(!inventory.disks[0].logical_block_size);
    CHECK(!inventory.nics[0].max_mtu && !inventory.nics[0].speed_mbps);
    CHECK_EQUAL(1500, inventory.nics[1].max_mtu.value_or(0));
    CHECK_EQUAL(10000, inventory.nics[1].speed_mbps.value_or(0));
}

TEST(InventoryJson, lists_and_texts_past_their_limit_are_findings) {
    Inventory inventory = full_inventory();
    inventory.disks[0].closure.assign(257, "/dev/sdz");
    inventory.nics.assign(513, full_nic());
    Findings findings;
    auto node = to_node(inventory);
    node.set("hostname", std::string(4097, 'x'));
    read_inventory(node, {}, findings);
    CHECK(findings.has_at(FieldPath().key("hostname")));
    CHECK(findings.has_at(FieldPath().key("nics")));
    CHECK(findings.has_at(FieldPath().key("disks").index(0).key("closure")));
}

TEST(InventoryJson, bytes_that_are_not_utf8_do_not_reach_the_wire) {
    Inventory inventory = full_inventory();
    inventory.disks[0].model = "bad\xff\x01model";
    STRCMP_EQUAL("bad\xEF\xBF\xBD\xEF\xBF\xBDmodel",
                 to_node(inventory).find("disks")->items()[0].find("model")->as_string().c_str());
}

TEST(InventoryJson, a_disks_digest_is_the_same_on_both_sides_of_the_wire) {
    Findings findings;
    const auto back = read(write_json(to_node(full_inventory())), findings);
    CHECK(contents_digest(back.disks[0]) == contents_digest(full_disk()));
}

// What a machine says of itself, however long and odd, never costs it its whole inventory.
TEST(InventoryJson, WhatIsWrittenIsNeverTooLongToBeRead) {
    Inventory odd;
    odd.disks.push_back(full_disk());
    odd.disks[0].serial = std::string(4096, '\xff');
    odd.disks[0].unusable = "is at " + std::string(4096, 'p');
    odd.disks[0].mounts[0].path = "/" + std::string(5000, 'm');
    odd.disks[0].warnings = {std::string(3999, 'w') + "\xc3\xa4\xc3\xa4" + std::string(200, 'w')};
    const Node node = to_node(odd);
    Findings findings;
    const Inventory read = read_inventory(node, {}, findings);
    CHECK(findings.empty());
    CHECK(to_node(read) == node);
    CHECK(read.disks[0].mounts[0].path.starts_with("/mmm"));
    CHECK(read.disks[0].mounts[0].path.ends_with("…"));
    STRCMP_EQUAL((std::string(3999, 'w') + "…").c_str(), read.disks[0].warnings[0].c_str());
    odd.disks[0].serial = std::string(4096, 's');
    STRCMP_EQUAL(odd.disks[0].serial.c_str(),
                 read_inventory(to_node(odd), {}, findings).disks[0].serial.c_str());
}
