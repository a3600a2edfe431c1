#include "hwdiscovery/install_record.hpp"

#include <array>
#include <utility>

#include "common/base/document.hpp"
#include "common/base/reader.hpp"

namespace stratum::hw {
namespace {

constexpr std::array<const char*, 2> kPlaces = {"/etc/stratum/install-record.json",
                                                "/var/lib/stratum/install-record.json"};
constexpr std::array<std::string_view, 2> kLayouts = {"compute-tail", "whole-disk"};

} // namespace

std::optional<facts::InstallRecord> parse_install_record(std::string_view json) {
    const auto parsed = parse_json(json);
    if (!parsed.root) return std::nullopt;
    Findings findings;
    ObjectReader reader(*parsed.root, {}, findings, Unknown::kIgnored);
    facts::InstallRecord record;
    reader.required_int("version", 1, 1);
    record.release = reader.optional_string("release").value_or("");
    record.os_disk_layout = reader.optional_word("osDiskLayout", kLayouts).value_or("");
    record.disks = reader.optional_strings("disks").value_or(std::vector<std::string>{});
    record.oob_interface = reader.optional_string("oobInterface").value_or("");
    reader.finish();
    if (!findings.empty()) return std::nullopt;
    return record;
}

std::optional<facts::InstallRecord> read_install_record(const Tree& tree) {
    for (const char* place : kPlaces)
        if (const auto text = tree.bytes(place))
            if (auto record = parse_install_record(*text)) return record;
    return std::nullopt;
}

} // namespace stratum::hw
