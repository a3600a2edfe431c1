// The founders whose key somebody has confirmed: one line each, "HOST:PORT FINGERPRINT", in a file
// of the operator's own.
#pragma once

#include <optional>
#include <string>

#include "common/base/files.hpp"
#include "common/base/net.hpp"
#include "common/link/fingerprint.hpp"

namespace stratum::ctl {

// $STRATUM_KNOWN_FOUNDERS, else known_founders in $XDG_CONFIG_HOME/stratum or ~/.config/stratum;
// empty where there is no home.
std::string known_founders_path();

// Pure.
std::optional<link::Fingerprint> find_known(const std::string& text, const HostPort& founder);
std::string with_known(const std::string& text, const HostPort& founder,
                       const link::Fingerprint& key);

} // namespace stratum::ctl
