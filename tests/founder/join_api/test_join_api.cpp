// The join listener's table: who is let in, what is where, and how it is answered.

#include <thread>

#include "founder/join_api/routes.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

std::optional<std::string> header_of(const link::ServerAnswer& answer, const std::string& name) {
    for (const auto& [key, value] : answer.headers)
        if (key == name) return value;
    return std::nullopt;
}

std::string problem_of(const link::ServerAnswer& answer) {
    const Parsed parsed = parse_json(answer.body);
    const Node* code = parsed.root ? parsed.root->find("code") : nullptr;
    return std::to_string(answer.status) + " " + (code != nullptr ? code->as_string() : "");
}

} // namespace

TEST_GROUP(JoinApi) {
    World world;
    Machine machine{1};
    link::Handler handler = join_api::make_handler(*world.founder);

    link::ServerRequest request(const std::string& method, const std::string& path,
                                const std::string& body = {}) {
        link::ServerRequest made;
        made.method = method;
        made.path = path;
        made.body = body;
        made.remote_address = machine.address;
        made.client_key = machine.key;
        made.request_id = "0123456789abcdef";
        if (!body.empty()) made.headers.emplace_back("Content-Type", "application/json");
        return made;
    }
    link::ServerAnswer call(const std::string& method, const std::string& path,
                            const std::string& body = {}) {
        return handler(request(method, path, body));
    }
    std::string path_of(const std::string& id) {
        return "/v1/join/registrations/" + id;
    }
};

TEST(JoinApi, no_client_certificate_is_401_whatever_the_path) {
    for (const char* path : {"/v1/join/registrations", "/nowhere"}) {
        link::ServerRequest bare = request("POST", path, "{}");
        bare.client_key.reset();
        STRCMP_EQUAL("401 UNAUTHENTICATED", problem_of(handler(bare)).c_str());
    }
}

TEST(JoinApi, a_registration_is_201_and_again_200) {
    const std::string body = write_json(world.registration(machine, world.code()));
    LONGS_EQUAL(201, call("POST", "/v1/join/registrations", body).status);
    LONGS_EQUAL(200, call("POST", "/v1/join/registrations", body).status);
}

TEST(JoinApi, unknown_paths_are_404) {
    for (const char* path :
         {"/", "/v1/join", "/v1/join/registrations/", "/v1/admin/tokens",
          "/v1/join/registrations/nj-a/reveal/x", "/v1/join/registrations//reveal"})
        STRCMP_EQUAL("404 NOT_FOUND", problem_of(call("GET", path)).c_str());
}

TEST(JoinApi, another_method_is_405_with_allow) {
    const auto answer = call("DELETE", path_of("nj-nothere0"));
    STRCMP_EQUAL("405 METHOD_NOT_ALLOWED", problem_of(answer).c_str());
    STRCMP_EQUAL("GET, HEAD, OPTIONS", header_of(answer, "Allow")->c_str());
    STRCMP_EQUAL("405 METHOD_NOT_ALLOWED",
                 problem_of(call("GET", "/v1/join/registrations")).c_str());
}

TEST(JoinApi, a_body_that_is_no_json_or_has_another_type_is_told_so) {
    STRCMP_EQUAL("400 INVALID_INPUT",
                 problem_of(call("POST", "/v1/join/registrations", "{")).c_str());
    STRCMP_EQUAL("400 INVALID_INPUT", problem_of(call("POST", "/v1/join/registrations")).c_str());
    link::ServerRequest form = request("POST", "/v1/join/registrations", "a=b");
    form.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    STRCMP_EQUAL("415 UNSUPPORTED_MEDIA_TYPE", problem_of(handler(form)).c_str());
    link::ServerRequest charset = request("POST", "/v1/join/registrations", "{}");
    charset.headers = {{"Content-Type", "application/json; charset=utf-8"}};
    LONGS_EQUAL(400, handler(charset).status);
}

TEST(JoinApi, a_body_past_its_limit_is_413) {
    link::ServerRequest large = request("POST", "/v1/join/registrations");
    large.body_too_large = true;
    STRCMP_EQUAL("413 PAYLOAD_TOO_LARGE", problem_of(handler(large)).c_str());
    LONGS_EQUAL(256 << 10, join_api::body_limit("POST", "/v1/join/registrations"));
    LONGS_EQUAL(1 << 20, join_api::body_limit("POST", path_of("nj-a") + "/reveal"));
    LONGS_EQUAL(1 << 20, join_api::body_limit("PUT", path_of("nj-a") + "/inventory"));
    LONGS_EQUAL(256 << 10, join_api::body_limit("POST", "/v1/members/self/heartbeat"));
    CHECK_TRUE(join_api::body_limit("POST", "/nowhere") <= 4096);
}

