#include <array>

#include "founder/api/route.hpp"
#include "founder/documents.hpp"

namespace stratum::founder::api {
namespace {

RouteAnswer cluster(const Call& call) {
    const auto status = call.founder.cluster();
    if (!status) return tl::make_unexpected(status.error());
    return json_answer(cluster_document(*status));
}

RouteAnswer networks(const Call& call) {
    const auto found = call.founder.networks();
    if (!found) return tl::make_unexpected(found.error());
    return json_answer(networks_document(*found));
}

RouteAnswer members(const Call& call) {
    const auto found = call.founder.members();
    if (!found) return tl::make_unexpected(found.error());
    Node items = Node::array();
    for (const MemberRecord& member : *found) items.push(member_document(member));
    return json_answer(Node::object().set("members", std::move(items)));
}

// 202: it is queued, and gone once the member has left.
RouteAnswer remove_member(const Call& call) {
    const auto force = flag_parameter(call.request, "force");
    if (!force) return tl::make_unexpected(force.error());
    const auto member = call.founder.remove_member(call.id(), {*force, call.caller});
    if (!member) return tl::make_unexpected(member.error());
    return json_answer(member_document(*member), 202);
}

RouteAnswer audit(const Call& call) {
    const auto limit = number_parameter(call.request, "limit", 1, 1000);
    if (!limit) return tl::make_unexpected(limit.error());
    AuditQuery query;
    query.limit = static_cast<std::size_t>(limit->value_or(100));
    query.cursor = call.request.parameter("cursor").value_or("");
    const auto page = call.founder.audit(query);
    if (!page) return tl::make_unexpected(page.error());
    Node items = Node::array();
    for (const AuditRecord& entry : page->entries) items.push(audit_document(entry));
    Node answer = Node::object();
    answer.set("entries", std::move(items));
    if (!page->next_cursor.empty()) answer.set("nextCursor", page->next_cursor);
    return json_answer(answer);
}

constexpr std::array kRoutes = {
    Route{"GET", "/v1/admin/cluster", "ha:GetCluster", "", cluster},
    Route{"GET", "/v1/admin/cluster/networks", "ha:ListNetworks", "", networks},
    Route{"GET", "/v1/admin/cluster/members", "ha:ListMembers", "", members},
    Route{"DELETE", "/v1/admin/cluster/members/{nodeId}", "ha:RemoveMember",
          "cluster.member.removed", remove_member, "force"},
    Route{"GET", "/v1/admin/audit", "iam:ListAudit", "", audit, "limit cursor"},
};

} // namespace

std::span<const Route> cluster_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
