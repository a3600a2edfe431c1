// The admin listener's table over a real founder: what is found, who is let in, how it is answered.

#include <set>

#include "common/base/text.hpp"
#include "founder/api/admin_api.hpp"
#include "founder/api/openapi.hpp"
#include "founder/api/route.hpp"
#include "founder/join_api/routes.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder::api {
namespace {

std::string header_of(const link::ServerAnswer& answer, const std::string& name) {
    for (const auto& [key, value] : answer.headers)
        if (key == name) return value;
    return "-";
}

Node document_of(const link::ServerAnswer& answer) {
    const Parsed parsed = parse_json(answer.body);
    return parsed.root ? *parsed.root : Node();
}

std::string text_of(const Node& node, const char* name) {
    const Node* member = node.find(name);
    return member == nullptr ? "" : member->as_string();
}

std::string said(const link::ServerAnswer& answer) {
    const std::string code = text_of(document_of(answer), "code");
    return std::to_string(answer.status) + (code.empty() ? "" : " " + code);
}

// Made once for the life of the program, before the first test counts what it leaves behind.
const std::string& kDescription = openapi_json();

} // namespace

TEST_GROUP(AdminRouter) {
    World world;
    link::Handler handler = make_admin_handler(*world.founder);

    link::ServerRequest request(const std::string& method, const std::string& path,
                                const std::string& body = {}) {
        link::ServerRequest made;
        made.method = method;
        made.path = path.substr(0, path.find('?'));
        made.query = path.find('?') == std::string::npos ? "" : path.substr(path.find('?') + 1);
        made.body = body;
        made.remote_address = "192.0.2.7";
        made.request_id = "0123456789abcdef";
        made.headers.emplace_back("Authorization", "Bearer " + world.token);
        if (!body.empty()) made.headers.emplace_back("Content-Type", "application/json");
        return made;
    }
    link::ServerAnswer call(const std::string& method, const std::string& path,
                            const std::string& body = {}) {
        return handler(request(method, path, body));
    }
    // The same with a new token of this policy's statements.
    link::ServerAnswer call_as(const std::string& statements, const std::string& method,
                               const std::string& path) {
        const Parsed policy = parse_json(R"({"version": 1, "statements": [)" + statements + "]}");
        const auto made = world.founder->create_token("", *policy.root, world.admin);
        link::ServerRequest as_other = request(method, path);
        as_other.headers = {{"Authorization", "Bearer " + made->token}};
        return handler(as_other);
    }
};

TEST(AdminRouter, no_path_and_method_stands_twice) {
    std::set<std::string> seen;
    for (const Route& route : routes())
        CHECK_TRUE(
            seen.insert(std::string(route.method) + " " + std::string(route.pattern)).second);
}

TEST(AdminRouter, every_change_is_audited_and_no_read_is) {
    for (const Route& route : routes()) CHECK_EQUAL(route.method != "GET", !route.audit.empty());
}

TEST(AdminRouter, unknown_paths_are_404_and_told_as_they_came) {
    for (const char* path : {"/v1", "/v1/admin/cluster/", "/v1/admin/cluster/joins/nj-a/x",
                             "/v1/admin/cluster/joins//approve", "//healthz", "/Healthz"})
        STRCMP_EQUAL("404 NOT_FOUND", said(call("GET", path)).c_str());
    const Node problem = document_of(call("GET", "/a b/ä"));
    STRCMP_EQUAL("/a%20b/%C3%A4", text_of(problem, "instance").c_str());
    STRCMP_EQUAL("0123456789abcdef", text_of(problem, "requestId").c_str());
}

TEST(AdminRouter, another_method_is_405_with_those_there_are) {
    const auto answer = call("PUT", "/v1/admin/tokens");
    STRCMP_EQUAL("405 METHOD_NOT_ALLOWED", said(answer).c_str());
    STRCMP_EQUAL("GET, HEAD, OPTIONS, POST", header_of(answer, "Allow").c_str());
    STRCMP_EQUAL("DELETE, OPTIONS",
                 header_of(call("GET", "/v1/admin/tokens/tk-a"), "Allow").c_str());
}

