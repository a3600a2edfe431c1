// Times and sizes as people and the API read them.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "common/base/text.hpp"

namespace stratum {
namespace {

namespace chrono = std::chrono;

constexpr std::int64_t kDaySeconds = 86'400;
constexpr std::int64_t kFirstSecond = -62'167'219'200; // 0000-01-01T00:00:00Z
constexpr std::int64_t kLastSecond = 253'402'300'799;  // 9999-12-31T23:59:59Z

// The digits at `at`; they must all be digits.
std::optional<int> number_at(std::string_view text, std::size_t at, std::size_t length) {
    int value = 0;
    for (const char c : text.substr(at, length)) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

std::string with_decimals(double value, int decimals, std::string_view unit) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return std::string(buffer.data()) + ' ' + std::string(unit);
}

} // namespace

std::string format_time(std::int64_t unix_seconds) {
    const std::int64_t seconds = std::min(std::max(unix_seconds, kFirstSecond), kLastSecond);
    const chrono::sys_seconds time{chrono::seconds(seconds)};
    const auto day = chrono::floor<chrono::days>(time);
    const chrono::year_month_day date{day};
    const auto of_day = static_cast<int>((time - day).count());
    std::array<char, 40> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), of_day / 3600, of_day / 60 % 60, of_day % 60);
    return buffer.data();
}

std::optional<std::int64_t> parse_time(std::string_view text) {
    static constexpr std::string_view kShape = "0000-00-00T00:00:00Z";
    if (text.size() != kShape.size()) return std::nullopt;
    for (std::size_t i = 0; i < kShape.size(); ++i) {
        if (kShape[i] != '0' && text[i] != kShape[i]) return std::nullopt;
    }
    const auto year = number_at(text, 0, 4);
    const auto month = number_at(text, 5, 2);
    const auto day = number_at(text, 8, 2);
    const auto hour = number_at(text, 11, 2);
    const auto minute = number_at(text, 14, 2);
    const auto second = number_at(text, 17, 2);
    if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
    const chrono::year_month_day date{chrono::year(*year),
                                      chrono::month(static_cast<unsigned>(*month)),
                                      chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
    const std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
    return days * kDaySeconds + *hour * 3600 + *minute * 60 + *second;
}

std::string human_bytes_decimal(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 7> kUnits = {"B",  "kB", "MB", "GB",
                                                               "TB", "PB", "EB"};
    if (bytes < 1000) return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    // 999.5 and more would be printed as 1000.
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    return with_decimals(value, value < 9.995 ? 2 : (value < 99.95 ? 1 : 0), kUnits.at(unit));
}

std::string human_bytes_binary(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 7> kUnits = {"B",   "KiB", "MiB", "GiB",
                                                               "TiB", "PiB", "EiB"};
    if (bytes < 1024) return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return with_decimals(value, 1, kUnits.at(unit));
}

} // namespace stratum
