// Members' reports of their substrate: taken with a heartbeat, kept once, shown while they are
// members.

#include "founder/documents.hpp"
#include "founder/samples.hpp"
#include "tests/founder/counting_store.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

compat::Report report_with(const std::string& version, compat::Fit fit = compat::Fit::kOk) {
    compat::ComponentReport component;
    component.id = "ovn-controller";
    component.detected = version;
    component.range = ">=25.03 <26.00";
    component.status = fit;
    if (fit != compat::Fit::kOk) component.note = "it is another";
    return {kRelease, fit, {component}, {}};
}

} // namespace

TEST_GROUP(Samples) {
    World world;
    Machine first{1};
    Machine second{2};
    std::string join;
    std::vector<std::string> notices;

    void setup() override {
        world.options.on_notice = [this](const std::string& line) { notices.push_back(line); };
        world.restart();
        join = world.joined(first, "beta");
    }
    std::string node_of(const std::string& join_id) {
        return world.record(join_id).node_id;
    }
    Answer<link::HeartbeatAnswer> send(const Machine& machine, Node sample,
                                       Founder* founder = nullptr) {
        link::Heartbeat beat;
        beat.generation_applied = world.generation();
        beat.compatibility = std::move(sample);
        Founder& asked = founder == nullptr ? *world.founder : *founder;
        return asked.heartbeat(link::to_node(beat), machine.key);
    }
    std::vector<NodeReport> nodes() {
        return world.founder->compatibility()->nodes;
    }
    std::optional<std::string> stored(const std::string& node_id) {
        std::optional<std::string> found;
        const Status read = world.store->read([&](Transaction& tx) -> Status {
            found = *tx.get(Kind::kSample, node_id);
            return {};
        });
        CHECK_TRUE(read.has_value());
        return found;
    }
};

TEST(Samples, a_report_is_kept_with_the_founders_time_beside_the_founders_own) {
    world.clock.advance_seconds(100);
    const auto answer = send(first, to_node(report_with("25.03.1")));
    STRCMP_EQUAL("", answer->sample_refused.c_str());
    const auto all = nodes();
    LONGS_EQUAL(2, all.size());
    STRCMP_EQUAL("n-founder1", all[0].node_id.c_str()); // by name: alpha, beta
    CHECK_TRUE(*all[0].report == world.own.report);
    LONGS_EQUAL(world.own.probed_at, all[0].sampled_at);
    STRCMP_EQUAL(node_of(join).c_str(), all[1].node_id.c_str());
    CHECK_TRUE(*all[1].report == report_with("25.03.1"));
    LONGS_EQUAL(world.clock.unix_seconds(), all[1].sampled_at);
}

TEST(Samples, the_answer_is_the_text_of_the_matrix) {
    const auto text = [this] {
        const Compatibility found = *world.founder->compatibility();
        std::vector<compat::Sample> samples;
        for (const NodeReport& one : found.nodes)
            samples.push_back({one.node_id, one.sampled_at, *one.report});
        STRCMP_EQUAL(write_json(compat::fleet_node(found.own.report, samples)).c_str(),
                     compatibility_json(found).c_str());
        return compatibility_json(found);
    };
    STRCMP_CONTAINS("\"nodes\":[]", text().c_str());
    compat::Report odd = report_with("25.03.1", compat::Fit::kWarn);
    odd.components[0].note = "“odd” \"}],{ \\ \n";
    send(first, to_node(odd));
    STRCMP_CONTAINS("\"fleetOverallStatus\":\"warn\"", text().c_str());
    world.joined(second, "gamma");
    send(second, to_node(report_with("24.09.1", compat::Fit::kUnsupported)));
    STRCMP_CONTAINS("\"fleetOverallStatus\":\"unsupported\"", text().c_str());
}

TEST(Samples, before_the_first_there_are_no_nodes) {
    CHECK_TRUE(world.beat(first, world.generation()).has_value());
    LONGS_EQUAL(0, nodes().size());
    STRCMP_EQUAL("n-founder1", world.founder->compatibility()->own_node_id.c_str());
}

