#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

#include "common/base/document.hpp"
#include "common/base/text.hpp"
#include "common/facts/inventory.hpp"
#include "hwdiscovery/array_health.hpp"
#include "hwdiscovery/captured.hpp"
#include "hwdiscovery/content_json.hpp"
#include "hwdiscovery/disk_reader.hpp"
#include "hwdiscovery/edge/blkid_probe.hpp"
#include "hwdiscovery/firmware.hpp"
#include "hwdiscovery/first_look.hpp"
#include "hwdiscovery/install_record.hpp"
#include "hwdiscovery/lvm_metadata.hpp"
#include "hwdiscovery/machine.hpp"
#include "hwdiscovery/membership.hpp"
#include "hwdiscovery/mounts.hpp"
#include "hwdiscovery/nic_settings.hpp"
#include "hwdiscovery/own_signatures.hpp"
#include "hwdiscovery/read_blocks.hpp"
#include "hwdiscovery/seen.hpp"
#include "hwdiscovery/vpd.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/hwdiscovery/disk_images.hpp"
#include "tests/hwdiscovery/lvm_bytes.hpp"
#include "tests/hwdiscovery/memory_tree.hpp"

namespace {

using namespace stratum;
namespace fs = std::filesystem;

constexpr std::string_view kFileMark = "\n@"; // then its path, a line's end, its content
constexpr std::string_view kLinkMark = "\n>"; // then its path, a line's end, its target

std::string file_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// A captured machine as one text.
std::string machine_text(const std::string& folder) {
    std::string text;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string path = entry.path().string().substr(folder.size());
        if (entry.is_symlink())
            text.append(kLinkMark).append(path).append("\n").append(
                fs::read_symlink(entry.path()).string());
        else if (entry.is_regular_file())
            text.append(kFileMark).append(path).append("\n").append(file_text(entry.path()));
    }
    return text;
}

hw::MemoryTree tree_of(const std::string& text) {
    hw::MemoryTree tree;
    for (std::size_t at = 0; at + 2 <= text.size();) {
        std::size_t end = at + 2;
        while (end < text.size() && text.compare(end, 2, kFileMark) != 0 &&
               text.compare(end, 2, kLinkMark) != 0)
            ++end;
        const std::string part = text.substr(at + 2, end - at - 2);
        const auto line = part.find('\n');
        const bool is_part = text[at] == '\n' && line != std::string::npos && part[0] == '/';
        if (is_part && text[at + 1] == '@')
            tree.files[part.substr(0, line)] = part.substr(line + 1);
        // (A link that leads in circles would keep the tree in memory busy, not discovery.)
        if (is_part && text[at + 1] == '>' && part.find("..", line) != std::string::npos)
            tree.links[part.substr(0, line)] = part.substr(line + 1);
        at = end;
    }
    return tree;
}

// Whatever the files say: an inventory comes out, and the API takes it as it is.
bool whole_machine(const std::string& text) {
    const auto tree = tree_of(text);
    hw::DiscoverOptions options;
    options.root = "captured";
    options.founder_address = *IpAddress::parse("10.0.2.2");
    const auto inventory = hw::discover(tree, options, nullptr);
    const Node node = to_node(inventory);
    Findings findings;
    const auto again = facts::read_inventory(node, {}, findings);
    return findings.empty() && to_node(again) == node && is_utf8(write_json(node));
}

bool udev_data(const std::string& text) {
    const auto record = hw::parse_udev_data(text);
    (void)record.property("ID_MODEL");
    return true;
}

bool mount_lists(const std::string& text) {
    (void)hw::parse_mountinfo(text);
    (void)hw::parse_swaps(text);
    return hw::unescaped(text).size() <= text.size();
}

bool scsi_pages(const std::string& text) {
    const auto designators = hw::vpd83_designators(text);
    (void)hw::world_wide(designators);
    (void)hw::vpd83_ata(designators);
    (void)hw::vpd80_serial(text);
    (void)hw::vpd89_ata(text);
    return true;
}

