// Fields that several messages have, read and checked in one place. Private to this room's readers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/hash.hpp"
#include "common/base/reader.hpp"

namespace stratum::link::fields {

// Parsers for ObjectReader::optional_parsed.
Result<Sha256> hash_of(std::string_view hex);            // 64 hex digits
Result<std::int64_t> time_of(std::string_view text);     // RFC 3339 in UTC, whole seconds
Result<std::string> join_id_of(std::string_view text);   // nj-[a-z0-9]{8}
Result<std::string> code_id_of(std::string_view text);   // 8 hex digits, made lower case
Result<std::string> step_name_of(std::string_view text); // storage, join/patroni; 1 to 128

// As optional_parsed, and a finding where the member is missing.
template<class T>
std::optional<T> required(ObjectReader& reader, std::string_view name,
                          Result<T> (*parse)(std::string_view)) {
    if (reader.has(name)) return reader.optional_parsed<T>(name, parse);
    reader.required_string(name);
    return std::nullopt;
}

// As ObjectReader's, and a finding where it is empty.
std::string required_text(ObjectReader& reader, std::string_view name, std::size_t max_bytes);

} // namespace stratum::link::fields
