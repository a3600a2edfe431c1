// The machine around the disks and NICs: who made it, its CPU, its memory, its name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// Placeholders that nobody filled in come out empty. Firmware, Secure Boot and TPM as the kernel
// shows them; what it does not show is not known.
facts::Machine read_machine(const Tree& tree);

// /proc/cpuinfo, and the topology in sysfs where that has no sockets and cores.
facts::Cpu read_cpu(const Tree& tree);
facts::Cpu parse_cpuinfo(std::string_view text);
std::optional<std::uint64_t> parse_memory_bytes(std::string_view meminfo);
std::string read_hostname(const Tree& tree);

} // namespace stratum::hw
