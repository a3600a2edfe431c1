#include "ctl/paths.hpp"

#include <algorithm>

#include "common/base/text.hpp"
#include "common/link/http_values.hpp"

namespace stratum::ctl {
namespace {

constexpr std::size_t kCodeIdDigits = 8;
constexpr std::size_t kLongestId = 64;

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

bool is_id_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
}

bool is_id(std::string_view text, const IdKind& kind) {
    const std::string_view prefix = kind.prefix;
    if (prefix.empty())
        return text.size() == kCodeIdDigits && std::all_of(text.begin(), text.end(), is_hex);
    return text.starts_with(prefix) && text.size() > prefix.size() && text.size() <= kLongestId &&
           std::all_of(text.begin(), text.end(), is_id_character);
}

std::string look_of(const IdKind& kind) {
    const std::string prefix = kind.prefix;
    return prefix.empty() ? "such an id is eight hex digits, as 6e66640c"
                          : "such an id begins with " + prefix;
}

} // namespace

Result<std::string> path_of(const Arguments& arguments, const IdKind& kind, std::string_view base,
                            std::string_view rest) {
    const std::string typed = arguments.value(kind.argument);
    if (!is_id(typed, kind))
        return fail(ErrorCode::kInvalid, "“" + to_valid_utf8(typed) + "” is no " + kind.argument +
                                             ": " + look_of(kind) + "; `" + kind.list +
                                             "` shows them");
    return std::string(base) + "/" + link::encode_segment(typed) + std::string(rest);
}

std::string with_parameter(const std::string& path, std::string_view name, std::string_view value) {
    const char mark = path.find('?') == std::string::npos ? '?' : '&';
    return path + mark + link::encode_segment(name) + "=" + link::encode_segment(value);
}

} // namespace stratum::ctl
