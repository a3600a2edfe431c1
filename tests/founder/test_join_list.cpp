// The list of joins as text, which is kept while the store stays as it is.
#include "common/base/document.hpp"
#include "founder/answer_cache.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(JoinList) {
    World world;

    static std::size_t listed(Founder & founder, const JoinQuery& query = {}) {
        const auto text = founder.join_list(query);
        CHECK_TRUE(text.has_value());
        const Parsed parsed = parse_json(*text);
        CHECK_TRUE(parsed.root.has_value());
        return parsed.root->find("joins")->items().size();
    }
};

TEST(JoinList, shows_at_once_what_this_founder_changed) {
    LONGS_EQUAL(0, listed(*world.founder));
    const std::string id = world.pending(Machine(1));
    LONGS_EQUAL(1, listed(*world.founder));
    LONGS_EQUAL(1, listed(*world.founder));
    CHECK_TRUE(world.reject(id).has_value());
    CHECK_TRUE(world.founder->join_list({})->find("rejected") != std::string::npos);
}

TEST(JoinList, shows_at_once_what_another_founder_changed) {
    const auto another = world.another_founder();
    LONGS_EQUAL(0, listed(*another));
    LONGS_EQUAL(0, listed(*another));
    world.pending(Machine(1));
    LONGS_EQUAL(1, listed(*another));
}

TEST(JoinList, another_question_gets_its_own_answer) {
    world.pending(Machine(1));
    world.pending(Machine(2));
    LONGS_EQUAL(2, listed(*world.founder));
    LONGS_EQUAL(1, listed(*world.founder, {{}, 1, ""}));
    LONGS_EQUAL(0, listed(*world.founder, {JoinState::kRejected, 100, ""}));
    LONGS_EQUAL(2, listed(*world.founder, {JoinState::kPending, 100, ""}));
    CHECK_FALSE(world.founder->join_list({{}, 100, "no cursor"}).has_value());
}

TEST(JoinList, a_summary_is_short_of_what_only_the_whole_join_tells) {
    const std::string id = world.pending(Machine(1));
    const std::string text = world.founder->join_list({}).value();
    for (const char* name : {"inventory", "log", "steps", "keyFingerprint"})
        CHECK_TRUE(text.find('"' + std::string(name) + '"') == std::string::npos);
    CHECK_TRUE(text.find("pairingCode") != std::string::npos);
}

TEST_GROUP(AnswerCache){};

TEST(AnswerCache, a_text_holds_for_its_version_and_key) {
    AnswerCache cache;
    CHECK_FALSE(cache.find(0, "a").has_value());
    cache.keep(7, "a", "text");
    STRCMP_EQUAL("text", cache.find(7, "a").value_or("none").c_str());
    CHECK_FALSE(cache.find(7, "b").has_value());
    CHECK_FALSE(cache.find(8, "a").has_value());
    cache.keep(8, "b", "other");
    CHECK_FALSE(cache.find(7, "a").has_value());
    CHECK_FALSE(cache.find(8, "a").has_value());
}

TEST(AnswerCache, holds_few_texts_and_none_that_is_huge) {
    AnswerCache cache;
    cache.keep(1, "huge", std::string(1u << 20, 'x'));
    CHECK_FALSE(cache.find(1, "huge").has_value());
    for (int i = 0; i < 100; ++i) cache.keep(1, std::to_string(i), "text");
    int found = 0;
    for (int i = 0; i < 100; ++i) found += cache.find(1, std::to_string(i)) ? 1 : 0;
    CHECK_TRUE(found >= 1 && found <= 8);
}

} // namespace stratum::founder
