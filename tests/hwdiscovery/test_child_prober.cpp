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

TEST(ChildProber, those_behind_one_that_hangs_are_still_read) {
    ChildProberOptions options;
    options.read = read_by_name;
    options.device_limit_ms = 200;
    options.children = 2;
    std::vector<ProbeTarget> targets;
    for (const char* name : {"hangs", "sda", "sdb", "sdc", "dies", "sdd", "sde", "sdf"})
        targets.push_back(target(name));
    const auto contents = make_child_prober(options)->probe(targets);
    LONGS_EQUAL(8, contents.size());
    for (const char* name : {"sda", "sdb", "sdc", "sdd", "sde", "sdf"})
        CHECK(contents.at(name).is_complete);
    CHECK(!contents.at("hangs").is_complete);
    CHECK(!contents.at("dies").is_complete);
}

TEST(ChildProber, more_targets_than_children_all_have_their_own_answers) {
    for (const std::size_t children : {1u, 3u, 8u}) {
        ChildProberOptions options;
        options.read = read_by_name;
        options.children = children;
        std::vector<ProbeTarget> targets;
        targets.reserve(50);
        for (int i = 0; i < 50; ++i) targets.push_back(target("disk" + std::to_string(i)));
        const auto contents = make_child_prober(options)->probe(targets);
        LONGS_EQUAL(50, contents.size());
        for (const auto& [name, content] : contents)
            STRCMP_EQUAL(name.c_str(), content.signatures.at(0).label.c_str());
    }
}

TEST(ChildProber, an_answer_of_many_pieces_arrives_whole) {
    ChildProberOptions options;
    options.read = [](const ProbeTarget&) {
        ContentRecord content;
        content.problem = std::string(500000, 'x'); // more than a pipe holds
        return content;
    };
    const auto contents = make_child_prober(options)->probe({target("sda"), target("sdb")});
    LONGS_EQUAL(500000, contents.at("sda").problem.size());
    LONGS_EQUAL(500000, contents.at("sdb").problem.size());
}

TEST(ChildProber, nothing_to_read_is_no_answer) {
    CHECK(make_child_prober()->probe({}).empty());
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
