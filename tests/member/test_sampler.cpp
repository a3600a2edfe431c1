// Which look at the substrate goes to the founder, and what is said of it.

#include "common/link/messages.hpp"
#include "member/sampler.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::member;

namespace {

compat::Held look_at(std::int64_t time, const std::string& version = "25.03.1") {
    compat::ComponentReport component;
    component.id = "ovs";
    component.detected = version;
    component.status = compat::Fit::kOk;
    return {{"0.6.0", compat::Fit::kOk, {component}, {}}, time};
}

} // namespace

TEST_GROUP(Sampler) {
    Sampler sampler;

    // Looks, sends what is due, and hears that it is taken; was there anything?
    bool sends(const std::optional<compat::Held>& seen) {
        STRCMP_EQUAL("", sampler.look(seen).c_str());
        const bool is_due = sampler.due().has_value();
        STRCMP_EQUAL("", sampler.answered("").c_str());
        return is_due;
    }
};

TEST(Sampler, BeforeTheFirstLookNothingIsDue) {
    CHECK_FALSE(sends(std::nullopt));
}

TEST(Sampler, EachLookGoesOnceEvenWhereItSawTheSame) {
    CHECK_TRUE(sends(look_at(100)));
    CHECK_FALSE(sends(look_at(100)));
    CHECK_TRUE(sends(look_at(280)));
    CHECK_FALSE(sends(look_at(280)));
}

TEST(Sampler, WhatChangedIsDueAlthoughTheClockWasSetBackOrStandsStill) {
    CHECK_TRUE(sends(look_at(100)));
    CHECK_TRUE(sends(look_at(100, "24.09.2")));
    CHECK_TRUE(sends(look_at(50, "24.09.2")));
}

TEST(Sampler, WhatWasNotAnsweredStaysDue) {
    sampler.look(look_at(100));
    sampler.look(look_at(100));
    CHECK_TRUE(sampler.due().has_value());
    // A newer one takes its place.
    sampler.look(look_at(280, "25.03.2"));
    CHECK_TRUE(*sampler.due() == compat::to_node(look_at(280, "25.03.2").report));
}

TEST(Sampler, ARefusalIsSaidOnceAndEachNextLookIsStillSent) {
    sampler.look(look_at(100));
    STRCMP_CONTAINS("components: is missing", sampler.answered("components: is missing").c_str());
    CHECK_FALSE(sampler.due().has_value());
    sampler.look(look_at(280));
    CHECK_TRUE(sampler.due().has_value());
    STRCMP_EQUAL("", sampler.answered("components: is missing").c_str());
    sampler.look(look_at(460));
    STRCMP_CONTAINS("another", sampler.answered("another").c_str());
}

TEST(Sampler, AnAnswerToAHeartbeatWithoutOneSaysNothing) {
    STRCMP_EQUAL("", sampler.answered("whatever").c_str());
}

TEST(Sampler, AReportThatTheFounderWouldNotTakeIsNotSentAndSaidOnce) {
    compat::Held large = look_at(100);
    large.report.components[0].note = std::string(link::kMostSampleBytes, 'x');
    STRCMP_CONTAINS("at most 65536 are sent", sampler.look(large).c_str());
    CHECK_FALSE(sampler.due().has_value());
    large.probed_at = 280;
    STRCMP_EQUAL("", sampler.look(large).c_str());
    CHECK_TRUE(sends(look_at(460)));
}
