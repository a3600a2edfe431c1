#include "hwdiscovery/machine.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "common/base/text.hpp"
#include "common/facts/disk_verdict.hpp"

namespace stratum::hw {
namespace {

// What a board maker ships where each machine should have its own.
constexpr std::string_view kSharedUuid = "03000200-0400-0500-0006-000700080009";

std::string dmi_text(const Tree& tree, const char* name) {
    std::string text = to_valid_utf8(tree.text(std::string("/sys/class/dmi/id/") + name));
    if (lower(text) == kSharedUuid || facts::is_placeholder_identity(text)) return {};
    return text;
}

struct VirtualKind {
    std::string_view vendor, product, kind; // an empty one fits all
};

std::string virtual_kind_of(const Tree& tree, const facts::Machine& machine) {
    static constexpr std::array<VirtualKind, 10> kKinds = {{
        {"VMware", "", "vmware"},
        {"innotek", "", "virtualbox"},
        {"", "VirtualBox", "virtualbox"},
        {"Microsoft", "Virtual Machine", "hyper-v"},
        {"Xen", "", "xen"},
        {"Amazon EC2", "", "amazon"},
        {"Google", "Google Compute Engine", "google"},
        {"", "KVM", "kvm"},
        {"QEMU", "", "qemu"},
        {"Parallels", "", "parallels"},
    }};
    for (const auto& row : kKinds)
        if (machine.vendor.find(row.vendor) != std::string::npos &&
            machine.product.find(row.product) != std::string::npos)
            return std::string(row.kind);
    return tree.text("/sys/hypervisor/type");
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
    machine.uuid = lower(dmi_text(tree, "product_uuid"));
    machine.virtual_kind = virtual_kind_of(tree, machine);
    return machine;
}

facts::Cpu parse_cpuinfo(std::string_view text) {
    facts::Cpu cpu;
    std::set<std::pair<std::string, std::string>> cores;
    std::uint32_t processors = 0;
    std::string package;
    for (const auto& line : split(text, '\n')) {
        const auto [name, value] = cpu_line(line);
        if (name == "processor") ++processors;
        if (name == "model name" && cpu.model.empty()) cpu.model = to_valid_utf8(value);
        if (name == "physical id") package = value;
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
