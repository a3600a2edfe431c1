#include "tests/common/config/fixture.hpp"

#include <iostream>

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

TEST_GROUP(ConfigPlan){};

TEST(ConfigPlan, AcceptsTheFixture) {
    Trial trial;
    const auto planned = trial.plan();
    if (!planned)
        for (auto& l : trial.problems()) std::cout << l << "\n";
    CHECK(planned.has_value());
    std::cout << render_node_yaml(planned->node) << write_json(to_node(planned->assignment), 2);
}
