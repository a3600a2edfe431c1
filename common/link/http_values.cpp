#include "common/link/http_values.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum::link {
namespace {

// RFC 9110's token.
bool is_token(std::string_view text) {
    const auto allowed = [](char c) {
        static constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kOthers.find(c) != std::string_view::npos;
    };
    return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Nothing where a percent sign is not followed by two hex digits.
std::optional<std::string> percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            out += text[at];
            continue;
        }
        const auto byte = from_hex(text.substr(at + 1, 2));
        if (!byte || byte->size() != 1) return std::nullopt;
        out += static_cast<char>(byte->front());
        at += 2;
    }
    return out;
}

tl::unexpected<Error> bad_path(std::string_view why) {
    return fail(ErrorCode::kInvalid, "the path of the request " + std::string(why));
}

bool is_digits(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_of(std::string_view text, std::string_view others) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               others.find(c) != std::string_view::npos;
    });
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
    static constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || kept.find(c) != std::string_view::npos;
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += kDigits[byte >> 4];
            out += kDigits[byte & 15];
        }
    }
    return out;
}

// 3: this very type, 2: its family, 1: anything, 0: the range does not hold the type.
int how_specific(std::string_view range, std::string_view type) {
    if (range == type) return 3;
    if (range == "*/*") return 1;
    const std::string_view family = type.substr(0, type.find('/') + 1);
    return range == std::string(family) + "*" ? 2 : 0;
}

// A weight of nothing (q=0, q=0.000) says "not this".
bool is_excluded(const std::vector<std::string>& parts) {
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string part = lower(trim(parts[i]));
        if (part.substr(0, 2) != "q=") continue;
        return part.find_first_not_of("0.", 2) == std::string::npos;
    }
    return false;
}

} // namespace

std::optional<std::string> find_header(const Headers& headers, std::string_view name) {
    for (const auto& [key, value] : headers) {
        if (key.size() == name.size() && starts_with_nocase(key, name)) return value;
    }
    return std::nullopt;
}

bool is_header(std::string_view name, std::string_view value) {
    return is_token(name) && std::none_of(value.begin(), value.end(),
                                          [](char c) { return is_control(c) && c != '\t'; });
}

Result<std::string> decode_path(std::string_view raw) {
    if (raw.empty() || raw.front() != '/') return bad_path("does not begin with /");
    std::string decoded_path;
    for (const std::string& raw_segment : split(raw.substr(1), '/')) {
        const auto segment = percent_decoded(raw_segment);
        if (!segment) return bad_path("has a % that two hex digits do not follow");
        if (segment->find('/') != std::string::npos) return bad_path("has an encoded /");
        if (*segment == "." || *segment == "..") return bad_path("has . or .. as a part");
        if (std::any_of(segment->begin(), segment->end(), is_control)) {
            return bad_path("has a control character");
        }
        decoded_path += '/' + *segment;
    }
    if (!is_utf8(decoded_path)) return bad_path("is not UTF-8");
    return decoded_path;
}

bool is_host(std::string_view text) {
    const bool is_bracketed = !text.empty() && text.front() == '[';
    const std::size_t bracket = is_bracketed ? text.find(']') : 0;
    if (bracket == std::string_view::npos) return false;
    const std::size_t colon = text.find(':', bracket);
    const std::string_view host = text.substr(0, colon);
    if (is_bracketed ? !IpAddress::parse(host.substr(1, host.size() - 2)) || host.back() != ']'
                     : !is_of(host, "-._~%!$&'()*+,;="))
        return false;
    if (colon == std::string_view::npos) return true;
    const std::string_view port = text.substr(colon + 1);
    return port.size() <= 5 && is_digits(port) && parse_decimal(port).value_or(0) <= 65'535;
}

bool lists_word(const Headers& headers, std::string_view name, std::string_view word) {
    return std::any_of(headers.begin(), headers.end(), [&](const auto& header) {
        if (lower(header.first) != lower(name)) return false;
        const auto listed = split(header.second, ',');
        return std::any_of(listed.begin(), listed.end(),
                           [&](const std::string& one) { return lower(trim(one)) == word; });
    });
}

