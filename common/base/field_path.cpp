#include "common/base/field_path.hpp"

#include "common/base/text.hpp"

namespace stratum {
namespace {

// A path is repeated in each finding below it, so a name of a megabyte must not be.
constexpr std::size_t kMaxNameBytes = 64;

bool needs_quotes(std::string_view name) {
    for (const unsigned char c : name) {
        if (c <= ' ' || c == 0x7f || c == '.' || c == '[' || c == ']' || c == '"') return true;
    }
    return name.empty();
}

std::string shown(std::string_view name) {
    std::string_view kept = name.substr(0, kMaxNameBytes);
    if (kept.size() < name.size()) {
        while (!kept.empty() && (static_cast<unsigned char>(name[kept.size()]) & 0xc0) == 0x80) {
            kept.remove_suffix(1);
        }
    }
    std::string text = to_valid_utf8(kept);
    if (kept.size() < name.size()) text += "…";
    return text;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

} // namespace

FieldPath FieldPath::key(std::string_view name) const {
    std::string text = text_;
    if (!text.empty()) text += '.';
    const std::string part = shown(name);
    text += needs_quotes(name) ? quoted(part) : part;
    return FieldPath(std::move(text));
}

FieldPath FieldPath::index(std::size_t position) const {
    return FieldPath(text_ + '[' + std::to_string(position) + ']');
}

} // namespace stratum