TEST(Samples, the_last_of_each_node_counts) {
    send(first, to_node(report_with("25.03.1")));
    world.joined(second, "gamma");
    send(second, to_node(report_with("25.03.2")));
    send(first, to_node(report_with("24.09.1", compat::Fit::kUnsupported)));
    const auto all = nodes();
    LONGS_EQUAL(3, all.size());
    STRCMP_EQUAL("24.09.1", all[1].report->components[0].detected->c_str());
    STRCMP_EQUAL("25.03.2", all[2].report->components[0].detected->c_str());
}

TEST(Samples, a_heartbeat_without_one_leaves_the_last_and_its_time) {
    send(first, to_node(report_with("25.03.1")));
    const std::int64_t at = world.clock.unix_seconds();
    world.clock.advance_seconds(600);
    CHECK_TRUE(world.beat(first, world.generation()).has_value());
    LONGS_EQUAL(at, nodes()[1].sampled_at);
}

TEST(Samples, one_that_did_not_change_is_not_written_again_and_its_time_is) {
    CountingStore counting(*world.store);
    auto founder = Founder::open(counting, world.clock, world.files, world.options);
    send(first, to_node(report_with("25.03.1")), founder->get());
    LONGS_EQUAL(1, counting.puts[Kind::kSample]);
    counting.puts.clear();
    for (int i = 0; i < 5; ++i) {
        world.clock.advance_seconds(180);
        send(first, to_node(report_with("25.03.1")), founder->get());
    }
    // The member's row alone, as each heartbeat writes it.
    CHECK_TRUE(counting.puts == (std::map<Kind, int>{{Kind::kMember, 5}}));
    LONGS_EQUAL(world.clock.unix_seconds(), nodes()[1].sampled_at);
    send(first, to_node(report_with("25.03.2")), founder->get());
    LONGS_EQUAL(1, counting.puts[Kind::kSample]);
}

TEST(Samples, one_that_is_wrong_costs_the_sample_and_not_the_heartbeat) {
    send(first, to_node(report_with("25.03.1")));
    const std::int64_t at = world.clock.unix_seconds();
    world.clock.advance_seconds(60);
    Node wrong = to_node(report_with("25.03.2"));
    wrong.set("components", Node::array({Node::object().set("id", "ovs")}));
    const auto answer = send(first, wrong);
    STRCMP_EQUAL("ok", code_of(answer).c_str());
    STRCMP_CONTAINS("components[0].status", answer->sample_refused.c_str());
    STRCMP_EQUAL("25.03.1", nodes()[1].report->components[0].detected->c_str());
    LONGS_EQUAL(at, nodes()[1].sampled_at);
    LONGS_EQUAL(world.clock.unix_seconds(), world.founder->members()->at(1).heard_at);
    LONGS_EQUAL(1, notices.size());
    STRCMP_CONTAINS(("node beta (" + node_of(join) + ") is not taken: ").c_str(),
                    notices[0].c_str());
}

TEST(Samples, the_log_says_a_refusal_once_until_another_comes) {
    for (int i = 0; i < 3; ++i) send(first, Node::string("nonsense"));
    LONGS_EQUAL(1, notices.size());
    send(first, to_node(report_with("25.03.1")));
    send(first, Node::string("nonsense"));
    LONGS_EQUAL(2, notices.size());
    send(first, Node::array());
    LONGS_EQUAL(3, notices.size());
}

TEST(Samples, any_kind_of_value_is_refused_in_words) {
    for (const Node& wrong : {Node::string("x"), Node::integer(7), Node::boolean(true),
                              Node::array(), Node::object()}) {
        const auto answer = send(first, wrong);
        STRCMP_EQUAL("ok", code_of(answer).c_str());
        CHECK_FALSE(answer->sample_refused.empty());
    }
    LONGS_EQUAL(0, nodes().size());
}

