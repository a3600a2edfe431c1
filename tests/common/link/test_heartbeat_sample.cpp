// The report of a machine's substrate inside a heartbeat: whatever it is, it goes through as it is.

#include "common/link/messages.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;

namespace {

Heartbeat read(const std::string& text, bool is_right = true) {
    Findings findings;
    Heartbeat beat = read_heartbeat(*parse_json(text).root, findings);
    CHECK_EQUAL(is_right, findings.empty());
    return beat;
}

} // namespace

TEST_GROUP(HeartbeatSample){};

TEST(HeartbeatSample, GoesThroughAndAnAbsentOneStaysAbsent) {
    Heartbeat beat;
    CHECK_FALSE(read(write_json(to_node(beat))).compatibility.has_value());
    beat.compatibility = Node::object().set("components", Node::array());
    CHECK_TRUE(read(write_json(to_node(beat))).compatibility == beat.compatibility);
}

TEST(HeartbeatSample, OfAnyKindItMakesNoHeartbeatWrong) {
    const std::string rest = R"({"generationApplied":1,"healthy":true,"compatibility":)";
    for (const char* sample : {R"("x")", "7", "true", "[]", "[[[]]]", "{}"})
        CHECK_TRUE(read(rest + sample + "}").compatibility.has_value());
    CHECK_FALSE(read(rest + "null}").compatibility.has_value());
}

TEST(HeartbeatSample, WhatElseIsWrongStaysWrong) {
    read(R"({"generationApplied":1,"compatibility":{}})", false);
}

TEST(HeartbeatSample, ARefusalComesWithTheAnswerAndAnAbsentOneMeansTaken) {
    HeartbeatAnswer answer;
    Findings findings;
    CHECK_TRUE(to_node(answer).find("sampleRefused") == nullptr);
    answer.sample_refused = "components: is missing";
    const Node node = *parse_json(write_json(to_node(answer))).root;
    STRCMP_EQUAL("components: is missing",
                 read_heartbeat_answer(node, findings).sample_refused.c_str());
    CHECK_TRUE(findings.empty());
}
