// /etc/hosts with one block of ours in it: this node and the members, by their management
// addresses. Everything outside the block stays as it is. Pure.
#pragma once

#include <string>

#include "common/config/node_config.hpp"

namespace stratum::installer {

std::string with_members(const std::string& old, const config::NodeConfig& node);

} // namespace stratum::installer
