#include "common/link/message_fields.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/link/pairing.hpp"

namespace stratum::link::fields {
namespace {

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// One part of a step's name: it becomes a word in tables and in a failedStep.
bool is_step_part(std::string_view part) {
    const auto allowed = [](char c) {
        return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
    };
    return !part.empty() && std::all_of(part.begin(), part.end(), allowed);
}

} // namespace

Result<Sha256> hash_of(std::string_view hex) {
    return parse_nonce(hex);
}

Result<std::int64_t> time_of(std::string_view text) {
    if (const auto time = parse_time(text)) return *time;
    return fail(ErrorCode::kInvalid, "needs a time such as 2026-11-30T12:00:00Z");
}

Result<std::string> join_id_of(std::string_view text) {
    const bool good = text.size() == 11 && text.substr(0, 3) == "nj-" &&
                      std::all_of(text.begin() + 3, text.end(), is_lower_or_digit);
    if (good) return std::string(text);
    return fail(ErrorCode::kInvalid, "needs a join's id: nj- and 8 of a to z, 0 to 9");
}

Result<std::string> code_id_of(std::string_view text) {
    if (text.size() == 8 && from_hex(text)) return lower(text);
    return fail(ErrorCode::kInvalid, "needs 8 hex digits");
}

Result<std::string> step_name_of(std::string_view text) {
    static constexpr std::size_t kMaxName = 128;
    const std::vector<std::string> parts = split(text, '/');
    if (text.size() <= kMaxName && std::all_of(parts.begin(), parts.end(), is_step_part)) {
        return std::string(text);
    }
    return fail(ErrorCode::kInvalid,
                "needs a step's name: up to 128 letters, digits, - _ . in parts joined by /");
}

std::string required_text(ObjectReader& reader, std::string_view name, std::size_t max_bytes) {
    if (!reader.has(name)) return reader.required_string(name);
    const Node* member = reader.member(name);
    if (member->is_string() && member->as_string().empty()) reader.add(name, "is empty");
    return reader.optional_text(name, max_bytes);
}

} // namespace stratum::link::fields
