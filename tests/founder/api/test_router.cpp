// The admin listener's table over a real founder: what is found, who is let in, how it is answered.

#include <set>
#include <tuple>

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

TEST(AdminRouter, every_refused_attempt_to_change_something_is_told_once_and_no_read_is) {
    const Machine machine(1);
    const std::string id = world.registered(machine);
    const std::string join = "/v1/admin/cluster/joins/" + id;
    const auto rows = [&] {
        std::string told;
        const auto page = world.founder->audit({});
        for (auto one = page->entries.rbegin(); one != page->entries.rend(); ++one) {
            if (one->result != "refused") continue;
            told.append(one->action).append(" ").append(one->object).append(" ");
            told.append(one->actor).append(" ");
            told.append(one->detail, 0, one->detail.find(':')).append("\n");
        }
        return told;
    };
    const std::string me = world.founder->authenticate(world.token)->id;
    link::ServerRequest bare = request("POST", join + "/approve");
    bare.headers.clear();
    LONGS_EQUAL(401, handler(bare).status);
    LONGS_EQUAL(400, call("POST", join + "/approve", "{").status);
    LONGS_EQUAL(400, call("POST", join + "/approve?dry=1", "{}").status);
    LONGS_EQUAL(409, call("POST", join + "/approve", "{}").status); // not revealed
    link::ServerRequest typed = request("POST", join + "/reject", "{}");
    typed.headers.back().second = "text/plain";
    LONGS_EQUAL(415, handler(typed).status);
    link::ServerRequest large = request("POST", join + "/retry", "{}");
    large.body_too_large = true;
    LONGS_EQUAL(413, handler(large).status);
    link::ServerRequest keyed = request("POST", join + "/reject", "{}");
    keyed.headers.emplace_back("Idempotency-Key", "a b");
    LONGS_EQUAL(400, handler(keyed).status);
    link::ServerRequest dated = request("POST", join + "/reject", "{}");
    dated.headers.emplace_back("If-Match", "\"77\"");
    LONGS_EQUAL(412, handler(dated).status);
    LONGS_EQUAL(404, call("DELETE", "/v1/admin/tokens/" + world.token).status);
    LONGS_EQUAL(400, call("POST", "/v1/admin/cluster/join-codes", R"({"maxUses": 0})").status);
    LONGS_EQUAL(404, call("DELETE", "/v1/admin/cluster/members/n-none").status);
    STRCMP_EQUAL(("cluster.join.approved join/" + id + " nobody UNAUTHENTICATED\n" +
                  "cluster.join.approved join/" + id + " " + me + " INVALID_INPUT\n" +
                  "cluster.join.approved join/" + id + " " + me + " INVALID_INPUT\n" +
                  "cluster.join.approved join/" + id + " " + me + " JOIN_STATE_CONFLICT\n" +
                  "cluster.join.rejected join/" + id + " " + me + " UNSUPPORTED_MEDIA_TYPE\n" +
                  "cluster.join.retried join/" + id + " " + me + " PAYLOAD_TOO_LARGE\n" +
                  "cluster.join.rejected join/" + id + " " + me + " INVALID_INPUT\n" +
                  "cluster.join.rejected join/" + id + " " + me + " PRECONDITION_FAILED\n" +
                  "iam.token.revoked token/[a token] " + me + " NOT_FOUND\n" +
                  "cluster.join-code.created cluster " + me + " INVALID_INPUT\n" +
                  "cluster.member.removed member/n-none " + me + " NOT_FOUND\n")
                     .c_str(),
                 rows().c_str());
    const std::string before = rows();
    // Reads, what is not found at all, and dry runs change nothing.
    bare.method = "GET";
    bare.path = join;
    LONGS_EQUAL(401, handler(bare).status);
    LONGS_EQUAL(404, call("GET", join + "x").status);
    LONGS_EQUAL(405, call("PATCH", join).status);
    LONGS_EQUAL(409, call("POST", join + "/approve?dryRun=true", "{}").status);
    LONGS_EQUAL(400, call("POST", join + "/approve?dryRun=true", "{").status);
    STRCMP_EQUAL(before.c_str(), rows().c_str());
    // Who may not even try is told, dry or not.
    bare.method = "POST";
    bare.path = join + "/approve";
    bare.query = "dryRun=true";
    LONGS_EQUAL(401, handler(bare).status);
    CHECK_TRUE(rows().size() > before.size());
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
    const std::string at = std::to_string(world.record(id).revision) + ".0";
    CHECK_TRUE(told.starts_with("event: join\nid: " + at + "\ndata: {\"id\":\"" + id +
                                "\",\"state\":\"rejected\""));
    CHECK_TRUE(told.ends_with("\n\n"));
    // The stream of a token that is revoked before it begins says nothing.
    told.clear();
    const auto all = call("GET", "/v1/admin/cluster/events");
    const auto tokens = world.founder->tokens();
    CHECK_TRUE(world.founder->revoke_token(tokens->front().id, world.admin).has_value());
    all.stream(write);
    STRCMP_EQUAL("", told.c_str());
}

