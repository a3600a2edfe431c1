// What several routes need: bodies, parameters, plain answers.
#include <algorithm>

#include "common/base/text.hpp"
#include "founder/api/route.hpp"

namespace stratum::founder::api {
namespace {

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

link::ServerAnswer json_answer(const Node& document, int status) {
    link::ServerAnswer answer;
    answer.status = status;
    answer.body = write_json(document);
    return answer;
}

link::ServerAnswer no_content() {
    link::ServerAnswer answer;
    answer.status = 204;
    answer.content_type.clear();
    return answer;
}

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

DocumentLimits body_limits() {
    DocumentLimits limits;
    limits.max_bytes = 256 * 1024;
    return limits;
}

Answer<std::string> json_text(const link::ServerRequest& request, bool may_be_empty) {
    if (request.body_too_large) {
        link::Problem problem;
        problem.code = link::ProblemCode::kPayloadTooLarge;
        problem.detail = "the body is larger than this call takes (256 KiB)";
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

bool accepts(const link::ServerRequest& request, std::string_view type) {
    const auto header = request.header("Accept");
    if (type.empty() || !header || trim(*header).empty()) return true;
    int best = 0;
    bool allowed = false;
    for (const std::string& one : split(*header, ',')) {
        const auto parts = split(one, ';');
        const int fit = how_specific(lower(trim(parts.front())), type);
        if (fit <= best) continue;
        best = fit;
        allowed = !is_excluded(parts);
    }
    return allowed;
}

Answer<bool> flag_parameter(const link::ServerRequest& request, std::string_view name) {
    const auto text = request.parameter(name);
    if (!text || *text == "false") return false;
    if (*text == "true") return true;
    return tl::make_unexpected(bad_field(name, "must be true or false"));
}

} // namespace stratum::founder::api
