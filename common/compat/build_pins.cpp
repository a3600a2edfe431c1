#include "common/compat/build_pins.hpp"

#include "common/base/files.hpp"
#include "common/base/finding_places.hpp"
#include "embedded/pins_yaml.hpp" // made by the build from image/pins.yaml

namespace stratum::compat {
std::string_view build_pins_text() {
    return embedded::kPinsYaml;
}

Result<Pins> load_pins(const std::string& site_path) {
    std::string site;
    if (!site_path.empty()) {
        auto text = system_files().read(site_path, 256 * 1024);
        if (!text) return fail_in("reading the site's pins", text.error());
        site = std::move(*text);
        if (site.empty())
            return fail(ErrorCode::kInvalid, site_path + ": the file is empty; write its pins "
                                                         "into it, or take it away");
    }
    Findings findings;
    if (auto pins = read_pins(embedded::kPinsYaml, site, findings)) return std::move(*pins);
    std::string lines;
    for (const auto& finding : findings.all())
        lines += (lines.empty() ? "" : "\n") +
                 finding_line(site_path.empty() ? "image/pins.yaml" : site_path, finding);
    return fail(ErrorCode::kInvalid, lines);
}

} // namespace stratum::compat
