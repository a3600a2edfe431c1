// The pins that stand in this binary (image/pins.yaml), with a site's own file over them.
#pragma once

#include <string>
#include <string_view>

#include "common/base/result.hpp"
#include "common/compat/pins.hpp"

namespace stratum::compat {

std::string_view build_pins_text();

// `site_path` empty: the build's alone. A file that cannot be read, or says something wrong, is an
// error with one line for each finding: "FILE:12:9: components[0].range: …".
Result<Pins> load_pins(const std::string& site_path);

} // namespace stratum::compat
