#include "common/link/http_answer.hpp"
#include "common/link/http_client.hpp"
#include "common/link/http_values.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;

TEST_GROUP(HttpValues){};

TEST(HttpValues, HeadersAreFoundWithoutCaseAndWhole) {
    const Headers headers{{"ETag", "1"}, {"Etag-X", "2"}, {"etag", "3"}};
    STRCMP_EQUAL("1", find_header(headers, "etag")->c_str());
    CHECK_FALSE(find_header(headers, "eta").has_value());
    CHECK_FALSE(find_header({}, "etag").has_value());
}

TEST(HttpValues, HeadersThatCannotStandInHttpAreNone) {
    CHECK(is_header("X-Request-Id", "a b\tc \xc3\xa9"));
    CHECK(is_header("If-Match", ""));
    for (const char* name : {"", "X Y", "X:", "X\n", "\xc3\xa9"}) CHECK_FALSE(is_header(name, "v"));
    for (const char* value : {"a\r\nb", "a\n", "\x7f", "\x01"}) CHECK_FALSE(is_header("X", value));
}

TEST(HttpValues, PathsAreDecodedOnce) {
    STRCMP_EQUAL("/", decode_path("/")->c_str());
    STRCMP_EQUAL("/a b/%41+/", decode_path("/a%20b/%2541+/")->c_str());
    STRCMP_EQUAL("/é", decode_path("/%C3%a9")->c_str());
    STRCMP_EQUAL("//...", decode_path("//...")->c_str());
}

TEST(HttpValues, PathsThatLeadOutOrDoNotDecodeAreRefused) {
    for (const char* bad : {"",        "a",    "/%",    "/%1",     "/%g0", "/%+1",    "/a%2fb",
                            "/%2F",    "/..",  "/a/..", "/a/../b", "/./a", "/%2e/a",  "/%2E%2e",
                            "/.%2e/x", "/%00", "/%0a",  "/%7f",    "/%ff", "/%c0%ae", "/\xff"}) {
        const auto path = decode_path(bad);
        CHECK_FALSE(path.has_value());
        CHECK(path.error().code == ErrorCode::kInvalid);
    }
}

TEST(HttpValues, AWholeAddressIsThePathInIt) {
    const auto path = [](const char* target) { return target_path("GET", target).value_or("-"); };
    STRCMP_EQUAL("/a b", path("/a%20b").c_str());
    STRCMP_EQUAL("/a", path("https://host/a").c_str());
    STRCMP_EQUAL("/a/b", path("HTTPS://Host.Example:8443/a/b").c_str());
    STRCMP_EQUAL("/", path("https://[::1]:1").c_str());
    STRCMP_EQUAL("//a", path("https://host//a").c_str());
}

TEST(HttpValues, TargetsOfAnotherKindAreRefused) {
    for (const char* bad : {"", "*", "a", "http://host/a", "https:/host/a", "https:///a",
                            "https://:1/a", "https://u@host/a", "https://host:x/a",
                            "https://host:65536/a", "https://[::1/a", "https://[x]/a", "host:443",
                            "/a#b", "/a b", "/\xc3\xa9", "https://h\\a", "https://h/a/../b"})
        CHECK_FALSE(target_path("GET", bad).has_value());
}

TEST(HttpValues, AnAsteriskIsForOptionsAlone) {
    STRCMP_EQUAL("*", target_path("OPTIONS", "*")->c_str());
    for (const char* method : {"GET", "HEAD", "POST", "options"})
        CHECK_FALSE(target_path(method, "*").has_value());
    CHECK_FALSE(target_path("OPTIONS", "**").has_value());
}

TEST(HttpValues, AHostIsANameOrAnAddressAndAPort) {
    for (const char* good :
         {"a", "a.b-c.", "A:1", "a:", "1.2.3.4:65535", "[::1]", "[2001:db8::1]:2"})
        CHECK(is_host(good));
    for (const char* bad :
         {"", ":1", "a b", "a/b", "a@b", "a:b", "a:65536", "a:000001", "a:1:2", "[::1", "::1]",
          "[::1]x", "[::1]x:1", "[1.2.3]", "a?b", "a#", "\xc3\xa9"})
        CHECK_FALSE(is_host(bad));
}

