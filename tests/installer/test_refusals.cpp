// Every code that the founder can answer with has a row, and a console that says what to do.
#include <set>

#include "common/base/text.hpp"
#include "installer/refusals.hpp"
#include "tests/installer/join_world.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;
using fakes::JoinWorld;

namespace {

Refusal problem(std::string_view code) {
    Refusal refusal;
    refusal.kind = Refusal::Kind::kProblem;
    refusal.code = code;
    return refusal;
}

} // namespace

TEST_GROUP(Refusals){};

TEST(Refusals, NoCodeStandsTwiceAndEachRowSpeaks) {
    std::set<std::string_view> seen;
    for (const RefusalRow& row : refusal_rows()) {
        CHECK(seen.insert(row.code).second);
        CHECK(!row.message.empty());
        CHECK(row_of(problem(row.code)).code == row.code);
    }
}

TEST(Refusals, ACodeCountsOnlyFromAProblem) {
    Refusal refusal = problem("JOIN_CODE_INVALID");
    CHECK(row_of(refusal).remedy == Remedy::kAskCode);
    refusal.kind = Refusal::Kind::kUnreachable;
    CHECK(row_of(refusal).remedy == Remedy::kRetry);
    refusal.kind = Refusal::Kind::kWrongKey;
    CHECK(row_of(refusal).message.find("another key") != std::string_view::npos);
    CHECK(row_of(problem("SOMETHING_NEW")).remedy == Remedy::kRetry);
}

TEST(Refusals, EveryCodeAtRegistrationIsToldAndNoneEndsTheProgram) {
    for (const RefusalRow& row : refusal_rows()) {
        JoinWorld world;
        world.options.code.argument = world.founder.uri(world.founder.make_code());
        link::HttpAnswer answer;
        answer.status = 409;
        answer.body = R"({"type":"x","title":"t","status":409,"detail":"the detail","code":")" +
                      std::string(row.code) + "\"}";
        for (int at = 0; at < 100; ++at) world.founder.instead.push_back(answer);
        world.most_waits = 5;
        CHECK(world.run().value() == JoinOutcome::kStopped);
        const JoinProgress& shown = world.shown();
        const std::string reason = shown.retry ? shown.retry->reason : shown.error;
        CHECK(reason.find("the detail") != std::string::npos);
        CHECK(shown.message == row.message);
        CHECK(shown.next_step == row.next_step);
        LONGS_EQUAL(0, world.founder.count("POST", "/reveal"));
    }
}

TEST(Refusals, AnAnswerThatIsNoneOfTheProtocolIsTriedAgain) {
    for (const std::string& body :
         {std::string("<html>captive portal</html>"), std::string("{}"), std::string(),
          std::string(R"({"id":"../../etc","state":"pending"})")}) {
        JoinWorld world;
        world.options.code.argument = world.founder.uri(world.founder.make_code());
        for (int at = 0; at < 3; ++at) world.founder.instead.push_back({200, {}, body});
        world.stop_when = [](const JoinProgress& shown) {
            return shown.state == JoinerState::kWaiting;
        };
        CHECK(world.run().value() == JoinOutcome::kStopped);
        CHECK(world.shown().state == JoinerState::kWaiting);
    }
}

TEST(Refusals, ARedirectIsNotFollowed) {
    JoinWorld world;
    world.options.code.argument = world.founder.uri(world.founder.make_code());
    world.founder.instead.push_back({307, {{"Location", "https://10.0.0.66/"}}, ""});
    world.stop_when = [](const JoinProgress& shown) {
        return shown.state == JoinerState::kWaiting;
    };
    CHECK(world.run().value() == JoinOutcome::kStopped);
    for (const auto& seen : world.founder.seen) CHECK(seen.path.starts_with("/v1/join/"));
}
