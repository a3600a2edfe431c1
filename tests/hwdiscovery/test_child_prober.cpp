#include <csignal>

#include <unistd.h>

#include "common/base/clock.hpp"
#include "hwdiscovery/edge/child_prober.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::hw;

namespace {

ProbeTarget target(const std::string& name) {
    return {name, "/dev/" + name, "", "", false};
}

// Answers at once, hangs, or dies, by the target's name.
ContentRecord read_by_name(const ProbeTarget& one) {
    if (one.name == "hangs") ::pause();
    if (one.name == "dies") ::raise(SIGKILL);
    ContentRecord content;
    content.is_complete = true;
    content.exclusive = Exclusive::kFree;
    content.signatures = {{"filesystem", "ext4", one.name, "", 1080, "", ""}};
    return content;
}

} // namespace

TEST_GROUP(ChildProber){};

TEST(ChildProber, every_target_has_its_own_answer) {
    ChildProberOptions options;
    options.read = read_by_name;
    const auto contents = make_child_prober(options)->probe({target("sda"), target("sdb")});
    LONGS_EQUAL(2, contents.size());
    CHECK(contents.at("sda").is_complete);
    STRCMP_EQUAL("sdb", contents.at("sdb").signatures.at(0).label.c_str());
}

TEST(ChildProber, one_that_hangs_costs_its_own_answer_and_the_limit) {
    ChildProberOptions options;
    options.read = read_by_name;
    options.device_limit_ms = 200;
    const auto before = system_clock().steady_ms();
    const auto contents =
        make_child_prober(options)->probe({target("sda"), target("hangs"), target("sdb")});
    CHECK(system_clock().steady_ms() - before < 3000);
    CHECK(contents.at("sda").is_complete);
    CHECK(!contents.at("hangs").is_complete);
    CHECK(!contents.at("hangs").problem.empty());
    CHECK(contents.at("sdb").is_complete);
}

TEST(ChildProber, one_that_kills_its_process_costs_its_own_answer) {
    ChildProberOptions options;
    options.read = read_by_name;
    const auto contents = make_child_prober(options)->probe({target("dies"), target("sdb")});
    CHECK(!contents.at("dies").is_complete);
    CHECK(contents.at("sdb").is_complete);
}

TEST(ChildProber, a_device_that_is_not_there_is_not_blank) {
    const auto contents =
        make_child_prober()->probe({{"gone", "/dev/stratum-no-such", "8:250", "", true}});
    CHECK(!contents.at("gone").is_complete);
    CHECK(!contents.at("gone").problem.empty());
}
