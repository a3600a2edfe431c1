#include "installer/reporter.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::installer;

namespace {

// What the founder holds of one attempt.
struct Desk {
    std::vector<link::LogLine> log;
    std::vector<link::Step> steps;
    std::string result;
    int reports = 0;
    int lose_answers = 0;
    std::string refuse;

    Answer<std::int64_t> take(const link::Progress& report) {
        ++reports;
        Refusal refusal;
        if (!refuse.empty()) {
            refusal.kind = Refusal::Kind::kProblem;
            refusal.code = refuse;
            return tl::make_unexpected(refusal);
        }
        for (const link::LogLine& line : report.log) {
            if (log.empty() || line.seq > log.back().seq) log.push_back(line);
        }
        steps = report.steps;
        result = report.result;
        if (lose_answers > 0) {
            --lose_answers;
            return tl::make_unexpected(refusal);
        }
        return log.empty() ? 0 : log.back().seq;
    }
};

void check_no_gaps(const Desk& desk) {
    for (std::size_t at = 0; at < desk.log.size(); ++at) LONGS_EQUAL(at + 1, desk.log[at].seq);
}

} // namespace

TEST_GROUP(Reporter) {
    fakes::FakeClock clock;
    Desk desk;
    Reporter reporter{1, clock, [this](const link::Progress& report) { return desk.take(report); }};
    static link::Step step(const std::string& name, link::StepStatus status) {
        link::Step one;
        one.name = name;
        one.status = status;
        return one;
    }
};

TEST(Reporter, SendsStepsLinesAndResultOnce) {
    reporter.set_step(step("verify", link::StepStatus::kDone));
    reporter.log("one");
    reporter.log("two");
    reporter.set_result("joined");
    CHECK(reporter.flush(true).has_value());
    LONGS_EQUAL(2, desk.log.size());
    STRCMP_EQUAL("two", desk.log[1].line.c_str());
    STRCMP_EQUAL("joined", desk.result.c_str());
    CHECK(reporter.is_acknowledged());
    const int before = desk.reports;
    CHECK(reporter.flush(true).has_value());
    LONGS_EQUAL(before, desk.reports);
}

TEST(Reporter, LinesAreSentAgainAfterALostAnswerAndNothingIsKeptTwice) {
    reporter.log("one");
    CHECK(reporter.flush(true).has_value());
    reporter.log("two");
    desk.lose_answers = 1;
    CHECK(!reporter.flush(true).has_value());
    CHECK(!reporter.is_acknowledged());
    reporter.log("three");
    CHECK(reporter.flush(true).has_value());
    LONGS_EQUAL(3, desk.log.size());
    check_no_gaps(desk);
    STRCMP_EQUAL("three", desk.log[2].line.c_str());
}

TEST(Reporter, AfterARestartTheNumbersGoOnWhereTheFounderStands) {
    reporter.log("one");
    reporter.log("two");
    CHECK(reporter.flush(true).has_value());
    Reporter next(1, clock, [this](const link::Progress& report) { return desk.take(report); });
    next.log("three");
    CHECK(next.flush(true).has_value());
    LONGS_EQUAL(3, desk.log.size());
    check_no_gaps(desk);
}

TEST(Reporter, AtMostOneReportASecondGoesOutUnlessAllIsAskedFor) {
    reporter.log("one");
    CHECK(reporter.flush(false).has_value());
    LONGS_EQUAL(1, desk.reports);
    CHECK(reporter.flush(false).has_value());
    LONGS_EQUAL(1, desk.reports);
    clock.advance_ms(1000);
    CHECK(reporter.flush(false).has_value());
    LONGS_EQUAL(2, desk.reports);
    LONGS_EQUAL(1, desk.log.size());
}

TEST(Reporter, ManyLinesGoInSeveralReportsAndTheResultWithTheLast) {
    for (int at = 0; at < 1300; ++at) reporter.log("line " + std::to_string(at));
    reporter.set_result("failed");
    CHECK(reporter.flush(true).has_value());
    LONGS_EQUAL(1300, desk.log.size());
    check_no_gaps(desk);
    STRCMP_EQUAL("failed", desk.result.c_str());
    CHECK(desk.reports >= 3);
}

TEST(Reporter, LinesPastTheLimitAreCountedNotForgottenInSilence) {
    for (int at = 0; at < 5010; ++at) reporter.log("x");
    CHECK(reporter.flush(true).has_value());
    reporter.log("after");
    CHECK(reporter.flush(true).has_value());
    LONGS_EQUAL(5002, desk.log.size());
    STRCMP_EQUAL("10 lines were left out here", desk.log[5000].line.c_str());
    check_no_gaps(desk);
}

TEST(Reporter, ALineIsMadeValidAndCutBetweenCharacters) {
    reporter.log("bad \xff byte");
    std::string longest;
    for (int at = 0; at < 3000; ++at) longest += "ä";
    reporter.log(longest);
    CHECK(reporter.flush(true).has_value());
    STRCMP_EQUAL("bad \xEF\xBF\xBD byte", desk.log[0].line.c_str());
    LONGS_EQUAL(4096, desk.log[1].line.size());
}

TEST(Reporter, AConflictIsTheEndOfReportsAndSilenceIsNot) {
    reporter.log("one");
    desk.refuse = "INTERNAL";
    CHECK(!reporter.flush(true).has_value());
    CHECK(!reporter.is_refused());
    desk.refuse = "JOIN_STATE_CONFLICT";
    CHECK(!reporter.flush(true).has_value());
    CHECK(reporter.is_refused());
}

TEST(Reporter, ASignOfLifeGoesOutEachMinuteThoughNothingIsNew) {
    reporter.log("one");
    CHECK(reporter.flush(true).has_value());
    const int before = desk.reports;
    clock.advance_seconds(59);
    CHECK(reporter.flush(false).has_value());
    LONGS_EQUAL(before, desk.reports);
    clock.advance_seconds(1);
    CHECK(reporter.flush(false).has_value());
    CHECK(reporter.flush(false).has_value());
    LONGS_EQUAL(before + 1, desk.reports);
    LONGS_EQUAL(1, desk.log.size());
}