TEST(HttpValues, AWordIsFoundInAnyLineOfAList) {
    const Headers headers{{"Connection", "a, Keep-Alive"}, {"connection", "close"}};
    CHECK(lists_word(headers, "Connection", "keep-alive"));
    CHECK(lists_word(headers, "CONNECTION", "close"));
    CHECK_FALSE(lists_word(headers, "Connection", "keep"));
    CHECK_FALSE(lists_word({{"Connection", "not-close"}}, "Connection", "close"));
    CHECK_FALSE(lists_word({}, "Connection", "close"));
}

TEST(HttpValues, QueryParametersAreDecodedAndTheFirstCounts) {
    const auto value = [](std::string_view query, std::string_view name) {
        return query_parameter(query, name).value_or("-");
    };
    STRCMP_EQUAL("30", value("wait=30&x=1", "wait").c_str());
    STRCMP_EQUAL("", value("a&b=", "a").c_str());
    STRCMP_EQUAL("", value("a&b=", "b").c_str());
    STRCMP_EQUAL("a b=c", value("q=a+b%3dc", "q").c_str());
    STRCMP_EQUAL("1", value("x=1&x=2", "x").c_str());
    STRCMP_EQUAL("1", value("%78=1", "x").c_str());
    STRCMP_EQUAL("-", value("", "x").c_str());
    STRCMP_EQUAL("-", value("xx=1", "x").c_str());
    STRCMP_EQUAL("-", value("x=%f", "x").c_str());
    STRCMP_EQUAL("-", value("x=%ff", "x").c_str());
}

TEST(HttpValues, AnyTextIsOneSegmentOnceEncoded) {
    STRCMP_EQUAL("nj-8w2k4m1p._~", encode_segment("nj-8w2k4m1p._~").c_str());
    STRCMP_EQUAL("a%2Fb%3Fc%23d%20%25%2B%26", encode_segment("a/b?c#d %+&").c_str());
    STRCMP_EQUAL("%C3%A4%0A%00", encode_segment(std::string_view("\xc3\xa4\n\0", 4)).c_str());
    STRCMP_EQUAL("", encode_segment("").c_str());
    for (const char* path : {"/", "/a b/%41+/", "/é//x"})
        STRCMP_EQUAL(path, decode_path(encode_path(path))->c_str());
}

TEST(HttpValues, DatesAreAsHttpWritesThem) {
    STRCMP_EQUAL("Thu, 01 Jan 1970 00:00:00 GMT", http_date(0).c_str());
    STRCMP_EQUAL("Mon, 30 Nov 2026 12:34:56 GMT", http_date(1796042096).c_str());
    STRCMP_EQUAL("Thu, 29 Feb 2024 23:59:59 GMT", http_date(1709251199).c_str());
    STRCMP_EQUAL("Thu, 01 Jan 1970 00:00:00 GMT", http_date(-5).c_str());
}

TEST(HttpValues, StatusesHaveTheirWords) {
    STRCMP_EQUAL("Not Found", std::string(reason_phrase(404)).c_str());
    STRCMP_EQUAL("Status", std::string(reason_phrase(299)).c_str());
    for (const ProblemInfo& info : all_problems()) CHECK(reason_phrase(info.status) != "Status");
}

TEST_GROUP(AnswerHeads) {
    ServerAnswer answer;
    HeadOptions options;
    [[nodiscard]] bool head_has(const std::string& line) const {
        return head_of(answer, "0123456789abcdef", options).find(line + "\r\n") !=
               std::string::npos;
    }
};

TEST(AnswerHeads, SayLengthTypeAndDefaults) {
    answer.body = "hello";
    STRCMP_EQUAL("HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
                 "Content-Type: application/json\r\nContent-Length: 5\r\n"
                 "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                 "Referrer-Policy: no-referrer\r\n"
                 "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
                 "X-Request-Id: 0123456789abcdef\r\nConnection: keep-alive\r\n\r\n",
                 head_of(answer, "0123456789abcdef", options).c_str());
    options.keep_alive = false;
    CHECK(head_has("Connection: close"));
}

