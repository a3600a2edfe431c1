#include "hwdiscovery/machine.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"
#include "hwdiscovery/firmware.hpp"

namespace stratum::hw {
namespace {

// What makers ship where each machine should have its own: of identifiers, spelt as DMI has them.
constexpr std::array<std::string_view, 5> kSharedUuids = {
    "03000200-0400-0500-0006-000700080009", "00020003-0004-0005-0006-000700080009",
    "12345678-1234-5678-90ab-cddeefaabbcc", "fefefefe-fefe-fefe-fefe-fefefefefefe",
    "12345678-1234-1234-1234-123456789abc"};

// Of names and numbers, beside those that no disk may have either (is_placeholder_identity).
constexpr std::array<std::string_view, 16> kPlaceholders = {"to be filled by o.e.m.",
                                                            "o.e.m.",
                                                            "oem string",
                                                            "system version",
                                                            "system name",
                                                            "product name",
                                                            "all series",
                                                            "type1productconfigid",
                                                            "type1 - productconfigid",
                                                            "undefined",
                                                            "not present",
                                                            "not settable",
                                                            "not set",
                                                            "no enclosure",
                                                            "chassis serial number",
                                                            "x.x"};

std::string dmi_text(const Tree& tree, const char* name) {
    std::string text = to_valid_utf8(tree.text(std::string("/sys/class/dmi/id/") + name));
    const bool is_known =
        std::find(kPlaceholders.begin(), kPlaceholders.end(), lower(text)) != kPlaceholders.end();
    return is_known || facts::is_placeholder_identity(text) ? std::string{} : text;
}

// 8-4-4-4-12 hex digits; "Not Settable" and the like are none.
std::string dmi_uuid(const Tree& tree) {
    const std::string uuid = lower(dmi_text(tree, "product_uuid"));
    const auto is_part = [&](std::size_t at) {
        const bool is_dash = at == 8 || at == 13 || at == 18 || at == 23;
        const bool is_hex =
            std::string_view("0123456789abcdef").find(uuid[at]) != std::string::npos;
        return is_dash ? uuid[at] == '-' : is_hex;
    };
    if (uuid.size() != 36) return {};
    for (std::size_t at = 0; at < uuid.size(); ++at)
        if (!is_part(at)) return {};
    const bool is_shared =
        std::find(kSharedUuids.begin(), kSharedUuids.end(), uuid) != kSharedUuids.end();
    return is_shared ? std::string{} : uuid;
}

struct VirtualKind {
    std::string_view vendor, product, kind; // an empty one fits all
};

// By what the hypervisor says it made; a cloud's whole machines ("c5.metal") are none.
std::string virtual_kind_of(const Tree& tree, const facts::Machine& machine) {
    static constexpr std::array<VirtualKind, 18> kKinds = {{
        {"VMware", "", "vmware"},
        {"innotek", "", "virtualbox"},
        {"", "VirtualBox", "virtualbox"},
        {"Microsoft", "Virtual Machine", "hyper-v"},
        {"Xen", "", "xen"},
        {"Amazon EC2", "", "amazon"},
        {"Google", "Google Compute Engine", "google"},
        {"Alibaba Cloud", "", "alibaba"},
        {"DigitalOcean", "", "digitalocean"},
        {"OpenStack", "", "openstack"},
        {"", "OpenStack", "openstack"},
        {"", "KVM", "kvm"},
        {"", "RHEV", "kvm"},
        {"oVirt", "", "kvm"},
        {"QEMU", "", "qemu"},
        {"Bochs", "", "bochs"},
        {"", "BHYVE", "bhyve"},
        {"Parallels", "", "parallels"},
    }};
    if (machine.product.ends_with(".metal")) return {};
    for (const auto& row : kKinds)
        if (machine.vendor.find(row.vendor) != std::string::npos &&
            machine.product.find(row.product) != std::string::npos)
            return std::string(row.kind);
    // Xen's own first domain is the machine itself.
    if (tree.text("/proc/xen/capabilities").find("control_d") != std::string::npos) return {};
    return tree.text("/sys/hypervisor/type");
}

// Nobody said who: the CPU alone knows that it is not whole.
bool says_hypervisor(std::string_view cpuinfo) {
    for (const auto& line : split(cpuinfo, '\n')) {
        if (!line.starts_with("flags")) continue;
        const auto flags = words(line);
        return std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
    }
    return false;
}

// "model name	: AMD EPYC" as its two sides.
std::pair<std::string, std::string> cpu_line(const std::string& line) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) return {};
    return {std::string(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1)))};
}

} // namespace

