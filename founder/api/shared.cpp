// What several routes need: bodies, parameters, plain answers.
#include "common/base/text.hpp"
#include "founder/api/route.hpp"

namespace stratum::founder::api {

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

Answer<Node> json_body(const link::ServerRequest& request, bool may_be_empty) {
    if (request.body_too_large) {
        link::Problem problem;
        problem.code = link::ProblemCode::kPayloadTooLarge;
        problem.detail = "the body is larger than this call takes (256 KiB)";
        return tl::make_unexpected(std::move(problem));
    }
    if (request.body.empty() && may_be_empty) return Node::object();
    const std::string type = request.header("Content-Type").value_or("");
    const std::string kind = lower(trim(type.substr(0, type.find(';'))));
    if (kind != "application/json") {
        link::Problem problem;
        problem.code = link::ProblemCode::kUnsupportedMediaType;
        problem.detail = "found the type “" + to_valid_utf8(kind) + "”; send application/json";
        return tl::make_unexpected(std::move(problem));
    }
    DocumentLimits limits;
    limits.max_bytes = 256 * 1024;
    Parsed parsed = parse_json(request.body, limits);
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

Answer<bool> flag_parameter(const link::ServerRequest& request, std::string_view name) {
    const auto text = request.parameter(name);
    if (!text || *text == "false") return false;
    if (*text == "true") return true;
    return tl::make_unexpected(bad_field(name, "must be true or false"));
}

} // namespace stratum::founder::api
