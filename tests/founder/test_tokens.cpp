// Tokens as whoever calls is known by them; what is kept of them between calls is never old.
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(KnownTokens) {
    World world;
    std::unique_ptr<Founder> another = world.another_founder();
    MadeToken made = *world.founder->create_token("console", Node::object(), world.admin);

    std::string known(Founder & founder) {
        const auto token = founder.authenticate(made.token);
        return token ? token->id : code_of(token);
    }
};

TEST(KnownTokens, a_token_is_known_to_each_founder_at_once_and_again) {
    for (int i = 0; i < 3; ++i) {
        STRCMP_EQUAL(made.record.id.c_str(), known(*world.founder).c_str());
        STRCMP_EQUAL(made.record.id.c_str(), known(*another).c_str());
    }
    CHECK_TRUE(world.founder->authenticate(made.token)->policy == made.record.policy);
}

TEST(KnownTokens, a_revoked_token_is_refused_at_once_by_each_founder_that_knew_it) {
    (void)known(*world.founder);
    (void)known(*another);
    CHECK_TRUE(world.founder->revoke_token(made.record.id, world.admin).has_value());
    STRCMP_EQUAL("UNAUTHENTICATED", known(*world.founder).c_str());
    STRCMP_EQUAL("UNAUTHENTICATED", known(*another).c_str());
}

TEST(KnownTokens, what_only_begins_or_ends_like_a_known_token_is_refused) {
    (void)known(*world.founder);
    for (const std::string& wrong : {made.token + "x", made.token + std::string(300, 'x'),
                                     made.token.substr(1), "x" + made.token, std::string()})
        STRCMP_EQUAL("UNAUTHENTICATED", code_of(world.founder->authenticate(wrong)).c_str());
}

} // namespace stratum::founder