TEST(JoinApi, another_key_is_403) {
    const std::string id = world.pending(machine);
    link::ServerRequest other = request("GET", path_of(id));
    other.client_key = Machine(2).key;
    STRCMP_EQUAL("403 JOIN_KEY_MISMATCH", problem_of(handler(other)).c_str());
}

TEST(JoinApi, refused_reports_and_reveals_are_in_the_audit_and_refused_looks_are_not) {
    const std::string id = world.registered(machine);
    const auto rows = [&] {
        std::string told;
        const auto page = world.founder->audit({});
        for (auto one = page->entries.rbegin(); one != page->entries.rend(); ++one) {
            if (one->result != "refused") continue;
            told.append(one->action).append(" ").append(one->object).append(" ");
            told.append(one->detail, 0, one->detail.find(':')).append("\n");
        }
        return told;
    };
    link::ServerRequest other = request("POST", path_of(id) + "/reveal", "{}");
    other.client_key = Machine(2).key;
    LONGS_EQUAL(403, handler(other).status);
    other.client_key.reset();
    LONGS_EQUAL(401, handler(other).status);
    LONGS_EQUAL(400, call("POST", path_of(id) + "/reveal", "{").status);
    LONGS_EQUAL(400, call("PUT", path_of(id) + "/inventory", "{}").status);
    LONGS_EQUAL(404, call("POST", path_of("nj-00000000") + "/progress", R"({"attempt":1})").status);
    LONGS_EQUAL(403, call("POST", "/v1/members/self/heartbeat",
                          R"({"generationApplied":1,"healthy":true,"complaints":[]})")
                         .status);
    LONGS_EQUAL(400, call("POST", "/v1/join/registrations", R"({"release":1})").status);
    const std::string key = "key/" + machine.key.str();
    STRCMP_EQUAL(("cluster.join.revealed join/" + id + " JOIN_KEY_MISMATCH\n" +
                  "cluster.join.revealed join/" + id + " UNAUTHENTICATED\n" +
                  "cluster.join.revealed join/" + id + " INVALID_INPUT\n" +
                  "cluster.join.inventory-replaced join/" + id + " INVALID_INPUT\n" +
                  "cluster.join.reported join/nj-00000000 NOT_FOUND\n" +
                  "cluster.member.reported " + key + " JOIN_KEY_MISMATCH\n" +
                  "cluster.join.registered " + key + " INVALID_INPUT\n")
                     .c_str(),
                 rows().c_str());
    const std::string before = rows();
    other.method = "GET";
    other.path = path_of(id);
    LONGS_EQUAL(401, handler(other).status);
    LONGS_EQUAL(404, call("GET", path_of("nj-00000000")).status);
    STRCMP_EQUAL(before.c_str(), rows().c_str());
}

TEST(JoinApi, a_failed_reveal_is_told_by_the_end_of_its_join_alone) {
    const std::string id = world.registered(machine);
    const std::size_t before = world.founder->audit({})->entries.size();
    machine.nonce.fill(7);
    STRCMP_EQUAL("PAIRING_FAILED", code_of(world.reveal(machine, id)).c_str());
    LONGS_EQUAL(before + 1, world.founder->audit({})->entries.size());
}

TEST(JoinApi, the_view_has_an_etag_and_is_304_when_known) {
    const std::string id = world.pending(machine);
    const auto view = call("GET", path_of(id));
    LONGS_EQUAL(200, view.status);
    STRCMP_EQUAL(etag_of(world.record(id)).c_str(), header_of(view, "ETag")->c_str());
    link::ServerRequest known = request("GET", path_of(id));
    known.headers = {{"If-None-Match", *header_of(view, "ETag")}};
    const auto same = handler(known);
    LONGS_EQUAL(304, same.status);
    STRCMP_EQUAL("", same.body.c_str());
}

TEST(JoinApi, without_if_none_match_a_wait_is_answered_at_once) {
    const std::string id = world.pending(machine);
    link::ServerRequest waiting = request("GET", path_of(id));
    waiting.query = "wait=30";
    LONGS_EQUAL(200, handler(waiting).status);
    waiting.query = "wait=soon";
    STRCMP_EQUAL("400 INVALID_INPUT", problem_of(handler(waiting)).c_str());
}

TEST(JoinApi, a_held_view_is_answered_when_it_changes) {
    const std::string id = world.pending(machine);
    link::ServerRequest waiting = request("GET", path_of(id));
    waiting.query = "wait=30";
    waiting.headers = {{"If-None-Match", etag_of(world.record(id))}};
    std::thread person([&] { (void)world.reject(id); });
    const auto answer = handler(waiting);
    person.join();
    LONGS_EQUAL(200, answer.status);
    CHECK_TRUE(answer.body.find("rejected") != std::string::npos);
}