hw::ReadAt reader_of(const std::string& bytes) {
    return [&bytes](std::uint64_t at, std::size_t size) -> std::optional<std::string> {
        if (at > bytes.size() || size > bytes.size() - at) return std::nullopt;
        return bytes.substr(at, size);
    };
}

bool lvm_metadata(const std::string& bytes) {
    (void)hw::read_lvm_group(reader_of(bytes));
    (void)hw::parse_lvm_text(bytes);
    (void)hw::lvm_uuid(bytes);
    const auto name = hw::parse_lvm_name(bytes);
    return name.group.size() + name.volume.size() <= bytes.size();
}

bool members(const std::string& bytes) {
    const auto read = reader_of(bytes);
    for (const char* type : {"LVM2_member", "ceph_bluestore", "bcache", "isw_raid_member",
                             "windows_ldm", "linux_raid_member", "zfs_member"}) {
        hw::SignatureRecord signature;
        signature.type = type;
        signature.offset_bytes = 0;
        hw::add_membership(read, signature);
    }
    (void)hw::read_zfs_label(read, bytes.size());
    (void)hw::own_signatures(read, bytes.size());
    (void)hw::readers_not_needed(bytes, read, bytes.size(), true);
    return true;
}

bool machine_files(const std::string& text) {
    (void)hw::parse_cpuinfo(text);
    (void)hw::parse_memory_bytes(text);
    (void)hw::parse_efi_text(text);
    (void)hw::parse_efi_flag(text);
    (void)hw::parse_install_record(text);
    (void)hw::percent_done(text);
    (void)hw::parse_dm_raid(text);
    (void)hw::parse_failed_paths(text);
    return true;
}

bool ip_routes(const std::string& text) {
    const auto parsed = parse_json(text);
    if (!parsed.root) return true;
    const auto routes = hw::parse_ip_routes(*parsed.root);
    // What is written down of a machine reads as that machine.
    const auto again = hw::parse_ip_routes(hw::ip_routes_node(routes));
    return again == hw::parse_ip_routes(hw::ip_routes_node(again));
}

bool contents(const std::string& text) {
    const auto parsed = parse_json(text);
    if (!parsed.root) return true;
    const Node written = hw::to_node(hw::read_contents(*parsed.root));
    return hw::to_node(hw::read_contents(written)) == written;
}

bool leases(const std::string& text) {
    hw::MemoryTree tree;
    for (const char* path : {"/run/systemd/netif/leases/2", "/run/systemd/netif/links/2",
                             "/run/net-eth0.conf", "/etc/resolv.conf"})
        tree.files[path] = text;
    hw::NicSysfs nic;
    nic.name = "eth0";
    nic.index = 2;
    (void)hw::read_nic_settings(tree, {nic});
    (void)hw::parse_resolv_conf(text);
    return true;
}

// A disk of a few hundred KiB, as the probing child reads it.
bool probe(const std::string& bytes) {
    static const std::string path =
        (fs::temp_directory_path() / ("stratum-fuzz-" + std::to_string(::getpid()))).string();
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    const auto content = hw::probe_device({"image", path, "", "", true});
    fs::remove(path);
    return hw::to_node(hw::read_content(hw::to_node(content))) == hw::to_node(content);
}

std::string small_disk(bool has_table) {
    hw::DiskImage image(512u << 10);
    if (has_table) image.put_gpt({{hw::linux_type(), 64, 511, "data"}});
    image.put_ext4(has_table ? 64 * 512 : 0, "label");
    image.put_md(has_table ? 64 * 512 : 0, has_table ? 448 * 512 : 512u << 10, true, "box:md");
    if (!has_table) image.put(8192, hw::lvm_volume(hw::lvm_text("vg0", "id")).substr(0, 16384));
    return image.bytes();
}

