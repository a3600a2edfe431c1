// Small pure helpers for text. ASCII rules throughout: no locale decides what a letter is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stratum {

std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
std::string upper(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);
// White space apart, nothing empty.
std::vector<std::string> words(std::string_view text);
std::string join(std::span<const std::string> parts, std::string_view separator);
bool starts_with_nocase(std::string_view text, std::string_view prefix);

std::string to_hex(std::span<const std::uint8_t> bytes); // lower case
// Exactly hex digits in pairs (either case), else nothing.
std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text);

// Decimal digits only (no sign, no space, no leading zero but "0" itself) that fit.
std::optional<std::uint64_t> parse_decimal(std::string_view text);

bool is_utf8(std::string_view text);
// How many bytes at the start are whole characters: the offset of the first bad byte, or the size.
std::size_t utf8_length(std::string_view text);
// Every byte that is not UTF-8, and every control character but tab, becomes U+FFFD.
std::string to_valid_utf8(std::string_view bytes);

// Digits by value, the rest by byte: enp2s0 before enp10s0. A total order.
bool natural_less(std::string_view a, std::string_view b);
// The candidate nearest to `word` (at most two edits, or one letter's case away), if one is near.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// An RFC 1123 label: 1 to 63 of a-z 0-9 and hyphen, no hyphen at either end, lower case.
bool is_label(std::string_view text);

// RFC 3339 in UTC with seconds, as the API writes times: 2026-11-30T12:00:00Z.
std::string format_time(std::int64_t unix_seconds);
std::optional<std::int64_t> parse_time(std::string_view text);

// 1.92 TB, 8.0 GiB: decimal for disks, binary for memory.
std::string human_bytes_decimal(std::uint64_t bytes);
std::string human_bytes_binary(std::uint64_t bytes);

} // namespace stratum