TEST(JoinApi, a_held_view_ends_when_the_founder_stops) {
    const std::string id = world.pending(machine);
    link::ServerRequest waiting = request("GET", path_of(id));
    waiting.query = "wait=30";
    waiting.headers = {{"If-None-Match", etag_of(world.record(id))}};
    std::thread stopper([&] { world.founder->stop_waiting(); });
    LONGS_EQUAL(304, handler(waiting).status);
    stopper.join();
}

TEST(JoinApi, node_yaml_and_bundle_come_with_their_sha256) {
    const std::string id = world.delivering(machine, "beta");
    for (const char* file : {"/node.yaml", "/bundle"}) {
        const auto answer = call("GET", path_of(id) + file);
        LONGS_EQUAL(200, answer.status);
        LONGS_EQUAL(64, header_of(answer, "X-Content-SHA256")->size());
    }
}

TEST(JoinApi, node_yaml_before_the_delivery_is_409) {
    const std::string id = world.pending(machine);
    STRCMP_EQUAL("409 JOIN_STATE_CONFLICT",
                 problem_of(call("GET", path_of(id) + "/node.yaml")).c_str());
}

TEST(JoinApi, progress_answers_the_last_line_kept) {
    const std::string id = world.delivering(machine, "beta");
    link::Progress report;
    report.log = {{1, 1'796'040'000, "hello"}};
    const auto answer = call("POST", path_of(id) + "/progress", write_json(link::to_node(report)));
    STRCMP_EQUAL(R"({"lastSeq":1})", answer.body.c_str());
}

TEST(JoinApi, a_heartbeat_of_a_member_is_answered_and_of_a_stranger_refused) {
    STRCMP_EQUAL("403 JOIN_KEY_MISMATCH",
                 problem_of(call("POST", "/v1/members/self/heartbeat", "{}")).c_str());
    world.joined(machine, "beta");
    const auto answer = call("POST", "/v1/members/self/heartbeat",
                             write_json(link::to_node(link::Heartbeat{2, true, {}})));
    LONGS_EQUAL(200, answer.status);
}

TEST(JoinApi, problems_carry_the_requests_id_and_path) {
    const auto answer = call("GET", path_of("nj-nothere0"));
    STRCMP_EQUAL("application/problem+json", answer.content_type.c_str());
    const Node body = *parse_json(answer.body).root;
    STRCMP_EQUAL("0123456789abcdef", body.find("requestId")->as_string().c_str());
    STRCMP_EQUAL(path_of("nj-nothere0").c_str(), body.find("instance")->as_string().c_str());
}

TEST(JoinApi, head_and_options_are_answered_on_every_route) {
    const std::string id = world.pending(machine);
    LONGS_EQUAL(200, call("HEAD", path_of(id)).status);
    const auto options = call("OPTIONS", path_of(id) + "/reveal");
    LONGS_EQUAL(204, options.status);
    STRCMP_EQUAL("OPTIONS, POST", header_of(options, "Allow")->c_str());
    STRCMP_EQUAL("404 NOT_FOUND", problem_of(call("OPTIONS", "/nowhere")).c_str());
}

TEST(JoinApi, accept_must_allow_what_it_answers) {
    const std::string id = world.pending(machine);
    link::ServerRequest picture = request("GET", path_of(id));
    picture.headers = {{"Accept", "image/png"}};
    STRCMP_EQUAL("406 NOT_ACCEPTABLE", problem_of(handler(picture)).c_str());
    picture.path += "/bundle";
    picture.headers = {{"Accept", "application/x-tar"}};
    STRCMP_EQUAL("409 JOIN_STATE_CONFLICT", problem_of(handler(picture)).c_str());
}

TEST(JoinApi, a_held_view_is_answered_at_once_when_connections_are_few) {
    const std::string id = world.pending(machine);
    link::ServerRequest waiting = request("GET", path_of(id));
    waiting.query = "wait=30";
    waiting.headers = {{"If-None-Match", etag_of(world.record(id))}};
    waiting.is_crowded = [] { return true; };
    const auto answer = handler(waiting);
    LONGS_EQUAL(304, answer.status);
    CHECK_TRUE(answer.close);
}

TEST(JoinApi, an_address_that_asks_too_often_is_429_and_told_when) {
    const std::string id = world.pending(machine);
    for (int i = 0; i < 2000; ++i) (void)world.founder->count_request(machine.address);
    const auto answer = call("GET", path_of(id));
    STRCMP_EQUAL("429 TOO_MANY_REQUESTS", problem_of(answer).c_str());
    STRCMP_EQUAL("1", header_of(answer, "Retry-After")->c_str());
    link::ServerRequest other = request("GET", path_of(id));
    other.remote_address = "10.20.0.99";
    LONGS_EQUAL(200, handler(other).status);
}

} // namespace stratum::founder
