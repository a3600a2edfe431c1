#include <map>
#include <set>

#include "common/link/http_answer.hpp"
#include "common/link/problem.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;

TEST_GROUP(Problems){};

TEST(Problems, TableHasEveryCodeWithItsStatus) {
    const std::map<std::string, int> expected{
        {"INVALID_INPUT", 400},
        {"UNAUTHENTICATED", 401},
        {"FORBIDDEN", 403},
        {"JOIN_CODE_INVALID", 403},
        {"JOIN_KEY_MISMATCH", 403},
        {"NOT_FOUND", 404},
        {"METHOD_NOT_ALLOWED", 405},
        {"NOT_ACCEPTABLE", 406},
        {"JOIN_STATE_CONFLICT", 409},
        {"JOIN_APPROVAL_REFUSED", 409},
        {"RELEASE_MISMATCH", 409},
        {"PAIRING_FAILED", 409},
        {"JOIN_KEY_IN_USE", 409},
        {"IDEMPOTENCY_CONFLICT", 409},
        {"PRECONDITION_FAILED", 412},
        {"PAYLOAD_TOO_LARGE", 413},
        {"UNSUPPORTED_MEDIA_TYPE", 415},
        {"RANGE_NOT_SATISFIABLE", 416},
        {"TOO_MANY_REQUESTS", 429},
        {"INTERNAL", 500},
        {"RELEASE_BUSY", 503},
    };
    std::map<std::string, int> found;
    std::set<std::string> titles;
    for (const ProblemInfo& info : all_problems()) {
        found[std::string(info.name)] = info.status;
        titles.insert(std::string(info.title));
        CHECK(&info_of(info.code) == &info);
    }
    CHECK(found == expected);
    CHECK_EQUAL(expected.size(), titles.size());
}

TEST(Problems, HaveTheMembersOfRfc9457AndOurs) {
    Problem problem;
    problem.code = ProblemCode::kJoinApprovalRefused;
    problem.detail = "2 problems";
    problem.errors = {{"links[0].interface", "there is no such NIC", {}}, {"", "all of it", {}}};
    problem.details = Node::object();
    problem.details.set("reasons", Node::array({Node::string("a"), Node::string("b")}));
    STRCMP_EQUAL(
        R"({"type":"urn:stratum:problem:join-approval-refused","title":"The approval is refused",)"
        R"("status":409,"detail":"2 problems","instance":"/v1/x","requestId":"00ff",)"
        R"("code":"JOIN_APPROVAL_REFUSED","errors":[{"field":"links[0].interface",)"
        R"("message":"there is no such NIC"},{"field":"","message":"all of it"}],)"
        R"("details":{"reasons":["a","b"]}})",
        write_json(to_node(problem, "00ff", "/v1/x")).c_str());
}

TEST(Problems, LeaveOutWhatDoesNotApplyAndCarryIssues) {
    Problem problem;
    problem.code = ProblemCode::kNotFound;
    const Node plain = to_node(problem, "1", "/");
    CHECK(plain.find("errors") == nullptr);
    CHECK(plain.find("issues") == nullptr);
    CHECK(plain.find("details") == nullptr);
    problem.issues = {{"UNKNOWN_ACTION", 0, "no such action", "ha:X"},
                      {"INVALID_DOCUMENT", -1, "no version", {}}};
    const Node node = to_node(problem, "1", "/");
    STRCMP_EQUAL(
        R"([{"code":"UNKNOWN_ACTION","statement":0,"detail":"no such action","action":"ha:X"},)"
        R"({"code":"INVALID_DOCUMENT","statement":-1,"detail":"no version"}])",
        write_json(*node.find("issues")).c_str());
}

TEST(Problems, OfInvalidInputSayEveryFinding) {
    Findings findings;
    findings.add(FieldPath().key("name"), "missing");
    STRCMP_EQUAL("name: missing", invalid_input(findings).detail.c_str());
    findings.add(FieldPath().key("mtu"), "too large");
    const Problem problem = invalid_input(findings);
    CHECK(problem.code == ProblemCode::kInvalidInput);
    CHECK_EQUAL(2u, problem.errors.size());
    CHECK(problem.detail.find("2 problems") != std::string::npos);
}

TEST(Problems, AreReadBackByAClient) {
    Problem problem;
    problem.code = ProblemCode::kInvalidInput;
    problem.detail = "d";
    problem.errors = {{"a", "b", {}}};
    problem.details = Node::object().set("k", "v");
    const auto read = read_problem(400, write_json(to_node(problem, "r1", "/p")));
    CHECK_EQUAL(400, read.status);
    STRCMP_EQUAL("INVALID_INPUT", read.code.c_str());
    STRCMP_EQUAL("The request does not decode", read.title.c_str());
    STRCMP_EQUAL("d", read.detail.c_str());
    STRCMP_EQUAL("r1", read.request_id.c_str());
    CHECK_EQUAL(1u, read.errors.size());
    STRCMP_EQUAL("a", read.errors[0].field.c_str());
    STRCMP_EQUAL("v", read.details.find("k")->as_string().c_str());
}

TEST(Problems, ThatAreNoneGiveTheBeginningOfTheBody) {
    for (const char* body : {"<html>Bad gateway</html>", "[]", "{}", "{\"title\":5}", "{\"a\":"}) {
        const auto read = read_problem(502, body);
        CHECK_EQUAL(502, read.status);
        CHECK(read.code.empty());
        CHECK(read.detail.find(std::string(body).substr(0, 3)) != std::string::npos);
    }
    CHECK(read_problem(500, "").detail.find("no body") != std::string::npos);
    CHECK(read_problem(500, "\x1b[2J" + std::string(5000, 'x')).detail.size() < 400);
    CHECK(read_problem(500, "\x1b[2J").detail.find('\x1b') == std::string::npos);
}

TEST(Problems, WithMembersOfOtherTypesAreReadWithoutThem) {
    const auto read = read_problem(
        409, R"({"title":"t","code":7,"detail":null,"errors":[5,{"field":"a"}],"requestId":[]})");
    STRCMP_EQUAL("t", read.title.c_str());
    CHECK(read.code.empty());
    CHECK_EQUAL(2u, read.errors.size());
    STRCMP_EQUAL("a", read.errors[1].field.c_str());
}

TEST(Problems, BecomeAnswersWithTheirHeaders) {
    Problem problem;
    problem.code = ProblemCode::kMethodNotAllowed;
    problem.headers = {{"Allow", "GET, POST"}};
    ServerRequest request;
    request.request_id = "0123456789abcdef";
    request.path = "/v1/x";
    const ServerAnswer answer = problem_answer(problem, request);
    CHECK_EQUAL(405, answer.status);
    STRCMP_EQUAL("application/problem+json", answer.content_type.c_str());
    STRCMP_EQUAL("Allow", answer.headers[0].first.c_str());
    CHECK(answer.body.find(R"("requestId":"0123456789abcdef")") != std::string::npos);
    CHECK(answer.body.find(R"("instance":"/v1/x")") != std::string::npos);
}

TEST(Problems, TheirInstanceIsTheEncodedPath) {
    ServerRequest request;
    request.path = "/v1/a b/\xC3\xA4";
    const ServerAnswer answer = problem_answer({}, request);
    CHECK(answer.body.find(R"("instance":"/v1/a%20b/%C3%A4")") != std::string::npos);
}
