#include "founder/cursor.hpp"

#include "common/base/text.hpp"

namespace stratum::founder {

link::Problem bad_cursor() {
    Findings findings;
    findings.add(FieldPath().key("cursor"), "not a cursor that this list gave");
    return link::invalid_input(findings);
}

std::string make_cursor(std::string_view list, std::string_view id) {
    const std::string inside = std::string(list) + ":" + std::string(id);
    return to_hex(bytes_of(inside));
}

Answer<std::string> read_cursor(std::string_view list, const std::string& cursor) {
    if (cursor.empty()) return std::string();
    const auto bytes = cursor.size() <= 512 ? from_hex(cursor) : std::nullopt;
    if (!bytes) return tl::make_unexpected(bad_cursor());
    const std::string inside(bytes->begin(), bytes->end());
    const std::string prefix = std::string(list) + ":";
    const std::string id = inside.substr(std::min(prefix.size(), inside.size()));
    const auto is_of_an_id = [](char c) { return c > 0x20 && c < 0x7f; };
    const bool holds = inside.starts_with(prefix) && !id.empty() && cursor == lower(cursor) &&
                       std::all_of(id.begin(), id.end(), is_of_an_id);
    if (!holds) return tl::make_unexpected(bad_cursor());
    return id;
}

} // namespace stratum::founder