facts::Machine read_machine(const Tree& tree) {
    facts::Machine machine;
    machine.vendor = dmi_text(tree, "sys_vendor");
    machine.product = dmi_text(tree, "product_name");
    machine.serial = dmi_text(tree, "product_serial");
    machine.uuid = dmi_uuid(tree);
    machine.virtual_kind = virtual_kind_of(tree, machine);
    const bool is_unnamed = machine.virtual_kind.empty() && machine.vendor.empty();
    if (is_unnamed && says_hypervisor(tree.bytes("/proc/cpuinfo").value_or("")))
        machine.virtual_kind = "other";
    read_firmware(tree, machine);
    return machine;
}

facts::Cpu parse_cpuinfo(std::string_view text) {
    facts::Cpu cpu;
    std::set<std::pair<std::string, std::string>> cores;
    std::set<std::string> sockets;
    std::uint32_t processors = 0;
    std::string package;
    for (const auto& line : split(text, '\n')) {
        const auto [name, value] = cpu_line(line);
        if (name == "processor") ++processors;
        if (name == "model name" && cpu.model.empty()) cpu.model = to_valid_utf8(value);
        if (name == "physical id") sockets.insert(package = value);
        if (name == "core id") cores.insert({package, value});
        if (name != "flags") continue;
        const auto flags = words(value);
        const auto has = [&](const char* flag) {
            return std::find(flags.begin(), flags.end(), flag) != flags.end();
        };
        cpu.virtualization = has("vmx") ? "vmx" : has("svm") ? "svm" : "";
    }
    const auto count = cores.empty() ? processors : static_cast<std::uint32_t>(cores.size());
    if (count > 0) cpu.cores = count;
    if (!sockets.empty()) cpu.sockets = static_cast<std::uint32_t>(sockets.size());
    return cpu;
}

facts::Cpu read_cpu(const Tree& tree) {
    const std::string text = tree.bytes("/proc/cpuinfo").value_or("");
    facts::Cpu cpu = parse_cpuinfo(text);
    // Of the largest machines a tree gives only the beginning.
    constexpr std::size_t kWhole = 1'000'000;
    if (cpu.sockets && text.size() < kWhole) return cpu;
    const std::string folder = "/sys/devices/system/cpu";
    std::set<std::uint64_t> sockets;
    std::set<std::string> cores; // by the threads of each
    for (const auto& name : tree.list(folder)) {
        const bool is_cpu = name.starts_with("cpu") && parse_decimal(name.substr(3)).has_value();
        if (!is_cpu) continue;
        std::string topology = folder;
        topology.append("/").append(name).append("/topology/");
        // −1 where the platform does not say: no number.
        if (const auto id = tree.number(topology + "physical_package_id")) sockets.insert(*id);
        if (auto threads = tree.text(topology + "core_cpus_list"); !threads.empty())
            cores.insert(std::move(threads));
    }
    if (!sockets.empty()) cpu.sockets = static_cast<std::uint32_t>(sockets.size());
    if (!cores.empty()) cpu.cores = static_cast<std::uint32_t>(cores.size());
    return cpu;
}

std::optional<std::uint64_t> parse_memory_bytes(std::string_view meminfo) {
    for (const auto& line : split(meminfo, '\n')) {
        const auto fields = words(line);
        if (fields.size() < 2 || fields[0] != "MemTotal:") continue;
        const auto kib = parse_decimal(fields[1]);
        if (kib && *kib < 1ull << 50) return *kib * 1024;
    }
    return std::nullopt;
}

std::string read_hostname(const Tree& tree) {
    for (const char* path : {"/proc/sys/kernel/hostname", "/etc/hostname"})
        if (const auto name = tree.text(path); !name.empty() && name != "(none)")
            return to_valid_utf8(name);
    return {};
}

} // namespace stratum::hw
