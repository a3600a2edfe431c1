#include <algorithm>

#include "common/base/net.hpp"
#include "common/base/text.hpp"

namespace stratum {
namespace {

bool is_dotted_number(std::string_view host) {
    return std::all_of(host.begin(), host.end(),
                       [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

// Dot-separated labels in either case; what looks like IPv4 must be it.
bool is_name_or_v4(std::string_view host) {
    if (host.empty() || host.size() > 253) return false;
    if (is_dotted_number(host)) return IpAddress::parse(host).has_value();
    if (host.back() == '.') host.remove_suffix(1);
    const std::vector<std::string> labels = split(lower(host), '.');
    return std::all_of(labels.begin(), labels.end(),
                       [](const auto& label) { return is_label(label); });
}

struct Sides {
    std::string_view host;
    std::string_view port;
    bool bracketed = false;
};

std::optional<Sides> take_apart(std::string_view text) {
    if (!text.empty() && text.front() == '[') {
        const std::size_t end = text.find("]:");
        if (end == std::string_view::npos) return std::nullopt;
        return Sides{text.substr(1, end - 1), text.substr(end + 2), true};
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    return Sides{text.substr(0, colon), text.substr(colon + 1), false};
}

bool is_v6(std::string_view host) {
    return host.find(':') != std::string_view::npos && IpAddress::parse(host).has_value();
}

} // namespace

Result<HostPort> HostPort::parse(std::string_view text) {
    const auto sides = take_apart(text);
    const auto port = sides ? parse_decimal(sides->port) : std::nullopt;
    const bool good_host =
        sides && (sides->bracketed ? is_v6(sides->host) : is_name_or_v4(sides->host));
    if (!good_host || !port || *port > 65535) {
        return fail(ErrorCode::kInvalid, "\"" + to_valid_utf8(text.substr(0, 300)) +
                                             "\" is not HOST:PORT; give a name or an address and a "
                                             "port up to 65535, IPv6 in brackets: [fd00::1]:8443");
    }
    return HostPort{std::string(sides->host), static_cast<std::uint16_t>(*port)};
}

std::string HostPort::str() const {
    const bool brackets = host.find(':') != std::string::npos;
    return (brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

} // namespace stratum
