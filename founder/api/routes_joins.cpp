#include <array>

#include "common/base/reader.hpp"
#include "common/base/text.hpp"
#include "common/config/assignment.hpp"
#include "founder/api/route.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

constexpr std::int64_t kDefaultPage = 100;
constexpr std::int64_t kLargestPage = 1000;

link::ServerAnswer with_etag(link::ServerAnswer answer, const JoinRecord& join) {
    answer.headers.emplace_back("ETag", etag_of(join));
    return answer;
}

bool client_has_it(const Call& call, const JoinRecord& join) {
    const auto header = call.request.header("If-None-Match");
    if (!header) return false;
    for (const std::string& part : split(*header, ',')) {
        std::string_view one = trim(part);
        if (one.substr(0, 2) == "W/") one.remove_prefix(2);
        if (one == "*" || one == etag_of(join)) return true;
    }
    return false;
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
    const auto limit = number_parameter(call.request, "limit", 1, kLargestPage);
    if (!limit) return tl::make_unexpected(limit.error());
    query.limit = static_cast<std::size_t>(limit->value_or(kDefaultPage));
    query.cursor = call.request.parameter("cursor").value_or("");
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
    if (client_has_it(call, detail->record)) {
        link::ServerAnswer unchanged = no_content();
        unchanged.status = 304;
        return with_etag(std::move(unchanged), detail->record);
    }
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
    options.caller = call.caller;
    const auto approval = call.founder.approve(call.id(), *body, options);
    if (!approval) return tl::make_unexpected(approval.error());
    const Node document = *dry_run ? approval_document(*approval) : join_document(approval->join);
    return with_etag(json_answer(document), approval->join.record);
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
    options.caller = call.caller;
    return options;
}

RouteAnswer reject(const Call& call) {
    const auto body = json_body(call.request, true);
    if (!body) return tl::make_unexpected(body.error());
    const auto options = reject_options(call, *body);
    if (!options) return tl::make_unexpected(options.error());
    const auto detail = call.founder.reject(call.id(), *options);
    if (!detail) return tl::make_unexpected(detail.error());
    return with_etag(json_answer(join_document(*detail)), detail->record);
}

RouteAnswer retry(const Call& call) {
    const auto body = json_body(call.request, true);
    if (!body) return tl::make_unexpected(body.error());
    Findings findings;
    ObjectReader(*body, FieldPath(), findings).finish();
    if (!findings.empty()) return tl::make_unexpected(link::invalid_input(findings));
    const auto detail = call.founder.retry(call.id(), call.caller);
    if (!detail) return tl::make_unexpected(detail.error());
    return with_etag(json_answer(join_document(*detail)), detail->record);
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