TEST(AdminRouter, a_path_that_spells_a_word_out_goes_before_one_with_an_id) {
    const auto pause = call("DELETE", "/v1/admin/cluster/join-codes/pause");
    LONGS_EQUAL(204, pause.status);
    STRCMP_EQUAL("404 NOT_FOUND",
                 said(call("DELETE", "/v1/admin/cluster/join-codes/pauses")).c_str());
    // The right to revoke codes is not the right to lift the pause.
    const char* revoker =
        R"({"effect": "allow", "actions": ["ha:RevokeJoinCode"], "resources": ["join-code/*"]})";
    STRCMP_EQUAL("403 FORBIDDEN",
                 said(call_as(revoker, "DELETE", "/v1/admin/cluster/join-codes/pause")).c_str());
    STRCMP_EQUAL("404 NOT_FOUND",
                 said(call_as(revoker, "DELETE", "/v1/admin/cluster/join-codes/00000000")).c_str());
}

TEST(AdminRouter, options_needs_no_token_and_says_the_methods) {
    link::ServerRequest bare = request("OPTIONS", "/v1/admin/cluster/joins");
    bare.headers.clear();
    const auto answer = handler(bare);
    LONGS_EQUAL(204, answer.status);
    STRCMP_EQUAL("GET, HEAD, OPTIONS", header_of(answer, "Allow").c_str());
}

TEST(AdminRouter, head_asks_as_get) {
    LONGS_EQUAL(200, call("HEAD", "/v1/admin/cluster").status);
    STRCMP_EQUAL("404 NOT_FOUND", said(call("HEAD", "/v1/admin/cluster/joins/nj-a")).c_str());
}

TEST(AdminRouter, without_a_token_is_401_and_says_how) {
    for (const char* value : {"", "Bearer", "Bearer x", "Basic x"}) {
        link::ServerRequest bare = request("GET", "/v1/admin/cluster");
        bare.headers = {{"Authorization", value}};
        const auto answer = handler(bare);
        STRCMP_EQUAL("401 UNAUTHENTICATED", said(answer).c_str());
        STRCMP_EQUAL("Bearer", header_of(answer, "WWW-Authenticate").c_str());
    }
}

TEST(AdminRouter, without_the_right_is_403_and_only_a_change_is_audited) {
    const char* reader = R"({"effect": "allow", "actions": ["*"], "resources": ["*"]},
                            {"effect": "deny", "actions": ["ha:*"], "resources": ["*"]})";
    STRCMP_EQUAL("403 FORBIDDEN", said(call_as(reader, "GET", "/v1/admin/cluster")).c_str());
    CHECK_TRUE(world.audit_actions().find("refused") == std::string::npos);
    STRCMP_EQUAL(
        "403 FORBIDDEN",
        said(call_as(reader, "POST", "/v1/admin/cluster/joins/nj-8w2k4m1p/approve")).c_str());
    const auto audit = world.founder->audit({});
    const AuditRecord& entry = audit->entries.front();
    STRCMP_EQUAL("cluster.join.approved", entry.action.c_str());
    STRCMP_EQUAL("refused", entry.result.c_str());
    STRCMP_EQUAL("join/nj-8w2k4m1p", entry.object.c_str());
    STRCMP_EQUAL("192.0.2.7", entry.from.c_str());
}

TEST(AdminRouter, a_stored_policy_that_does_not_hold_allows_nothing) {
    // What its unreadable statement denied is not known.
    const char* broken = R"({"effect": "allow", "actions": ["*"], "resources": ["*"]},
                            {"effect": "deny", "actions": ["ha:Gone"], "resources": ["*"]})";
    STRCMP_EQUAL("403 FORBIDDEN", said(call_as(broken, "GET", "/v1/admin/cluster")).c_str());
}

TEST(AdminRouter, a_mistyped_parameter_is_no_absent_one) {
    const Machine machine(1);
    const std::string id = world.pending(machine);
    const std::string path = "/v1/admin/cluster/joins/" + id + "/approve";
    const std::string body = write_json(approval_body(machine, "beta"));
    for (const char* query : {"?dryrun=true", "?dry_run=true", "?dryRun=TRUE", "?dryRun=%zz",
                              "?dryRun=true&dryRun=true", "?dryRun"})
        STRCMP_EQUAL("400 INVALID_INPUT", said(call("POST", path + query, body)).c_str());
    STRCMP_EQUAL("pending", world.state(id).c_str());
    LONGS_EQUAL(200, call("POST", path + "?dryRun=true", body).status);
    STRCMP_EQUAL("pending", world.state(id).c_str());
    LONGS_EQUAL(200, call("POST", path, body).status);
    STRCMP_EQUAL("approved", world.state(id).c_str());
}

TEST(AdminRouter, what_accept_does_not_allow_is_406_before_the_token_is_asked) {
    link::ServerRequest bare = request("GET", "/v1/admin/cluster");
    bare.headers = {{"Accept", "image/png"}};
    STRCMP_EQUAL("406 NOT_ACCEPTABLE", said(handler(bare)).c_str());
    link::ServerRequest removal = request("DELETE", "/v1/admin/tokens/tk-nothere0");
    removal.headers.emplace_back("Accept", "image/png");
    STRCMP_EQUAL("404 NOT_FOUND", said(handler(removal)).c_str());
}

TEST(AdminRouter, no_answer_may_be_kept) {
    for (const char* path : {"/", "/healthz", "/v1/admin/tokens", "/nothing"})
        STRCMP_EQUAL("no-store", header_of(call("GET", path), "Cache-Control").c_str());
}

TEST(AdminRouter, a_body_past_the_limit_ends_the_connection) {
    link::ServerRequest large = request("POST", "/v1/admin/tokens");
    large.body_too_large = true;
    const auto answer = handler(large);
    STRCMP_EQUAL("413 PAYLOAD_TOO_LARGE", said(answer).c_str());
    CHECK_TRUE(answer.close);
    LONGS_EQUAL(256 * 1024, admin_body_limit("POST", "/v1/admin/tokens"));
}

TEST(AdminRouter, a_join_is_304_while_it_is_the_same) {
    const std::string id = world.pending(Machine(1));
    link::ServerRequest known = request("GET", "/v1/admin/cluster/joins/" + id);
    const std::string etag = header_of(handler(known), "ETag");
    known.headers.emplace_back("If-None-Match", "\"x\", W/" + etag);
    const auto same = handler(known);
    LONGS_EQUAL(304, same.status);
    STRCMP_EQUAL("", same.body.c_str());
    known.headers.back().second = "\"x\"";
    LONGS_EQUAL(200, handler(known).status);
}

TEST(AdminRouter, events_of_a_join_end_with_it_and_with_its_tokens_right) {
    const std::string id = world.pending(Machine(1));
    CHECK_TRUE(world.reject(id).has_value());
    const auto over = call("GET", "/v1/admin/cluster/joins/" + id + "/events");
    STRCMP_EQUAL("text/event-stream", over.content_type.c_str());
    std::string told;
    const auto write = [&](std::string_view piece) {
        told += piece;
        return true;
    };
    over.stream(write);
    CHECK_TRUE(
        told.starts_with("event: join\ndata: {\"id\":\"" + id + "\",\"state\":\"rejected\""));
    CHECK_TRUE(told.ends_with("\n\n"));
    // The stream of a token that is revoked before it begins says nothing.
    told.clear();
    const auto all = call("GET", "/v1/admin/cluster/events");
    const auto tokens = world.founder->tokens();
    CHECK_TRUE(world.founder->revoke_token(tokens->front().id, world.admin).has_value());
    all.stream(write);
    STRCMP_EQUAL("", told.c_str());
}

TEST(AdminRouter, the_description_names_every_route_of_both_listeners_and_no_other) {
    const Parsed parsed = parse_json(kDescription, {.max_bytes = 4u << 20});
    CHECK_TRUE(parsed.root.has_value());
    std::set<std::string> described;
    for (const auto& [path, item] : parsed.root->find("paths")->members())
        for (const auto& [method, operation] : item.members())
            if (operation.find("responses") != nullptr)
                described.insert(upper(method) + " " + path);
    std::set<std::string> there;
    for (const Route& route : routes())
        there.insert(std::string(route.method) + " " + std::string(route.pattern));
    for (const join_api::Route& route : join_api::routes()) {
        std::string pattern(route.pattern);
        if (const auto at = pattern.find("{id}"); at != std::string::npos)
            pattern.replace(at, 4, "{joinId}");
        there.insert(std::string(route.method) + " " + pattern);
    }
    CHECK_TRUE(described == there);
}

} // namespace stratum::founder::api