TEST(Samples, one_row_has_one_id) {
    compat::Report twice = report_with("25.03.1");
    twice.components.push_back(twice.components[0]);
    STRCMP_EQUAL("components[1].id: “ovn-controller” stands there twice",
                 send(first, to_node(twice))->sample_refused.c_str());
    compat::Report rules = report_with("25.03.1");
    rules.constraints = {{"a", "x == y", compat::Fit::kOk, ""},
                         {"a", "x == z", compat::Fit::kOk, ""}};
    STRCMP_EQUAL("constraints[1].id: “a” stands there twice",
                 send(first, to_node(rules))->sample_refused.c_str());
}

TEST(Samples, one_of_64_KiB_is_taken_and_a_larger_one_is_not) {
    compat::Report large = report_with("25.03.1");
    for (int i = 0; i < 63; ++i) {
        compat::ComponentReport row = large.components[0];
        row.id = "component-" + std::to_string(i);
        row.status = compat::Fit::kWarn;
        row.note = std::string(400, 'x');
        large.components.push_back(row);
    }
    large.overall = compat::Fit::kWarn;
    const std::size_t size = write_json(to_node(large)).size();
    const std::size_t room = link::kMostSampleBytes - size;
    for (std::size_t i = 1, left = room; left > 0; ++i) { // at most 4,096 bytes of each text
        const std::size_t more = std::min<std::size_t>(left, 3'000);
        large.components[i].note.append(more, 'x');
        left -= more;
    }
    LONGS_EQUAL(link::kMostSampleBytes, write_json(to_node(large)).size());
    STRCMP_EQUAL("", send(first, to_node(large))->sample_refused.c_str());
    large.components[40].note += 'x';
    STRCMP_EQUAL("it has 65537 bytes, at most 65536 are taken",
                 send(first, to_node(large))->sample_refused.c_str());
}

TEST(Samples, what_a_member_says_of_its_overall_status_is_worked_out_instead) {
    Node sample = to_node(report_with("24.09.1", compat::Fit::kUnsupported));
    sample.set("overallStatus", "ok");
    send(first, sample);
    CHECK_TRUE(nodes()[1].report->overall == compat::Fit::kUnsupported);
}

TEST(Samples, a_removed_members_report_goes_with_it) {
    send(first, to_node(report_with("25.03.1")));
    const std::string node = node_of(join);
    CHECK_TRUE(stored(node).has_value());
    CHECK_TRUE(world.founder->remove_member(node, {false, world.admin}).has_value());
    world.tick();
    link::Heartbeat left;
    left.left = true;
    left.compatibility = to_node(report_with("25.03.9"));
    CHECK_TRUE(world.founder->heartbeat(link::to_node(left), first.key)->removal ==
               link::Removal::kDone);
    CHECK_FALSE(stored(node).has_value());
    LONGS_EQUAL(0, nodes().size());
}

TEST(Samples, a_stranger_leaves_none) {
    STRCMP_EQUAL("JOIN_KEY_MISMATCH",
                 code_of(send(second, to_node(report_with("25.03.1")))).c_str());
    LONGS_EQUAL(0, nodes().size());
}

TEST(Samples, they_survive_a_restart_and_another_founder_sees_them) {
    send(first, to_node(report_with("25.03.1")));
    world.restart();
    LONGS_EQUAL(2, nodes().size());
    LONGS_EQUAL(2, world.another_founder()->compatibility()->nodes.size());
    send(first, to_node(report_with("25.03.7")));
    STRCMP_EQUAL("25.03.7", nodes()[1].report->components[0].detected->c_str());
}

TEST(Samples, what_another_build_wrote_and_this_one_cannot_read_is_left_out) {
    send(first, to_node(report_with("25.03.1")));
    const std::string node = node_of(join);
    const Status written = world.store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.put(Kind::kSample, node, R"({"version":2})").has_value());
        return Ending::kCommit;
    });
    CHECK_TRUE(written.has_value());
    LONGS_EQUAL(0, nodes().size());
    STRCMP_EQUAL("", send(first, to_node(report_with("25.03.1")))->sample_refused.c_str());
    LONGS_EQUAL(2, nodes().size());
}

