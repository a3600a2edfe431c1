// What a machine's programs are judged by: the build's pins, with a site's own file over them.
#pragma once

#include <string>

#include "common/base/files.hpp"
#include "common/compat/build_pins.hpp"

namespace stratum::app {

// The file that was named, else pins.yaml in the state folder where it is there. A file that cannot
// be read, or says something wrong, is an error with a line for each finding.
inline Result<compat::Pins> site_pins(const std::string& named, const std::string& state_folder) {
    const std::string own = state_folder + "/pins.yaml";
    if (!named.empty()) return compat::load_pins(named);
    return compat::load_pins(system_files().exists(own) ? own : "");
}

} // namespace stratum::app