TEST(AnswerHeads, APageAloneAsksForTlsInTheFuture) {
    CHECK_FALSE(head_has("Strict-Transport-Security: max-age=86400"));
    answer.content_type = "text/html; charset=utf-8";
    CHECK(head_has("Strict-Transport-Security: max-age=86400"));
    CHECK(head_has("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'"));
    answer.headers = {{"content-security-policy", "default-src 'self'"}};
    CHECK_FALSE(head_has("Content-Security-Policy: default-src 'none'; frame-ancestors 'none'"));
}

TEST(AnswerHeads, OfARefusalSayItsHeadersAndNotWhatFailedInside) {
    ServerRequest request;
    request.request_id = "0123456789abcdef";
    request.path = "/a b";
    Problem problem;
    problem.code = ProblemCode::kInternal;
    problem.detail = "disk full at /var/lib/secret";
    problem.headers = {{"Retry-After", "2"}};
    const ServerAnswer told = problem_answer(problem, request);
    LONGS_EQUAL(500, told.status);
    CHECK(told.body.find("secret") == std::string::npos);
    CHECK(told.body.find(R"("instance":"/a%20b")") != std::string::npos);
    CHECK(told.body.find(R"("requestId":"0123456789abcdef")") != std::string::npos);
    CHECK(find_header(told.headers, "retry-after") == "2");
    problem.code = ProblemCode::kNotFound;
    CHECK(problem_answer(problem, request).body.find("disk full") != std::string::npos);
    CHECK_FALSE(problem_answer(problem, request).close);
    problem.code = ProblemCode::kPayloadTooLarge;
    CHECK(problem_answer(problem, request).close);
}

TEST(HttpValues, AnEtagIsListedWeaklyOrByTheStar) {
    for (const char* header : {"\"7\"", "W/\"7\"", "\"1\", \"7\"", "*", " \"7\" "})
        CHECK(lists_etag(header, "\"7\""));
    for (const char* header : {"", "7", "\"77\"", "\"1\"", "w/\"7\""})
        CHECK_FALSE(lists_etag(header, "\"7\""));
}

TEST(AnswerHeads, LetHandlersReplaceDefaultsButNotFraming) {
    answer.headers = {{"cache-control", "max-age=9"}, {"Content-Length", "99"},
                      {"Transfer-Encoding", "x"},     {"Connection", "x"},
                      {"X-Request-Id", "x"},          {"Location", "/a"}};
    const std::string head = head_of(answer, "1", options);
    CHECK(head.find("no-store") == std::string::npos);
    CHECK(head_has("cache-control: max-age=9"));
    CHECK(head_has("Content-Length: 0"));
    CHECK(head_has("Location: /a"));
    CHECK(head.find("99") == std::string::npos);
    CHECK(head.find(": x") == std::string::npos);
}

TEST(AnswerHeads, LeaveOutHeadersThatWouldBreakOut) {
    answer.headers = {{"X-A", "b\r\nSet-Cookie: c"}, {"X B", "c"}};
    answer.content_type = "text/plain\r\nX-D: e";
    const std::string head = head_of(answer, "1", options);
    CHECK(head.find("Set-Cookie") == std::string::npos);
    CHECK(head.find("X B") == std::string::npos);
    CHECK(head.find("X-D") == std::string::npos);
}

TEST(AnswerHeads, FrameStreamsByPiecesByLengthOrByTheEnd) {
    answer.stream = [](const StreamWriter&) {};
    CHECK(framing_of(answer, options) == Framing::kChunked);
    CHECK(head_has("Transfer-Encoding: chunked"));
    options.is_old = true;
    CHECK(framing_of(answer, options) == Framing::kToEnd);
    CHECK_FALSE(head_has("Transfer-Encoding: chunked"));
    answer.headers = {{"content-length", "7"}};
    CHECK(framing_of(answer, options) == Framing::kLength);
    CHECK(head_has("Content-Length: 7"));
}

TEST(AnswerHeads, OfHeadSayWhatGetWouldHave) {
    answer.body = "hello";
    options.is_head = true;
    CHECK(framing_of(answer, options) == Framing::kNone);
    CHECK(head_has("Content-Length: 5"));
    for (const int status : {204, 304}) {
        answer.status = status;
        CHECK(head_of(answer, "1", options).find("Content-") ==
              head_of(answer, "1", options).find("Content-Type-Options"));
    }
}
