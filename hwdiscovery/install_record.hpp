// What stage 1 wrote down when it installed this machine:
//
//   {"version": 1, "release": "25.03", "osDiskLayout": "compute-tail" | "whole-disk",
//    "disks": ["0x5000c500a1b2c301", …], "oobInterface": "eno1"}
//
// `disks` are keys of the disks that it put the system on. It stands at
// /etc/stratum/install-record.json, and beside the state at /var/lib/stratum/install-record.json.
#pragma once

#include <optional>
#include <string_view>

#include "common/facts/inventory.hpp"
#include "hwdiscovery/tree.hpp"

namespace stratum::hw {

// The first of the two places that has one; absent: neither, or it makes no sense.
std::optional<facts::InstallRecord> read_install_record(const Tree& tree);

std::optional<facts::InstallRecord> parse_install_record(std::string_view json);

} // namespace stratum::hw