TEST(Samples, a_member_that_has_joined_and_sent_none_is_counted) {
    const auto unreported = [this] { return world.founder->compatibility()->unreported; };
    LONGS_EQUAL(1, unreported());
    LONGS_EQUAL(0, nodes().size());
    send(first, to_node(report_with("25.03.1")));
    LONGS_EQUAL(0, unreported());
    world.joined(second, "gamma");
    LONGS_EQUAL(1, unreported());
    // One that this build cannot read is none.
    const std::string node = node_of(join);
    const Status written = world.store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.put(Kind::kSample, node, R"({"from":"another build"})").has_value());
        return Ending::kCommit;
    });
    CHECK_TRUE(written.has_value());
    LONGS_EQUAL(2, unreported());
}

TEST(Samples, what_a_member_says_of_itself_is_held_against_the_founders_pins) {
    world.options.hold_against_pins = [](compat::Report theirs) {
        theirs.constraints.push_back({"match", "a == b", compat::Fit::kUnsupported, "it is not"});
        theirs.overall = compat::Fit::kUnsupported;
        return theirs;
    };
    world.restart();
    STRCMP_EQUAL("", send(first, to_node(report_with("24.09.1")))->sample_refused.c_str());
    const auto all = nodes();
    CHECK_TRUE(all[1].report->overall == compat::Fit::kUnsupported);
    STRCMP_EQUAL("it is not", all[1].report->constraints[0].note.c_str());
    STRCMP_CONTAINS("\"fleetOverallStatus\":\"unsupported\"",
                    compatibility_json(*world.founder->compatibility()).c_str());
    // Where there is no room for it, it is not taken: kept, it could not be read back.
    compat::Report full = report_with("24.09.1");
    for (std::size_t i = 0; i < compat::kMostReportRows; ++i)
        full.constraints.push_back({"r" + std::to_string(i), "a == b", compat::Fit::kOk, ""});
    STRCMP_CONTAINS("no room for the founder's own",
                    send(first, to_node(full))->sample_refused.c_str());
    LONGS_EQUAL(1, nodes()[1].report->constraints.size());
}

TEST(Samples, a_founder_that_starts_with_other_pins_judges_what_is_kept_anew) {
    send(first, to_node(report_with("24.09.1")));
    world.joined(second, "gamma");
    send(second, to_node(report_with("25.03.1")));
    const std::int64_t at = nodes()[1].sampled_at;
    const auto before = stored(node_of(join));
    // The same pins: nothing is written.
    world.options.hold_against_pins = [](compat::Report theirs) { return theirs; };
    world.restart();
    CHECK_TRUE(stored(node_of(join)) == before);
    world.options.hold_against_pins = [](compat::Report theirs) {
        if (theirs.components[0].detected == "25.03.1") return theirs;
        theirs.constraints = {{"match", "a == b", compat::Fit::kUnsupported, "it is not"}};
        theirs.overall = compat::Fit::kUnsupported;
        return theirs;
    };
    world.clock.advance_seconds(100);
    world.restart();
    const auto all = nodes();
    CHECK_TRUE(all[1].report->overall == compat::Fit::kUnsupported);
    CHECK_TRUE(all[2].report->overall == compat::Fit::kOk);
    LONGS_EQUAL(at, all[1].sampled_at); // judged anew, not heard of anew
    STRCMP_CONTAINS("\"note\":\"it is not\"",
                    compatibility_json(*world.founder->compatibility()).c_str());
}

TEST(Samples, a_refresh_looks_at_the_founders_own_machine) {
    CHECK_TRUE(world.founder->compatibility().has_value());
    LONGS_EQUAL(0, world.looks);
    CHECK_TRUE(world.founder->compatibility(true).has_value());
    LONGS_EQUAL(1, world.looks);
}

TEST(Samples, a_founder_that_does_not_look_at_itself_says_so) {
    world.options.look_at_self = {};
    world.restart();
    STRCMP_EQUAL("INTERNAL", code_of(world.founder->compatibility()).c_str());
}

} // namespace stratum::founder
