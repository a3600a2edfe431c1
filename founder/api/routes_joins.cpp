#include <algorithm>
#include <array>

#include "common/base/hash.hpp"
#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/config/assignment.hpp"
#include "common/link/http_values.hpp"
#include "founder/api/route.hpp"
#include "founder/documents.hpp"
#include "founder/limits.hpp"

namespace stratum::founder::api {
namespace {

constexpr std::size_t kLongestKey = 255;

link::ServerAnswer with_etag(link::ServerAnswer answer, const JoinRecord& join) {
    answer.headers.emplace_back("ETag", etag_of(join));
    return answer;
}

// A join as the answer to what changed it; or the answer that this request got before.
link::ServerAnswer changed_answer(const JoinDetail& detail) {
    if (!detail.given) return with_etag(json_answer(join_document(detail)), detail.record);
    link::ServerAnswer again = json_answer(Node::object());
    again.body = detail.given->body;
    again.headers.emplace_back("ETag", detail.given->etag);
    return again;
}

std::string field(std::string_view text) {
    return std::to_string(text.size()) + ":" + std::string(text);
}

// The caller, with what makes this request the same as one before: its token, its route, its join
// and its Idempotency-Key.
Answer<Caller> caller_of(const Call& call, std::string_view route) {
    Caller caller = call.caller;
    const auto key = call.request.header("Idempotency-Key");
    if (!key) return caller;
    const bool is_visible =
        std::all_of(key->begin(), key->end(), [](char c) { return c > 0x20 && c < 0x7f; });
    if (key->empty() || key->size() > kLongestKey || !is_visible)
        return tl::make_unexpected(
            bad_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters"));
    const std::string same = field(call.token.id) + field(route) + field(call.id()) + field(*key);
    caller.once = {to_hex(sha256(bytes_of(same))), to_hex(sha256(bytes_of(call.request.body)))};
    return caller;
}

Answer<JoinQuery> query_of(const Call& call) {
    JoinQuery query;
    if (const auto word = call.request.parameter("state")) {
        query.state = parse_state(*word);
        if (!query.state) {
            std::vector<std::string> names;
            for (const StateInfo& info : states()) names.emplace_back(info.name);
            return tl::make_unexpected(bad_field("state", "“" + to_valid_utf8(*word) +
                                                              "” is no state; there are " +
                                                              join(names, ", ")));
        }
    }
    auto page = page_parameters(call.request);
    if (!page) return tl::make_unexpected(page.error());
    query.limit = page->limit;
    query.cursor = std::move(page->cursor);
    return query;
}

RouteAnswer list(const Call& call) {
    const auto query = query_of(call);
    if (!query) return tl::make_unexpected(query.error());
    auto list = call.founder.join_list(*query);
    if (!list) return tl::make_unexpected(list.error());
    link::ServerAnswer answer;
    answer.body = *std::move(list);
    return answer;
}

RouteAnswer show(const Call& call) {
    const auto detail = call.founder.join(call.id());
    if (!detail) return tl::make_unexpected(detail.error());
    const auto known = call.request.header("If-None-Match");
    if (known && link::lists_etag(*known, etag_of(detail->record)))
        return with_etag(link::empty_answer(304), detail->record);
    return with_etag(json_answer(join_document(*detail)), detail->record);
}

// The approval's body. What JSON itself forbids (a key given twice) is told beside what the members
// have wrong, and as they are: with `assignment.` left off.
Answer<Node> approval_body(const link::ServerRequest& request) {
    const auto text = json_text(request, true);
    if (!text) return tl::make_unexpected(text.error());
    Parsed parsed = parse_json(*text, body_limits());
    if (parsed.root && parsed.findings.empty()) return std::move(*parsed.root);
    Findings findings;
    (void)config::parse_approval(*text, findings, body_limits());
    return tl::make_unexpected(link::invalid_input(findings));
}

RouteAnswer approve(const Call& call) {
    const auto dry_run = flag_parameter(call.request, "dryRun");
    if (!dry_run) return tl::make_unexpected(dry_run.error());
    const auto body = approval_body(call.request);
    if (!body) return tl::make_unexpected(body.error());
    ApproveOptions options;
    options.dry_run = *dry_run;
    options.if_match = call.request.header("If-Match");
    // The key is judged in a dry run too, which acts not even once.
    auto caller = caller_of(call, "approve");
    if (!caller) return tl::make_unexpected(caller.error());
    options.caller = std::move(*caller);
    if (*dry_run) options.caller.once.reset();
    const auto approval = call.founder.approve(call.id(), *body, options);
    if (!approval) return tl::make_unexpected(approval.error());
    if (!*dry_run) return changed_answer(approval->join);
    return with_etag(json_answer(approval_document(*approval)), approval->join.record);
}

Answer<RejectOptions> reject_options(const Call& call, const Node& body) {
    Findings findings;
    ObjectReader reader(body, FieldPath(), findings);
    RejectOptions options;
    options.reason = reader.optional_string("reason").value_or("");
    options.force = reader.optional_bool("force").value_or(false);
    if (options.reason.size() > 500) reader.add("reason", "is longer than 500 bytes");
    reader.finish();
    if (!findings.empty()) return tl::make_unexpected(link::invalid_input(findings));
    options.if_match = call.request.header("If-Match");
    auto caller = caller_of(call, "reject");
    if (!caller) return tl::make_unexpected(caller.error());
    options.caller = std::move(*caller);
    return options;
}

RouteAnswer reject(const Call& call) {
    const auto body = json_body(call.request, true);
    if (!body) return tl::make_unexpected(body.error());
    const auto options = reject_options(call, *body);
    if (!options) return tl::make_unexpected(options.error());
    const auto detail = call.founder.reject(call.id(), *options);
    if (!detail) return tl::make_unexpected(detail.error());
    return changed_answer(*detail);
}

RouteAnswer retry(const Call& call) {
    const auto body = json_body(call.request, true);
    if (!body) return tl::make_unexpected(body.error());
    Findings findings;
    ObjectReader(*body, FieldPath(), findings).finish();
    if (!findings.empty()) return tl::make_unexpected(link::invalid_input(findings));
    auto caller = caller_of(call, "retry");
    if (!caller) return tl::make_unexpected(caller.error());
    const auto detail =
        call.founder.retry(call.id(), {std::move(*caller), call.request.header("If-Match")});
    if (!detail) return tl::make_unexpected(detail.error());
    return changed_answer(*detail);
}

RouteAnswer node_yaml(const Call& call) {
    const auto file = call.founder.admin_node_yaml(call.id());
    if (!file) return tl::make_unexpected(file.error());
    link::ServerAnswer answer;
    answer.content_type = "application/yaml";
    answer.body = file->bytes;
    answer.headers.emplace_back("X-Content-SHA256", file->sha256);
    return answer;
}

constexpr std::array kRoutes = {
    Route{"GET", "/v1/admin/cluster/joins", "ha:ListNodeJoins", "", list, "state limit cursor"},
    Route{"GET", "/v1/admin/cluster/joins/{joinId}", "ha:GetNodeJoin", "", show},
    Route{"POST", "/v1/admin/cluster/joins/{joinId}/approve", "ha:ApproveNodeJoin",
          "cluster.join.approved", approve, "dryRun"},
    Route{"POST", "/v1/admin/cluster/joins/{joinId}/reject", "ha:RejectNodeJoin",
          "cluster.join.rejected", reject},
    Route{"POST", "/v1/admin/cluster/joins/{joinId}/retry", "ha:RetryNodeJoin",
          "cluster.join.retried", retry},
    Route{"GET", "/v1/admin/cluster/joins/{joinId}/node.yaml", "ha:GetNodeYaml", "", node_yaml, "",
          "application/yaml"},
};

} // namespace

std::span<const Route> join_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