std::string zfs_label() {
    std::string bytes(1u << 20, '\0');
    bytes.replace(hw::kZfsPairsAt, 4, std::string("\1\1\0\0", 4));
    bytes.replace(hw::kZfsSealAt, 8, "\x11\x7a\x0c\xb1\x7a\xda\x10\x02");
    return bytes;
}

const char* const kMounts = "36 35 8:1 / /mnt\\040x rw,noatime master:1 - ext4 /dev/sda1 rw\n"
                            "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n";
const char* const kUdev = "S:disk/by-id/wwn-0x5000c500a1b2c3d4\nE:ID_MODEL=DISK\nE:ID_WWN=0x5\n"
                          "E:ID_FS_TYPE=ext4\nI:1234\n";
const char* const kCpu = "processor\t: 0\nmodel name\t: CPU\nphysical id\t: 0\ncore id\t: 0\n"
                         "flags\t: fpu vmx\n\nMemTotal: 1024 kB\n";
const char* const kRoutes =
    R"([{"dst":"default","gateway":"10.0.0.1","dev":"eth0","metric":100},{"dst":"10.1.0.0/16",
"gateway":"10.0.0.1","dev":"eth0"},{"dst":"10.2.0.9","dev":"eth1"},{"dst":"fd00::/8","dev":"eth1"}])";
const char* const kContents =
    R"({"sda":{"complete":true,"exclusive":"free","openCount":1,"target":"linear","signatures":[
{"usage":"raid","type":"LVM2_member","uuid":"u","offset":536,"group":"vg0","groupUuid":"g"}],"tables":
[{"type":"gpt","uuid":"u","offset":512,"backupOnly":true}],"partitions":[{"number":1,"start":1048576,
"size":4096,"type":"0x83","container":true,"signatures":[{"type":"ext4"}]}]}})";
const char* const kLease = "ADDRESS=10.0.0.5\nDNS=10.0.0.1 fe80::1%eth0\nPROTO='dhcp'\n"
                           "IPV4ADDR='10.0.0.5'\nnameserver 10.0.0.2\n";

std::vector<std::string> machines() {
    std::vector<std::string> texts;
    for (const char* name : {"usb-stick", "md-degraded", "multipath", "bond-vlan-bridge", "emmc",
                             "nvme-multipath", "intel-raid"}) {
        const std::string folder = std::string("tests/machines/") + name;
        if (fs::exists(folder)) texts.push_back(machine_text(folder));
    }
    return texts;
}

std::string from_hex_text(const char* hex) {
    const auto bytes = from_hex(hex).value_or(std::vector<std::uint8_t>{});
    return {bytes.begin(), bytes.end()};
}

} // namespace

std::vector<Target> hardware_targets() {
    return {
        {"hw-machine", machines(), whole_machine},
        {"hw-udev", {kUdev}, udev_data},
        {"hw-mounts", {kMounts}, mount_lists},
        {"hw-vpd",
         {from_hex_text("00830024010300085000c500a1b2c3d40103000450000000020100084154412020202020"),
          from_hex_text("0080000830303030414243440089023400000000")},
         scsi_pages},
        {"hw-lvm", {hw::lvm_volume(hw::lvm_text("vg0", "id")), "vg-my--lv-x"}, lvm_metadata},
        {"hw-members", {zfs_label(), small_disk(false)}, members},
        {"hw-machine-files",
         {kCpu, R"({"version":1,"osDiskLayout":"whole-disk","disks":["wwn"]})",
          "0 2048 raid raid1 2 AA 2048/2048 idle 0 0 -", "idle 1024 / 2048"},
         machine_files},
        {"hw-ip-routes", {kRoutes}, ip_routes},
        {"hw-contents", {kContents}, contents},
        {"hw-leases", {kLease}, leases},
        {"hw-probe", {small_disk(true), small_disk(false)}, probe},
    };
}
