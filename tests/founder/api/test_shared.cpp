// What routes share: bodies, parameters, Accept, the token in the header.

#include "common/link/http_values.hpp"
#include "founder/api/route.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder::api {
namespace {

bool accepts(const link::ServerRequest& request, std::string_view type) {
    return link::accepts(request.header("Accept").value_or(""), type);
}

link::ServerRequest with_body(const std::string& body, const std::string& type) {
    link::ServerRequest request;
    request.body = body;
    if (!type.empty()) request.headers.emplace_back("Content-Type", type);
    return request;
}

link::ServerRequest with_query(const std::string& query) {
    link::ServerRequest request;
    request.query = query;
    return request;
}

link::ServerRequest with_header(const std::string& name, const std::string& value) {
    link::ServerRequest request;
    request.headers.emplace_back(name, value);
    return request;
}

template<class T>
std::string said(const Answer<T>& answer) {
    if (answer) return "ok";
    std::string text(link::info_of(answer.error().code).name);
    for (const Finding& finding : answer.error().errors) text += " " + finding.field;
    return text;
}

} // namespace

TEST_GROUP(JsonBody){};

TEST(JsonBody, a_json_body_is_read_whatever_the_case_and_charset_of_its_type) {
    for (const char* type : {"application/json", "Application/JSON", "application/json; charset=x",
                             " application/json "}) {
        const auto body = json_body(with_body(R"({"a": 1})", type));
        CHECK_TRUE(body.has_value());
        LONGS_EQUAL(1, body->find("a")->as_int());
    }
}

TEST(JsonBody, another_type_or_none_is_415) {
    for (const char* type : {"", "text/plain", "application/jsonx", "application/problem+json"})
        STRCMP_EQUAL("UNSUPPORTED_MEDIA_TYPE", said(json_body(with_body("{}", type))).c_str());
}

TEST(JsonBody, an_empty_body_is_an_empty_object_only_where_it_may_be) {
    CHECK_TRUE(json_body(with_body("", ""), true)->is_object());
    STRCMP_EQUAL("UNSUPPORTED_MEDIA_TYPE", said(json_body(with_body("", ""))).c_str());
    STRCMP_EQUAL("INVALID_INPUT ", said(json_body(with_body("", "application/json"))).c_str());
}

TEST(JsonBody, a_body_past_the_limit_is_413_before_anything_else) {
    link::ServerRequest request = with_body("", "text/plain");
    request.body_too_large = true;
    STRCMP_EQUAL("PAYLOAD_TOO_LARGE", said(json_body(request, true)).c_str());
}

TEST(JsonBody, what_json_forbids_is_told_at_its_place) {
    STRCMP_EQUAL(
        "INVALID_INPUT a.b",
        said(json_body(with_body(R"({"a": {"b": 1, "b": 2}})", "application/json"))).c_str());
    STRCMP_EQUAL("INVALID_INPUT ", said(json_body(with_body("{", "application/json"))).c_str());
}

TEST_GROUP(Parameters){};

TEST(Parameters, a_number_in_its_range_is_taken) {
    LONGS_EQUAL(1, **number_parameter(with_query("limit=1"), "limit", 1, 1000));
    LONGS_EQUAL(1000, **number_parameter(with_query("limit=1000"), "limit", 1, 1000));
    CHECK_FALSE(number_parameter(with_query(""), "limit", 1, 1000)->has_value());
}

TEST(Parameters, any_other_number_is_400_at_its_name) {
    for (const char* query : {"limit=0", "limit=1001", "limit=", "limit", "limit=-1", "limit=1.0",
                              "limit=01", "limit=99999999999999999999", "limit=1%20"})
        STRCMP_EQUAL("INVALID_INPUT limit",
                     said(number_parameter(with_query(query), "limit", 1, 1000)).c_str());
}

TEST(Parameters, a_flag_is_true_or_false_and_nothing_else) {
    CHECK_TRUE(*flag_parameter(with_query("dryRun=true"), "dryRun"));
    CHECK_FALSE(*flag_parameter(with_query("dryRun=false"), "dryRun"));
    CHECK_FALSE(*flag_parameter(with_query(""), "dryRun"));
    for (const char* query : {"dryRun", "dryRun=1", "dryRun=True", "dryRun=yes"})
        STRCMP_EQUAL("INVALID_INPUT dryRun",
                     said(flag_parameter(with_query(query), "dryRun")).c_str());
}

TEST(Parameters, only_known_ones_once_each_and_decodable) {
    STRCMP_EQUAL("ok", said(known_parameters(with_query(""), "")).c_str());
    STRCMP_EQUAL("ok", said(known_parameters(with_query("&a=1&b=%C3%A4&"), "a b")).c_str());
    STRCMP_EQUAL("INVALID_INPUT c A",
                 said(known_parameters(with_query("a=1&c=2&A=3"), "a b")).c_str());
    STRCMP_EQUAL("INVALID_INPUT a", said(known_parameters(with_query("a=1&a=1"), "a")).c_str());
    STRCMP_EQUAL("INVALID_INPUT a", said(known_parameters(with_query("a=%zz"), "a")).c_str());
    STRCMP_EQUAL("INVALID_INPUT a", said(known_parameters(with_query("a=%ff"), "a")).c_str());
    STRCMP_EQUAL("INVALID_INPUT %61", said(known_parameters(with_query("%61=1"), "a")).c_str());
}

TEST_GROUP(Accept){};

TEST(Accept, ranges_that_hold_the_type_allow_it) {
    CHECK_TRUE(accepts(link::ServerRequest(), "application/json"));
    for (const char* value :
         {"", "*/*", "application/*", "Application/JSON", "text/html, application/json",
          "image/png,*/*;q=0.1", "application/json;charset=utf-8", "application/json;q=0.001"})
        CHECK_TRUE(accepts(with_header("Accept", value), "application/json"));
}

TEST(Accept, others_do_not) {
    for (const char* value : {"text/html", "image/*", "application/jsonx", "application",
                              "application/json;q=0", "*/*;q=0.000", "json"})
        CHECK_FALSE(accepts(with_header("Accept", value), "application/json"));
}

TEST(Accept, the_most_specific_range_decides) {
    CHECK_FALSE(accepts(with_header("Accept", "*/*, application/json;q=0"), "application/json"));
    CHECK_TRUE(accepts(with_header("Accept", "*/*;q=0, application/json"), "application/json"));
    CHECK_FALSE(accepts(with_header("Accept", "application/*;q=0, */*"), "application/json"));
}

TEST(Accept, an_answer_without_a_body_asks_nobody) {
    CHECK_TRUE(accepts(with_header("Accept", "image/png"), ""));
}

TEST_GROUP(Bearer){};

TEST(Bearer, the_token_stands_behind_its_scheme) {
    for (const char* value : {"Bearer abc", "bearer abc", "BEARER  abc "})
        STRCMP_EQUAL("abc", bearer_of(with_header("Authorization", value))->c_str());
}

TEST(Bearer, another_scheme_or_none_is_no_token) {
    CHECK_FALSE(bearer_of(link::ServerRequest()).has_value());
    for (const char* value : {"Basic abc", "abc", "Bearerabc", ""})
        CHECK_FALSE(bearer_of(with_header("Authorization", value)).has_value());
}

} // namespace stratum::founder::api
