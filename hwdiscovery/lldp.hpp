// What a switch says of itself to whoever listens (IEEE 802.1AB). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/facts/inventory.hpp"

namespace stratum::hw {

// One LLDPDU: what follows the EtherType 0x88cc, padding included. Nothing: it is none (a length
// that leads out of it, a mandatory part that is missing, empty, out of order or twice there), or
// it takes its leave (its time to live is 0). Text is made valid UTF-8; what was sent in no form we
// know stands there in hex.
std::optional<facts::LldpNeighbour> parse_lldp(std::span<const std::uint8_t> bytes);

struct LldpPort {
    int index = 0; // the kernel's
    std::string name;
};

// Where listening makes sense: cards of this machine with a carrier, the BMC's own apart.
std::vector<LldpPort> lldp_ports(const std::vector<facts::Nic>& nics,
                                 const std::vector<std::pair<std::string, int>>& indexes);

} // namespace stratum::hw
