#include "founder/secret_words.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(SecretWords){};

TEST(SecretWords, tokens_and_codes_are_taken_out_wherever_they_stand) {
    const auto gone = [](const char* text) { return without_secrets(text); };
    STRCMP_EQUAL("/v1/admin/tokens/[a token]", gone("/v1/admin/tokens/fbt_aB3").c_str());
    STRCMP_EQUAL("a [a token], b", gone("a xfbt_aB3-_, b").c_str());
    STRCMP_EQUAL("([a join code])", gone("(2345-6789-ABCD-EFGH)").c_str());
    STRCMP_EQUAL("[a join code]", gone("23456789abcdefgh").c_str());
    STRCMP_EQUAL("stratum-join://h:1/[a join code]?k=00",
                 gone("stratum-join://h:1/2345-6789-ABCD-EFGH?k=00").c_str());
    STRCMP_EQUAL("“[a pairing code]”", gone("“56K-AD2”").c_str());
}

TEST(SecretWords, other_words_stay) {
    for (const char* text : {"", "join/nj-8w2k4m1p", "token/tk-00000000", "member/n-alpha", "key/",
                             "abc-def", "10.20.0.1 and 2001:db8::1", "revision 3",
                             "node-01-rack-02", "0123456789abcdef", "a  b\n\xff"})
        STRCMP_EQUAL(text, without_secrets(text).c_str());
}

} // namespace stratum::founder