Result<std::string> target_path(std::string_view method, std::string_view target) {
    const auto is_bad = [](char c) { return c <= 0x20 || c >= 0x7f || c == '#'; };
    if (std::any_of(target.begin(), target.end(), is_bad))
        return bad_path("has a character that cannot stand in a request's target");
    if (target == "*" && method == "OPTIONS") return std::string("*");
    constexpr std::string_view kScheme = "https://";
    if (!starts_with_nocase(target, kScheme)) return decode_path(target);
    const std::string_view rest = target.substr(kScheme.size());
    const std::size_t slash = rest.find('/');
    if (!is_host(rest.substr(0, slash)))
        return bad_path("stands behind an address that names no host");
    return decode_path(slash == std::string_view::npos ? "/" : rest.substr(slash));
}

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
    for (std::string pair : split(query, '&')) {
        std::replace(pair.begin(), pair.end(), '+', ' ');
        const std::size_t equals = std::min(pair.find('='), pair.size());
        if (percent_decoded(std::string_view(pair).substr(0, equals)) != name) continue;
        const std::size_t begin = std::min(equals + 1, pair.size());
        auto value = percent_decoded(std::string_view(pair).substr(begin));
        if (!value || !is_utf8(*value)) return std::nullopt;
        return value;
    }
    return std::nullopt;
}

std::string encode_segment(std::string_view text) {
    return percent_encoded(text, "-._~");
}

std::string encode_path(std::string_view path) {
    return percent_encoded(path, "-._~/");
}

bool accepts(std::string_view accept, std::string_view type) {
    if (type.empty() || trim(accept).empty()) return true;
    int best = 0;
    bool allowed = false;
    for (const std::string& one : split(accept, ',')) {
        const auto parts = split(one, ';');
        const int fit = how_specific(lower(trim(parts.front())), type);
        if (fit <= best) continue;
        best = fit;
        allowed = !is_excluded(parts);
    }
    return allowed;
}

bool lists_etag(std::string_view if_none_match, std::string_view etag) {
    for (const std::string& part : split(if_none_match, ',')) {
        std::string_view one = trim(part);
        if (one.starts_with("W/")) one.remove_prefix(2);
        if (one == "*" || one == etag) return true;
    }
    return false;
}

std::string http_date(std::int64_t unix_seconds) {
    static constexpr std::array<const char*, 7> kDays{"Thu", "Fri", "Sat", "Sun",
                                                      "Mon", "Tue", "Wed"};
    static constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    // 2026-11-30T12:00:00Z, taken apart: 1970 began on a Thursday.
    const std::int64_t seconds = std::max<std::int64_t>(unix_seconds, 0);
    const std::string time = format_time(seconds);
    const auto month = parse_decimal(time[5] == '0' ? time.substr(6, 1) : time.substr(5, 2));
    std::string out = kDays[static_cast<std::size_t>(seconds / 86400 % 7)];
    out += ", " + time.substr(8, 2) + " ";
    out += kMonths[month.value_or(1) - 1];
    return out + " " + time.substr(0, 4) + " " + time.substr(11, 8) + " GMT";
}

std::string_view reason_phrase(int status) {
    struct Row {
        int status;
        std::string_view words;
    };
    static constexpr Row kRows[] = {
        {200, "OK"},
        {201, "Created"},
        {202, "Accepted"},
        {204, "No Content"},
        {206, "Partial Content"},
        {301, "Moved Permanently"},
        {302, "Found"},
        {303, "See Other"},
        {304, "Not Modified"},
        {307, "Temporary Redirect"},
        {308, "Permanent Redirect"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {406, "Not Acceptable"},
        {409, "Conflict"},
        {412, "Precondition Failed"},
        {413, "Content Too Large"},
        {415, "Unsupported Media Type"},
        {416, "Range Not Satisfiable"},
        {429, "Too Many Requests"},
        {500, "Internal Server Error"},
        {503, "Service Unavailable"},
    };
    for (const Row& row : kRows) {
        if (row.status == status) return row.words;
    }
    return "Status";
}

} // namespace stratum::link
