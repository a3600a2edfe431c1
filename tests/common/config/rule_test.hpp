// One rule, two tests: RULE(id, field, good, bad, message) makes `id_accepts`, where nothing at all
// is refused after `good` was done to the trial `t`, and `id_refuses`, where `bad` gives exactly
// that message at that field. The id is the row's, with underscores.
#pragma once

#include "tests/common/config/fixture.hpp"

namespace stratum::config::test {

// Every id that has its tests; a test compares them with the table.
std::vector<std::string>& covered_rules();

struct Covered {
    explicit Covered(std::string id) {
        for (char& c : id)
            if (c == '_') c = '-';
        covered_rules().push_back(std::move(id));
    }
};

std::vector<std::string> list(std::string_view words);
std::string all_problems(const Trial& trial);

} // namespace stratum::config::test

// The group of a file's rules: define RULE_GROUP before the first RULE.
#define RULE_TEST(group, name) TEST(group, name)

#define RULE(id, field, good, bad, message)                                                        \
    static const stratum::config::test::Covered covered_##id(#id);                                 \
    RULE_TEST(RULE_GROUP, id##_accepts) {                                                          \
        Trial t;                                                                                   \
        good;                                                                                      \
        STRCMP_EQUAL("", all_problems(t).c_str());                                                 \
    }                                                                                              \
    RULE_TEST(RULE_GROUP, id##_refuses) {                                                          \
        Trial t;                                                                                   \
        bad;                                                                                       \
        STRCMP_EQUAL(message, t.at(field).c_str());                                                \
    }
