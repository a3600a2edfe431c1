#include "hwdiscovery/array_health.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"

namespace stratum::hw {
namespace {

constexpr std::uint64_t kMostSectors = 1ull << 56; // so that a hundred times as many still fit

std::optional<int> percent_of(std::string_view done, std::string_view all) {
    const auto part = parse_decimal(done), whole = parse_decimal(all);
    if (!part || !whole || *whole == 0 || *part > *whole || *whole > kMostSectors)
        return std::nullopt;
    return static_cast<int>(*part * 100 / *whole);
}

bool is_device_number(std::string_view word) {
    const auto colon = word.find(':');
    return colon != std::string_view::npos && parse_decimal(word.substr(0, colon)) &&
           parse_decimal(word.substr(colon + 1));
}

} // namespace

bool is_array_work(std::string_view action) {
    static constexpr std::array<std::string_view, 5> kWork = {"resync", "recover", "check",
                                                              "repair", "reshape"};
    return std::find(kWork.begin(), kWork.end(), action) != kWork.end();
}

std::optional<int> percent_done(std::string_view completed) {
    const auto parts = words(completed);
    if (parts.size() != 3 || parts[1] != "/") return std::nullopt;
    return percent_of(parts[0], parts[2]);
}

std::optional<DmRaidHealth> parse_dm_raid(std::string_view status) {
    const auto parts = words(status);
    if (parts.size() < 5) return std::nullopt;
    const std::string& legs = parts[2];
    if (parse_decimal(parts[1]) != std::optional<std::uint64_t>(legs.size())) return std::nullopt;
    DmRaidHealth health;
    health.level = parts[0];
    for (std::size_t leg = 0; leg < legs.size(); ++leg)
        if (legs[leg] == 'D') health.failed.push_back(leg);
    if (!is_array_work(parts[4])) return health;
    health.sync = parts[4];
    const auto slash = parts[3].find('/');
    if (slash != std::string::npos)
        health.sync_percent = percent_of(std::string_view(parts[3]).substr(0, slash),
                                         std::string_view(parts[3]).substr(slash + 1));
    return health;
}

std::vector<std::string> parse_failed_paths(std::string_view status) {
    std::vector<std::string> failed;
    const auto parts = words(status);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        if (is_device_number(parts[i]) && parts[i + 1] == "F") failed.push_back(parts[i]);
    return failed;
}

} // namespace stratum::hw