TEST(AdminRouter, a_listener_goes_on_behind_the_last_event_it_had) {
    const std::string id = world.failed(Machine(1), "beta");
    CHECK_TRUE(world.reject(id).has_value());
    const JoinRecord join = world.record(id);
    const auto told_since = [&](const std::string& last) {
        link::ServerRequest asked = request("GET", "/v1/admin/cluster/joins/" + id + "/events");
        asked.headers.emplace_back("Last-Event-ID", last);
        std::string told;
        handler(asked).stream([&](std::string_view piece) {
            told += piece;
            return true;
        });
        return told;
    };
    const std::string here = std::to_string(join.revision) + "." + std::to_string(join.log_lines);
    STRCMP_EQUAL("", told_since(here).c_str());
    CHECK_TRUE(told_since(std::to_string(join.revision - 1) + "." + std::to_string(join.log_lines))
                   .starts_with("event: join\nid: " + here));
    // What is no id of ours, or of a founder whose store was put back, begins anew.
    for (const char* strange : {"", "x", "1", "1.", "99999.0", "0.99999", "-1.0"})
        CHECK_TRUE(told_since(strange).starts_with("event: join"));
}

TEST(AdminRouter, events_of_all_joins_hold_each_of_them_and_go_on) {
    std::vector<std::string> ids;
    for (int number = 1; number <= 4; ++number) ids.push_back(world.pending(Machine(number)));
    const auto told_since = [&](const std::string& last, std::size_t events) {
        link::ServerRequest asked = request("GET", "/v1/admin/cluster/events");
        if (!last.empty()) asked.headers.emplace_back("Last-Event-ID", last);
        std::vector<std::string> told;
        handler(asked).stream([&](std::string_view piece) {
            told.emplace_back(piece);
            return told.size() < events;
        });
        return told;
    };
    const auto first = told_since("", 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK_TRUE(first[i].find(ids[i]) != std::string::npos);
    const std::string last = first.back().substr(
        first.back().find("id: ") + 4, first.back().find("\ndata") - first.back().find("id: ") - 4);
    CHECK_TRUE(world.reject(ids[1]).has_value());
    const auto later = told_since(last, 1);
    CHECK_TRUE(later.front().find(ids[1]) != std::string::npos);
    CHECK_TRUE(later.front().find("rejected") != std::string::npos);
    // A number that was never given is that of another store: everything is told.
    LONGS_EQUAL(4, told_since("999999", 4).size());
}

TEST(AdminRouter, a_key_that_is_no_key_is_400_at_its_name) {
    const std::string id = world.pending(Machine(1));
    for (const std::string& key :
         {std::string(), std::string("a b"), std::string("\xc3\xa4"), std::string(256, 'k')}) {
        for (const char* verb : {"approve", "reject", "retry"}) {
            link::ServerRequest asked =
                request("POST", "/v1/admin/cluster/joins/" + id + "/" + verb, "{}");
            asked.headers.emplace_back("Idempotency-Key", key);
            const auto answer = handler(asked);
            STRCMP_EQUAL("400 INVALID_INPUT", said(answer).c_str());
            CHECK_TRUE(answer.body.find(R"("field":"Idempotency-Key")") != std::string::npos);
        }
    }
    STRCMP_EQUAL("pending", world.state(id).c_str());
}

TEST(AdminRouter, the_same_request_with_its_key_has_the_same_answer) {
    const Machine machine(1);
    const std::string id = world.pending(machine);
    const std::string path = "/v1/admin/cluster/joins/" + id;
    link::ServerRequest asked =
        request("POST", path + "/approve", write_json(approval_body(machine, "beta")));
    asked.headers.emplace_back("Idempotency-Key", std::string(255, 'k'));
    const auto first = handler(asked);
    LONGS_EQUAL(200, first.status);
    CHECK_TRUE(world.reject(id).has_value());
    const auto again = handler(asked);
    LONGS_EQUAL(200, again.status);
    STRCMP_EQUAL(first.body.c_str(), again.body.c_str());
    STRCMP_EQUAL(header_of(first, "ETag").c_str(), header_of(again, "ETag").c_str());
    asked.body += " ";
    STRCMP_EQUAL("409 IDEMPOTENCY_CONFLICT", said(handler(asked)).c_str());
    // Of another route, and of another token, it is another key.
    link::ServerRequest other = request("POST", path + "/reject", "{}");
    other.headers.emplace_back("Idempotency-Key", std::string(255, 'k'));
    STRCMP_EQUAL("409 JOIN_STATE_CONFLICT", said(handler(other)).c_str());
}

TEST(AdminRouter, a_dry_run_is_neither_kept_nor_given) {
    const Machine machine(1);
    const std::string id = world.pending(machine);
    const std::string path = "/v1/admin/cluster/joins/" + id + "/approve";
    link::ServerRequest asked = request("POST", path, write_json(approval_body(machine, "beta")));
    asked.headers.emplace_back("Idempotency-Key", "k");
    asked.query = "dryRun=true";
    LONGS_EQUAL(200, handler(asked).status);
    asked.query.clear();
    LONGS_EQUAL(200, handler(asked).status);
    STRCMP_EQUAL("approved", world.state(id).c_str());
    asked.query = "dryRun=true";
    CHECK_TRUE(handler(asked).body.find("nodeYaml") != std::string::npos);
}

TEST(AdminRouter, a_retry_of_another_revision_is_412) {
    const std::string id = world.failed(Machine(1), "beta");
    link::ServerRequest asked = request("POST", "/v1/admin/cluster/joins/" + id + "/retry", "{}");
    asked.headers.emplace_back("If-Match", "\"1\"");
    STRCMP_EQUAL("412 PRECONDITION_FAILED", said(handler(asked)).c_str());
    asked.headers.back().second = etag_of(world.record(id));
    LONGS_EQUAL(200, handler(asked).status);
}

TEST(AdminRouter, every_list_comes_in_pages_that_hold_each_row_once) {
    for (int i = 0; i < 4; ++i) {
        world.code();
        world.pending(Machine(i + 1));
    }
    for (int i = 0; i < 3; ++i) (void)world.founder->create_token("", Node::object(), world.admin);
    for (const auto& [path, list, wanted] :
         {std::tuple{"/v1/admin/cluster/join-codes", "joinCodes", 8},
          std::tuple{"/v1/admin/tokens", "tokens", 4},
          std::tuple{"/v1/admin/cluster/joins", "joins", 4},
          std::tuple{"/v1/admin/cluster/members", "members", 1}}) {
        std::set<std::string> ids;
        std::string cursor;
        int pages = 0;
        do {
            const Node page =
                document_of(call("GET", std::string(path) + "?limit=2" +
                                            (cursor.empty() ? "" : "&cursor=") + cursor));
            for (const Node& one : page.find(list)->items())
                CHECK_TRUE(ids.insert(text_of(one, "id") + text_of(one, "nodeId")).second);
            cursor = text_of(page, "nextCursor");
        } while (!cursor.empty() && ++pages < 20);
        LONGS_EQUAL(wanted, ids.size());
        for (const char* wrong : {"?cursor=zz", "?cursor=6162", "?limit=0", "?limit=1001"})
            STRCMP_EQUAL("400 INVALID_INPUT", said(call("GET", std::string(path) + wrong)).c_str());
    }
}

TEST(AdminRouter, a_token_makes_none_that_may_do_more_than_itself) {
    const char* maker = R"({"effect": "allow", "actions": ["iam:CreateToken"], "resources": ["*"]},
                           {"effect": "allow", "actions": ["ha:*"], "resources": ["join/*"]},
                           {"effect": "deny", "actions": ["ha:RejectNodeJoin"],
                            "resources": ["join/nj-8w2k4m1p"]})";
    const Parsed policy =
        parse_json(R"({"version": 1, "statements": [)" + std::string(maker) + "]}");
    const auto made = world.founder->create_token("", *policy.root, world.admin);
    const auto make = [&](const std::string& statement) {
        link::ServerRequest asked =
            request("POST", "/v1/admin/tokens",
                    R"({"policy": {"version": 1, "statements": [)" + statement + "]}}");
        asked.headers.front().second = "Bearer " + made->token;
        return handler(asked);
    };
    const auto less = make(R"({"effect": "allow", "actions": ["ha:ApproveNodeJoin"],
                               "resources": ["join/*"]})");
    LONGS_EQUAL(201, less.status);
    const auto more = make(R"({"effect": "allow", "actions": ["*"], "resources": ["*"]})");
    STRCMP_EQUAL("403 FORBIDDEN", said(more).c_str());
    CHECK_TRUE(more.body.find(R"("code":"EXCEEDS_OWN_POLICY","statement":0)") != std::string::npos);
    CHECK_TRUE(more.body.find("iam:RevokeToken") != std::string::npos);
    CHECK_TRUE(more.body.find(R"("action":"ha:ApproveNodeJoin")") == std::string::npos);
    // What the maker is denied on one join it cannot give either.
    STRCMP_EQUAL("403 FORBIDDEN", said(make(R"({"effect": "allow",
        "actions": ["ha:RejectNodeJoin"], "resources": ["join/*"]})"))
                                      .c_str());
    LONGS_EQUAL(201, make(R"({"effect": "allow", "actions": ["ha:RejectNodeJoin"],
        "resources": ["join/*"]}, {"effect": "deny", "actions": ["ha:RejectNodeJoin"],
        "resources": ["join/nj-8w2k4m1p"]})")
                         .status);
    CHECK_TRUE(world.audit_actions().find("iam.token.created/refused") != std::string::npos);
}

TEST(AdminRouter, whoever_guesses_tokens_is_slowed_down_and_whoever_has_one_is_not) {
    link::ServerRequest guess = request("GET", "/v1/admin/cluster");
    guess.headers = {{"Authorization", "Bearer fbt_guess"}};
    for (int i = 0; i < 300; ++i) LONGS_EQUAL(401, handler(guess).status);
    const auto slow = handler(guess);
    STRCMP_EQUAL("429 TOO_MANY_REQUESTS", said(slow).c_str());
    STRCMP_EQUAL("1", header_of(slow, "Retry-After").c_str());
    LONGS_EQUAL(200, call("GET", "/v1/admin/cluster").status);
    guess.remote_address = "192.0.2.8";
    LONGS_EQUAL(401, handler(guess).status);
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
