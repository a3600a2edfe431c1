// One route of the admin API as a row: method, path, the action that a token must be allowed, and
// the function that answers. `routes()` is the whole API; the router walks it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/link/http_answer.hpp"
#include "common/link/http_server.hpp"
#include "founder/founder.hpp"

namespace stratum::founder::api {

// What kinds of thing an action is about: the part before the slash in a policy's resources.
// "cluster" stands for everything that has no id of its own.
struct ActionSpec {
    std::string_view name;     // ha:ApproveNodeJoin
    std::string_view resource; // join, join-code, token, member, cluster
};
std::span<const ActionSpec> actions(); // each once, in byte order
const ActionSpec* find_action(std::string_view name);

struct Call {
    Founder& founder;
    const link::ServerRequest& request;
    std::vector<std::string> ids; // what stood in the path's {…}, in order
    TokenRecord token;            // of a route that needs one
    Caller caller;

    [[nodiscard]] const std::string& id() const { return ids.front(); }
};

using RouteAnswer = Answer<link::ServerAnswer>;

struct Route {
    std::string_view method;  // GET, POST, DELETE
    std::string_view pattern; // /v1/admin/cluster/joins/{joinId}
    std::string_view action;  // empty: needs no token
    std::string_view audit;   // the audit action of a refused attempt; empty: reads are not audited
    RouteAnswer (*answer)(const Call& call);
    std::string_view parameters = ""; // of the query, separated by spaces; others are a 400
    // What it answers; empty: nothing, so that Accept has no say.
    std::string_view type = "application/json";
};

// The parts of the table, one file each.
std::span<const Route> join_code_routes();
std::span<const Route> join_routes();
std::span<const Route> event_routes();
std::span<const Route> cluster_routes();
std::span<const Route> substrate_routes();
std::span<const Route> token_routes();
std::span<const Route> public_routes();
std::span<const Route> metrics_routes();
std::vector<Route> routes();

// ---- what the routes share

using link::json_answer;
inline link::ServerAnswer no_content() {
    return link::empty_answer(204);
}
// What stands behind "Bearer" in Authorization; nothing where it is absent or of another scheme.
std::optional<std::string> bearer_of(const link::ServerRequest& request);
// The body's text: 415 for another type, 413. An empty body is an empty object where
// `may_be_empty`.
Answer<std::string> json_text(const link::ServerRequest& request, bool may_be_empty = false);
// The same as a document; 400 with what is wrong.
Answer<Node> json_body(const link::ServerRequest& request, bool may_be_empty = false);
// A query parameter that is a number in a range; 400 at its name.
Answer<std::optional<std::int64_t>> number_parameter(const link::ServerRequest& request,
                                                     std::string_view name, std::int64_t min,
                                                     std::int64_t max);
// Every parameter of the query is one of `known` (separated by spaces), once, and decodes: a
// mistyped ?dryRun must not be taken for its absence.
Answer<void> known_parameters(const link::ServerRequest& request, std::string_view known);
// `limit` and `cursor` of a list.
Answer<PageQuery> page_parameters(const link::ServerRequest& request);
// A page as every list answers it: the items under their name, `nextCursor` where there is more.
template<class T>
Node page_document(std::string_view name, const Page<T>& page, Node (*item)(const T&)) {
    Node items = Node::array();
    for (const T& one : page.items) items.push(item(one));
    Node answer = Node::object();
    answer.set(std::string(name), std::move(items));
    if (!page.next_cursor.empty()) answer.set("nextCursor", page.next_cursor);
    return answer;
}
// "true" or "false"; 400 at its name.
Answer<bool> flag_parameter(const link::ServerRequest& request, std::string_view name);
// A 400 with one finding.
link::Problem bad_field(std::string_view field, std::string message);

} // namespace stratum::founder::api
