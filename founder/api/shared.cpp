// What several routes need: bodies, parameters, plain answers.
#include <algorithm>

#include "common/base/text.hpp"
#include "founder/api/route.hpp"
#include "founder/limits.hpp"

namespace stratum::founder::api {
namespace {

constexpr std::int64_t kDefaultPage = 100;
constexpr std::int64_t kLargestPage = 1000;

} // namespace
link::Problem bad_field(std::string_view field, std::string message) {
    Findings findings;
    findings.add(FieldPath().key(field), std::move(message));
    return link::invalid_input(findings);
}

std::optional<std::string> bearer_of(const link::ServerRequest& request) {
    constexpr std::string_view kScheme = "Bearer ";
    const auto header = request.header("Authorization");
    if (!header || !starts_with_nocase(*header, kScheme)) return std::nullopt;
    return std::string(trim(std::string_view(*header).substr(kScheme.size())));
}

Answer<std::string> json_text(const link::ServerRequest& request, bool may_be_empty) {
    if (request.body_too_large) {
        link::Problem problem;
        problem.code = link::ProblemCode::kPayloadTooLarge;
        problem.detail =
            "the body is larger than the " + human_bytes_binary(kBodyBytes) + " this call takes";
        return tl::make_unexpected(std::move(problem));
    }
    if (request.body.empty() && may_be_empty) return std::string("{}");
    const std::string type = request.header("Content-Type").value_or("");
    const std::string kind = lower(trim(type.substr(0, type.find(';'))));
    if (kind != "application/json") {
        link::Problem problem;
        problem.code = link::ProblemCode::kUnsupportedMediaType;
        problem.detail = "found the type “" + to_valid_utf8(kind) + "”; send application/json";
        return tl::make_unexpected(std::move(problem));
    }
    return request.body;
}

Answer<Node> json_body(const link::ServerRequest& request, bool may_be_empty) {
    const auto text = json_text(request, may_be_empty);
    if (!text) return tl::make_unexpected(text.error());
    Parsed parsed = parse_json(*text, body_limits());
    if (!parsed.root || !parsed.findings.empty()) {
        return tl::make_unexpected(link::invalid_input(parsed.findings));
    }
    return std::move(*parsed.root);
}

Answer<std::optional<std::int64_t>> number_parameter(const link::ServerRequest& request,
                                                     std::string_view name, std::int64_t min,
                                                     std::int64_t max) {
    const auto text = request.parameter(name);
    if (!text) return std::optional<std::int64_t>();
    const auto value = parse_decimal(*text);
    const bool fits = value && *value >= static_cast<std::uint64_t>(min) &&
                      *value <= static_cast<std::uint64_t>(max);
    if (fits) return std::optional<std::int64_t>(static_cast<std::int64_t>(*value));
    return tl::make_unexpected(
        bad_field(name, "“" + to_valid_utf8(*text) + "” is not a whole number from " +
                            std::to_string(min) + " to " + std::to_string(max)));
}

Answer<void> known_parameters(const link::ServerRequest& request, std::string_view known) {
    const auto names = words(known);
    Findings findings;
    std::vector<std::string> seen;
    for (const std::string& pair : split(request.query, '&')) {
        if (pair.empty()) continue;
        const std::string name = to_valid_utf8(pair.substr(0, pair.find('=')));
        const auto is_name = [&](const std::string& one) { return one == name; };
        const FieldPath at = FieldPath().key(name);
        if (std::none_of(names.begin(), names.end(), is_name)) {
            findings.add(at, names.empty() ? "unknown; this call has no query parameters"
                                           : "unknown; there are " + join(names, ", "));
        } else if (std::any_of(seen.begin(), seen.end(), is_name)) {
            findings.add(at, "given twice");
        } else if (!request.parameter(name)) {
            findings.add(at, "is not percent-encoded UTF-8");
        }
        seen.push_back(name);
    }
    if (findings.empty()) return {};
    return tl::make_unexpected(link::invalid_input(findings));
}

Answer<PageQuery> page_parameters(const link::ServerRequest& request) {
    const auto limit = number_parameter(request, "limit", 1, kLargestPage);
    if (!limit) return tl::make_unexpected(limit.error());
    return PageQuery{static_cast<std::size_t>(limit->value_or(kDefaultPage)),
                     request.parameter("cursor").value_or("")};
}

Answer<bool> flag_parameter(const link::ServerRequest& request, std::string_view name) {
    const auto text = request.parameter(name);
    if (!text || *text == "false") return false;
    if (*text == "true") return true;
    return tl::make_unexpected(bad_field(name, "must be true or false"));
}

} // namespace stratum::founder::api
