#include "ctl/known_founders.hpp"

#include "common/base/terminal.hpp"
#include "common/base/text.hpp"

namespace stratum::ctl {

std::string known_founders_path() {
    if (std::string path = environment("STRATUM_KNOWN_FOUNDERS"); !path.empty()) return path;
    std::string folder = environment("XDG_CONFIG_HOME");
    if (folder.empty() && !environment("HOME").empty()) folder = environment("HOME") + "/.config";
    return folder.empty() ? std::string() : folder + "/stratum/known_founders";
}

std::optional<link::Fingerprint> find_known(const std::string& text, const HostPort& founder) {
    for (const std::string& line : split(text, '\n')) {
        const auto parts = words(line);
        if (parts.size() != 2 || parts[0] != founder.str()) continue;
        if (const auto key = link::Fingerprint::parse(parts[1])) return *key;
    }
    return std::nullopt;
}

std::string with_known(const std::string& text, const HostPort& founder,
                       const link::Fingerprint& key) {
    std::string kept;
    for (const std::string& line : split(text, '\n')) {
        const auto parts = words(line);
        const bool replaced = !parts.empty() && parts[0] == founder.str();
        if (!line.empty() && !replaced) kept += line + "\n";
    }
    return kept + founder.str() + " " + key.str() + "\n";
}

} // namespace stratum::ctl
