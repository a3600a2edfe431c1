// What a person types stays one segment of a path, and one value of a query.

#include "common/base/text.hpp"
#include "ctl/paths.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {
namespace {

Arguments typed(const IdKind& kind, const std::string& word) {
    Arguments arguments;
    arguments.set(kind.argument, {word});
    return arguments;
}

} // namespace

TEST_GROUP(CtlPaths){};

TEST(CtlPaths, an_id_of_its_kind_is_a_segment) {
    STRCMP_EQUAL("/joins/nj-8w2k4m1p/retry",
                 path_of(typed(kJoinId, "nj-8w2k4m1p"), kJoinId, "/joins", "/retry")->c_str());
    STRCMP_EQUAL("/codes/6e66640c",
                 path_of(typed(kCodeId, "6e66640c"), kCodeId, "/codes")->c_str());
    STRCMP_EQUAL("/tokens/tk-4m1p8w2k",
                 path_of(typed(kTokenId, "tk-4m1p8w2k"), kTokenId, "/tokens")->c_str());
}

TEST(CtlPaths, a_word_that_is_no_id_is_refused_with_what_one_looks_like) {
    for (const char* word :
         {"", "nj-", "nj-a/reject", "nj-a?force=1", "nj-a b", "nj-ä", "nj-a%2f", "..", ".",
          "nj-../x", "NJ-8w2k4m1p", "tk-4m1p8w2k", "nj-a\n", "nj-a#b"}) {
        const auto path = path_of(typed(kJoinId, word), kJoinId, "/joins");
        CHECK_FALSE(path.has_value());
        CHECK_TRUE(path.error().code == ErrorCode::kInvalid);
        CHECK_TRUE(path.error().message.find("begins with nj-") != std::string::npos);
        CHECK_TRUE(is_utf8(path.error().message));
    }
}

TEST(CtlPaths, a_word_of_the_api_itself_is_no_id) {
    // DELETE …/join-codes/pause would let strangers register again.
    CHECK_FALSE(path_of(typed(kCodeId, "pause"), kCodeId, "/join-codes").has_value());
    CHECK_FALSE(path_of(typed(kCodeId, "6E66640C"), kCodeId, "/join-codes").has_value());
    CHECK_FALSE(path_of(typed(kCodeId, "6e66640c0"), kCodeId, "/join-codes").has_value());
}

TEST(CtlPaths, an_argument_that_was_not_given_is_no_id) {
    CHECK_FALSE(path_of(Arguments(), kTokenId, "/tokens").has_value());
}

TEST(CtlPaths, a_value_of_a_query_cannot_end_it) {
    STRCMP_EQUAL("/joins?state=a%26limit%3D1%23%20%C3%A4",
                 with_parameter("/joins", "state", "a&limit=1# ä").c_str());
    STRCMP_EQUAL("/joins?limit=1&cursor=7",
                 with_parameter(with_parameter("/joins", "limit", "1"), "cursor", "7").c_str());
}

} // namespace stratum::ctl
