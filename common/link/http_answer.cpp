#include "common/link/http_answer.hpp"

#include <algorithm>
#include <array>

#include "common/base/text.hpp"
#include "common/link/http_values.hpp"

namespace stratum::link {
namespace {

// What only the server says.
bool is_ours(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kOurs{"content-length", "transfer-encoding",
                                                           "connection",     "x-request-id",
                                                           "date",           "content-type"};
    return std::find(kOurs.begin(), kOurs.end(), lower(name)) != kOurs.end();
}

bool has_no_body(int status) {
    return status == 204 || status == 304 || status < 200;
}

void add(std::string& head, std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
}

// Defaults that a handler may replace by a header of its own.
void add_defaults(std::string& head, const ServerAnswer& answer) {
    static constexpr std::pair<std::string_view, std::string_view> kDefaults[] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
    };
    for (const auto& [name, value] : kDefaults) {
        if (!find_header(answer.headers, name)) add(head, name, value);
    }
    // A browser that was here once does not come without TLS. Only a page says so: what else runs
    // on this host under the same name is not ours to speak for.
    const bool is_page = answer.content_type.starts_with("text/html");
    if (is_page && !find_header(answer.headers, "Strict-Transport-Security"))
        add(head, "Strict-Transport-Security", "max-age=86400");
}

std::string length_of(const ServerAnswer& answer) {
    if (answer.stream) return find_header(answer.headers, "Content-Length").value_or("0");
    return std::to_string(answer.body.size());
}

// The header that says how the body is framed; none where nothing is to be said.
void add_framing(std::string& head, const ServerAnswer& answer, const HeadOptions& options) {
    HeadOptions as_get = options;
    as_get.is_head = false; // HEAD says what GET would have
    const Framing framing = framing_of(answer, as_get);
    if (framing == Framing::kLength) add(head, "Content-Length", length_of(answer));
    if (framing == Framing::kChunked) add(head, "Transfer-Encoding", "chunked");
}

} // namespace

ServerAnswer problem_answer(const Problem& problem, const ServerRequest& request) {
    Problem told = problem;
    if (told.code == ProblemCode::kInternal) {
        told.detail = "the founder could not do this now; its log has the reason under this "
                      "request's id";
    }
    ServerAnswer answer;
    answer.status = info_of(told.code).status;
    answer.headers = told.headers;
    answer.content_type = "application/problem+json";
    answer.body = write_json(to_node(told, request.request_id, encode_path(request.path)));
    answer.headers.emplace_back("Cache-Control", "no-store");
    answer.close = told.code == ProblemCode::kPayloadTooLarge; // what is left of it is not read
    return answer;
}

ServerAnswer json_answer(const Node& document, int status) {
    ServerAnswer answer;
    answer.status = status;
    answer.body = write_json(document);
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

ServerAnswer empty_answer(int status) {
    ServerAnswer answer;
    answer.status = status;
    answer.content_type.clear();
    answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

Framing framing_of(const ServerAnswer& answer, const HeadOptions& options) {
    if (options.is_head || has_no_body(answer.status)) return Framing::kNone;
    if (!answer.stream || find_header(answer.headers, "Content-Length")) return Framing::kLength;
    return options.is_old ? Framing::kToEnd : Framing::kChunked;
}

std::string head_of(const ServerAnswer& answer, const std::string& request_id,
                    const HeadOptions& options) {
    std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " ";
    head.append(reason_phrase(answer.status)).append("\r\n");
    add(head, "Date", http_date(options.unix_seconds));
    if (!has_no_body(answer.status) && is_header("Content-Type", answer.content_type) &&
        !answer.content_type.empty()) {
        add(head, "Content-Type", answer.content_type);
    }
    add_framing(head, answer, options);
    add_defaults(head, answer);
    for (const auto& [name, value] : answer.headers) {
        if (!is_ours(name) && is_header(name, value)) add(head, name, value);
    }
    add(head, "X-Request-Id", request_id);
    add(head, "Connection", options.keep_alive ? "keep-alive" : "close");
    return head + "\r\n";
}

} // namespace stratum::link
