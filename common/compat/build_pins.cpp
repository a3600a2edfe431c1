#include "common/compat/build_pins.hpp"

#include "common/base/files.hpp"
#include "embedded/pins_yaml.hpp" // made by the build from image/pins.yaml

namespace stratum::compat {
namespace {

std::string line_of(const std::string& path, const Finding& finding) {
    std::string line = path;
    if (finding.at)
        line += ":" + std::to_string(finding.at->line) + ":" + std::to_string(finding.at->column);
    return line + ": " + (finding.field.empty() ? "" : finding.field + ": ") + finding.message;
}

} // namespace

std::string_view build_pins_text() {
    return embedded::kPinsYaml;
}

Result<Pins> load_pins(const std::string& site_path) {
    std::string site;
    if (!site_path.empty()) {
        auto text = system_files().read(site_path, 256 * 1024);
        if (!text) return fail_in("reading the site's pins", text.error());
        site = std::move(*text);
    }
    Findings findings;
    if (auto pins = read_pins(embedded::kPinsYaml, site, findings)) return std::move(*pins);
    std::string lines;
    for (const auto& finding : findings.all())
        lines += (lines.empty() ? "" : "\n") +
                 line_of(site_path.empty() ? "image/pins.yaml" : site_path, finding);
    return fail(ErrorCode::kInvalid, lines);
}

} // namespace stratum::compat
