// The calls of the join protocol over a FounderWire: path, body, and the answer read strictly.
#include "common/base/text.hpp"
#include "installer/founder_wire.hpp"

namespace stratum::installer {
namespace {

constexpr std::int64_t kCallMs = 30'000;
constexpr std::int64_t kDeliveryMs = 300'000;
constexpr std::size_t kMostDelivery = 64u << 20;

std::string path_of(const std::string& join_id, std::string_view rest = {}) {
    return "/v1/join/registrations/" + join_id + std::string(rest);
}

link::HttpRequest request_with(std::string_view method, std::string path, const Node& body) {
    link::HttpRequest request;
    request.method = method;
    request.path = std::move(path);
    request.body = write_json(body);
    request.timeout_ms = kCallMs;
    return request;
}

tl::unexpected<Refusal> nonsense(const link::HttpAnswer& answer, std::string message) {
    return tl::make_unexpected(
        Refusal{Refusal::Kind::kNonsense, answer.status, {}, std::move(message), {}});
}

template<class T>
Answer<T> read_answer(const link::HttpAnswer& answer, T (*read)(const Node&, Findings&)) {
    const Parsed parsed = parse_json(answer.body);
    Findings findings = parsed.findings;
    if (parsed.root && findings.empty()) {
        T value = read(*parsed.root, findings);
        if (findings.empty()) return value;
    }
    return nonsense(answer, "the founder's answer cannot be read: " +
                                (findings.empty() ? std::string("it is no whole JSON document")
                                                  : findings.lines().front()));
}

std::int64_t read_last_seq(const Node& node, Findings& findings) {
    const Node* last = node.find("lastSeq");
    if (last != nullptr && last->kind() == Node::Kind::kInt && last->as_int() >= 0) {
        return last->as_int();
    }
    findings.add(FieldPath().key("lastSeq"), "needs a number of at least 0");
    return 0;
}

} // namespace

Answer<link::RegistrationAnswer> post_registration(FounderWire& wire,
                                                   const link::Registration& registration) {
    const auto answer =
        wire.send(request_with("POST", "/v1/join/registrations", link::to_node(registration)));
    if (!answer) return tl::make_unexpected(answer.error());
    return read_answer(*answer, link::read_registration_answer);
}

Answer<link::JoinerView> post_reveal(FounderWire& wire, const std::string& join_id,
                                     const link::Reveal& reveal) {
    const auto answer =
        wire.send(request_with("POST", path_of(join_id, "/reveal"), link::to_node(reveal)));
    if (!answer) return tl::make_unexpected(answer.error());
    return read_answer(*answer, link::read_joiner_view);
}

Answer<void> put_inventory(FounderWire& wire, const std::string& join_id, const Node& inventory) {
    const auto answer = wire.send(request_with("PUT", path_of(join_id, "/inventory"), inventory));
    if (!answer) return tl::make_unexpected(answer.error());
    return {};
}

Answer<ViewAnswer> get_view(FounderWire& wire, const std::string& join_id, const std::string& etag,
                            int wait_s) {
    link::HttpRequest request;
    request.path = path_of(join_id);
    if (wait_s > 0 && !etag.empty()) {
        request.path += "?wait=" + std::to_string(wait_s);
        request.headers.emplace_back("If-None-Match", etag);
    }
    request.timeout_ms = kCallMs / 2 + wait_s * 1000;
    const auto answer = wire.send(request);
    if (!answer) return tl::make_unexpected(answer.error());
    if (answer->status == 304) return ViewAnswer{{}, etag};
    auto view = read_answer(*answer, link::read_joiner_view);
    if (!view) return tl::make_unexpected(view.error());
    if (view->id != join_id) {
        return nonsense(*answer,
                        "the founder answered with join " + view->id + " instead of " + join_id);
    }
    return ViewAnswer{std::move(*view), answer->header("ETag").value_or("")};
}

Answer<std::string> get_delivery(FounderWire& wire, const std::string& join_id,
                                 std::string_view what) {
    link::HttpRequest request;
    request.path = path_of(join_id, "/" + std::string(what));
    request.timeout_ms = kDeliveryMs;
    request.max_answer_bytes = kMostDelivery;
    const auto answer = wire.send(request);
    if (!answer) return tl::make_unexpected(answer.error());
    if (answer->status != 200) return nonsense(*answer, "the founder delivered nothing");
    return answer->body;
}

Answer<std::int64_t> post_progress(FounderWire& wire, const std::string& join_id,
                                   const link::Progress& progress) {
    const auto answer =
        wire.send(request_with("POST", path_of(join_id, "/progress"), link::to_node(progress)));
    if (!answer) return tl::make_unexpected(answer.error());
    return read_answer(*answer, read_last_seq);
}

} // namespace stratum::installer
