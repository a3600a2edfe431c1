#include <array>

#include "founder/api/route.hpp"
#include "founder/cursor.hpp"
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
    const auto query = page_parameters(call.request);
    if (!query) return tl::make_unexpected(query.error());
    auto found = call.founder.members();
    if (!found) return tl::make_unexpected(found.error());
    const auto page = page_of(std::move(*found), "members", *query,
                              [](const MemberRecord& member) { return member.node_id; });
    if (!page) return tl::make_unexpected(page.error());
    return json_answer(page_document("members", *page, member_document));
}

// 202: it is queued, and gone once the member has left.
RouteAnswer remove_member(const Call& call) {
    const auto force = flag_parameter(call.request, "force");
    if (!force) return tl::make_unexpected(force.error());
    const auto member = call.founder.remove_member(call.id(), {*force, call.caller});
    if (!member) return tl::make_unexpected(member.error());
    return json_answer(member_document(*member), 202);
}

RouteAnswer keep_member(const Call& call) {
    const auto member = call.founder.keep_member(call.id(), call.caller);
    if (!member) return tl::make_unexpected(member.error());
    return json_answer(member_document(*member));
}

RouteAnswer audit(const Call& call) {
    const auto query = page_parameters(call.request);
    if (!query) return tl::make_unexpected(query.error());
    const auto page = call.founder.audit({query->limit, query->cursor});
    if (!page) return tl::make_unexpected(page.error());
    Node answer = page_document("entries", Page<AuditRecord>{page->entries, page->next_cursor},
                                audit_document);
    if (page->head.seq != 0) {
        Node head = Node::object();
        head.set("seq", Node::integer(page->head.seq)).set("hash", page->head.hash);
        head.set("first", Node::integer(page->head.first));
        answer.set("head", std::move(head));
    }
    return json_answer(answer);
}

constexpr std::array kRoutes = {
    Route{"GET", "/v1/admin/cluster", "ha:GetCluster", "", cluster},
    Route{"GET", "/v1/admin/cluster/networks", "ha:ListNetworks", "", networks},
    Route{"GET", "/v1/admin/cluster/members", "ha:ListMembers", "", members, "limit cursor"},
    Route{"DELETE", "/v1/admin/cluster/members/{nodeId}", "ha:RemoveMember",
          "cluster.member.removed", remove_member, "force"},
    // Who may remove may take it back.
    Route{"DELETE", "/v1/admin/cluster/members/{nodeId}/removal", "ha:RemoveMember",
          "cluster.member.kept", keep_member},
    Route{"GET", "/v1/admin/audit", "iam:ListAudit", "", audit, "limit cursor"},
};

} // namespace

std::span<const Route> cluster_routes() {
    return kRoutes;
}

} // namespace stratum::founder::api
