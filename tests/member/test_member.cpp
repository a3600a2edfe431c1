#include <algorithm>
#include <set>

#include "common/base/document.hpp"
#include "common/link/member_file.hpp"
#include "common/link/messages.hpp"
#include "common/link/problem.hpp"
#include "member/leaving.hpp"
#include "member/member.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_files.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::member;

namespace {

std::string removed_problem(const std::string& node_id) {
    link::Problem problem;
    problem.code = link::ProblemCode::kForbidden;
    problem.detail = "node two was removed";
    problem.details = Node::object();
    problem.details.set("removed", Node::boolean(true)).set("nodeId", node_id);
    return write_json(link::to_node(problem, "r", "/"));
}

// A founder as a member sees it: one generation, its list, and what it was told.
struct Cluster {
    std::int64_t generation = 1;
    std::vector<facts::Member> members;
    std::vector<link::Heartbeat> heard;
    std::vector<std::int64_t> heard_at_ms;
    std::set<std::string> down; // HOST:PORT
    std::string key = std::string(64, 'a');
    std::optional<link::HttpAnswer> instead;
    fakes::FakeClock clock;
    bool removing = false; // the next heartbeat is told to leave
    std::int64_t clock_off = 0;
    bool removed = false; // the row is gone
    bool knows_leavers = true;
    std::string sample_refused; // what it says of a report that comes

    link::HttpAnswer serve(const link::HttpRequest& request) {
        Findings findings;
        const Parsed body = parse_json(*request.body);
        heard.push_back(link::read_heartbeat(*body.root, findings));
        heard_at_ms.push_back(clock.steady_ms());
        if (instead) return *instead;
        if (removed) return {403, {}, removed_problem("n-2")};
        link::HeartbeatAnswer answer;
        answer.generation = generation;
        answer.server_time = clock.unix_seconds() + clock_off;
        if (removing) answer.removal = link::Removal::kLeave;
        if (heard.back().compatibility) answer.sample_refused = sample_refused;
        if (heard.back().left && knows_leavers) {
            answer.removal = link::Removal::kDone;
            removed = true;
        }
        if (heard.back().generation_applied < generation) answer.members = members;
        return {200, {}, write_json(link::to_node(answer))};
    }
};

class Client final : public link::HttpClient {
public:
    Client(Cluster& cluster, const link::ClientOptions& options)
        : cluster_(cluster), options_(options) {}
    Result<link::HttpAnswer> send(const link::HttpRequest& request) override {
        if (cluster_.down.contains(options_.server.str())) {
            return fail(ErrorCode::kUnavailable, "connection refused");
        }
        if (options_.pins.at(0).str() != cluster_.key) {
            return fail(ErrorCode::kDenied, "another key");
        }
        return cluster_.serve(request);
    }
    Result<link::HttpAnswer> stream(const link::HttpRequest& /*request*/,
                                    const std::function<bool(std::string_view)>& /*to*/) override {
        return fail(ErrorCode::kInternal, "not here");
    }
    void stop() override {}

private:
    Cluster& cluster_;
    link::ClientOptions options_;
};

facts::Member member_named(const std::string& name) {
    facts::Member one;
    one.node_id = "n-" + name;
    one.name = name;
    one.role = "hybrid";
    one.status = "joined";
    one.mgmt_address = "10.20.0.11";
    return one;
}

} // namespace

TEST_GROUP(Member) {
    Cluster cluster;
    fakes::FakeFiles files;
    MemberOptions options{"/state", 15'000};
    std::vector<MemberStatus> shown;
    std::vector<std::string> log;
    std::vector<std::string> complaints;
    std::optional<compat::Held> look;
    int beats = 3;

    void setup() override {
        (void)files.make_folder("/state");
        CHECK(link::load_or_make_key(files, "/state/client.pem", "joiner").has_value());
        const link::MemberFile self{
            "n-2",
            "node-2",
            {*HostPort::parse("10.20.0.1:8444"), *HostPort::parse("10.30.0.1:1")},
            *link::Fingerprint::parse(cluster.key)};
        CHECK(link::write_member_file(files, "/state", self).has_value());
        cluster.members = {member_named("one"), member_named("two")};
    }
    Result<MemberEnd> beat_on() {
        int left = beats;
        MemberSeams seams{
            files,
            cluster.clock,
            [this](const link::ClientOptions& o) -> Result<std::unique_ptr<link::HttpClient>> {
                return std::make_unique<Client>(cluster, o);
            },
            [this, &left](std::int64_t wait_ms) {
                cluster.clock.advance_ms(wait_ms);
                return --left > 0;
            },
            [this](const MemberStatus& status) { shown.push_back(status); },
            [this](const std::string& line) { log.push_back(line); },
            [this] { return complaints; },
            [this] { return look; }};
        return run_member(options, seams);
    }
};

TEST(Member, SaysEveryFifteenSecondsThatItLives) {
    cluster.generation = 0;
    CHECK(beat_on().has_value());
    LONGS_EQUAL(3, cluster.heard.size());
    LONGS_EQUAL(15'000, cluster.heard_at_ms[1] - cluster.heard_at_ms[0]);
    CHECK(cluster.heard[0].healthy);
}

TEST(Member, TakesANewGenerationStoresItAndConfirmsItAtOnce) {
    CHECK(beat_on().has_value());
    LONGS_EQUAL(0, cluster.heard[0].generation_applied);
    LONGS_EQUAL(1, cluster.heard[1].generation_applied);
    CHECK(cluster.heard_at_ms[1] - cluster.heard_at_ms[0] < 1000);
    LONGS_EQUAL(15'000, cluster.heard_at_ms[2] - cluster.heard_at_ms[1]);
    std::string complaint;
    const Membership stored = read_membership(files, "/state", complaint);
    LONGS_EQUAL(1, stored.generation);
    CHECK(stored.members == cluster.members);
    LONGS_EQUAL(2, shown.back().members);
}

TEST(Member, ConfirmsNothingThatItCouldNotStore) {
    files.fail_change(1);
    CHECK(beat_on().has_value());
    LONGS_EQUAL(0, cluster.heard[1].generation_applied);
    LONGS_EQUAL(1, cluster.heard[2].generation_applied);
}

TEST(Member, KnowsItsGenerationAfterARestart) {
    CHECK(beat_on().has_value());
    cluster.heard.clear();
    CHECK(beat_on().has_value());
    LONGS_EQUAL(1, cluster.heard[0].generation_applied);
}

TEST(Member, KilledAtAnyWriteItComesBackWithAWholeList) {
    for (const bool before : {true, false}) {
        CHECK(files.remove("/state/members.json").has_value());
        if (before) files.crash_before_change(1);
        if (!before) files.crash_after_change(1);
        CHECK_THROWS(fakes::Crash, (void)beat_on());
        cluster.heard.clear();
        CHECK(beat_on().has_value());
        LONGS_EQUAL(before ? 0 : 1, cluster.heard[0].generation_applied);
        LONGS_EQUAL(1, cluster.heard.back().generation_applied);
    }
}

TEST(Member, ADamagedListIsToldAndTakenAnew) {
    CHECK(beat_on().has_value());
    files.put("/state/members.json", "{\"version\":1");
    cluster.heard.clear();
    log.clear();
    CHECK(beat_on().has_value());
    LONGS_EQUAL(0, cluster.heard[0].generation_applied);
    LONGS_EQUAL(1, cluster.heard[1].generation_applied);
    CHECK(log.front().find("damaged") != std::string::npos);
}

TEST(Member, GoesToTheNextAddressWhereOneDoesNotAnswer) {
    cluster.down.insert("10.20.0.1:8444");
    CHECK(beat_on().has_value());
    LONGS_EQUAL(3, cluster.heard.size());
    STRCMP_EQUAL("10.30.0.1:1", shown.back().founder.c_str());
    CHECK(shown.back().trouble.empty());
}

TEST(Member, ToldTroubleOnceAndGoesOn) {
    cluster.down = {"10.20.0.1:8444", "10.30.0.1:1"};
    CHECK(beat_on().has_value());
    CHECK(shown.back().trouble.find("connection refused") != std::string::npos);
    const auto told = std::ranges::count_if(log, [](const std::string& line) {
        return line.find("connection refused") != std::string::npos;
    });
    CHECK(told <= 2); // the order of the addresses changes the words once
    cluster.down.clear();
    CHECK(beat_on().has_value());
    CHECK(shown.back().trouble.empty());
}

TEST(Member, AnotherKeyThanTheFoundersHearsNothing) {
    cluster.key = std::string(64, 'b');
    CHECK(beat_on().has_value());
    CHECK(cluster.heard.empty());
    CHECK(shown.back().trouble.find("another key") != std::string::npos);
}

TEST(Member, ARefusalOrNonsenseChangesNothing) {
    for (const auto& answer : {link::HttpAnswer{403, {}, "{}"}, link::HttpAnswer{200, {}, "<html>"},
                               link::HttpAnswer{200, {}, R"({"generation":9,"members":[]})"}}) {
        cluster.instead = answer;
        CHECK(beat_on().has_value());
        CHECK(!shown.back().trouble.empty());
        CHECK(!files.exists("/state/members.json"));
    }
}

TEST(Member, ComplaintsMakeItUnhealthy) {
    complaints = {"disk full"};
    CHECK(beat_on().has_value());
    CHECK(!cluster.heard[0].healthy);
    STRCMP_EQUAL("disk full", cluster.heard[0].complaints[0].c_str());
}

TEST(Member, AMachineThatHasNotJoinedIsNoMember) {
    CHECK(files.remove("/state/member.json").has_value());
    CHECK(beat_on().error().code == ErrorCode::kNotFound);
    CHECK(cluster.heard.empty());
}

TEST(Member, ANewKeyIsNeverMadeForAMember) {
    CHECK(files.remove("/state/client.pem").has_value());
    CHECK(!beat_on().has_value());
    CHECK(!files.exists("/state/client.pem"));
}

TEST(Member, AMemberThatCannotStoreTheListIsNotHealthy) {
    files.fail_change(1);
    CHECK(beat_on().has_value());
    CHECK(!cluster.heard[1].healthy);
    CHECK(cluster.heard[1].complaints[0].find("the member list cannot be stored") == 0);
    CHECK(cluster.heard[2].healthy);
}

TEST(Member, AClockFarOffTheFoundersIsAComplaintAndANearOneIsNone) {
    cluster.clock_off = 31;
    CHECK(beat_on().has_value());
    CHECK(!cluster.heard[1].healthy);
    STRCMP_EQUAL("its clock is more than 30 s off the founder's",
                 cluster.heard[1].complaints[0].c_str());
    cluster.clock_off = -30;
    CHECK(beat_on().has_value());
    CHECK(cluster.heard.back().healthy);
}

// ---- its substrate

TEST(Member, ALookAtItsSubstrateGoesOutWithOneHeartbeat) {
    look = compat::Held{{"0.6.0", compat::Fit::kOk, {}, {}}, 1000};
    CHECK(beat_on().has_value());
    CHECK(*cluster.heard[0].compatibility == compat::to_node(look->report));
    CHECK(!cluster.heard[1].compatibility);
    CHECK(!cluster.heard[2].compatibility);
}

TEST(Member, WithoutALookOrASeamItsHeartbeatIsAsBefore) {
    CHECK(beat_on().has_value());
    for (const link::Heartbeat& beat : cluster.heard) CHECK(!beat.compatibility);
}

TEST(Member, ALookThatWasNotHeardOfGoesOutAgain) {
    look = compat::Held{{"0.6.0", compat::Fit::kOk, {}, {}}, 1000};
    cluster.instead = link::HttpAnswer{503, {}, "{}"};
    CHECK(beat_on().has_value());
    for (const link::Heartbeat& beat : cluster.heard) CHECK(beat.compatibility.has_value());
}

TEST(Member, ARefusedReportIsLoggedOnceAndChangesNothingElse) {
    look = compat::Held{{"0.6.0", compat::Fit::kOk, {}, {}}, 1000};
    cluster.sample_refused = "components: is missing";
    CHECK(beat_on().has_value());
    CHECK(shown.back().trouble.empty());
    LONGS_EQUAL(1, shown.back().generation_applied);
    LONGS_EQUAL(1, std::ranges::count(log, "the founder does not take this machine's report of its "
                                           "substrate: components: is missing"));
}

TEST(Member, AMachineThatLeavesSaysNothingOfItsSubstrate) {
    cluster.removing = true;
    beats = 1;
    CHECK(beat_on().value() == MemberEnd::kStopped); // told, then ended
    look = compat::Held{{"0.6.0", compat::Fit::kOk, {}, {}}, 1000};
    cluster.heard.clear();
    beats = 3;
    CHECK(beat_on().value() == MemberEnd::kRemoved);
    for (const link::Heartbeat& beat : cluster.heard) CHECK(!beat.compatibility);
}

// ---- leaving

TEST(Member, AMemberThatIsRemovedLeavesSaysSoAndPutsItsCredentialsAway) {
    cluster.removing = true;
    files.put("/state/delivered/bundle.tar", "secrets", 0600);
    files.put("/state/session.json", "kept");
    const auto ended = beat_on();
    CHECK(ended.value() == MemberEnd::kRemoved);
    LONGS_EQUAL(2, cluster.heard.size());
    CHECK(!cluster.heard[0].left);
    CHECK(cluster.heard[1].left);
    CHECK(cluster.heard_at_ms[1] - cluster.heard_at_ms[0] < 1000); // at once
    for (const char* gone : {"client.pem", "member.json", "members.json", "delivered/bundle.tar"})
        CHECK(!files.exists("/state/" + std::string(gone)));
    CHECK(files.exists("/state/session.json"));
    const auto note = read_leaving(files, "/state");
    STRCMP_EQUAL("n-2", note->node_id.c_str());
    CHECK(note->is_confirmed);
    // Started again it is no member.
    CHECK(beat_on().error().code == ErrorCode::kNotFound);
}

TEST(Member, OneThatWasRemovedWithoutItsWordLearnsItAndStopsBeingAMember) {
    cluster.removed = true;
    CHECK(beat_on().value() == MemberEnd::kRemoved);
    LONGS_EQUAL(1, cluster.heard.size());
    CHECK(!files.exists("/state/member.json"));
    CHECK(!files.exists("/state/client.pem"));
}

TEST(Member, OnlyThePlainWordAboutThisNodeRemovesIt) {
    std::string wrong_status = removed_problem("n-2");
    for (const auto& answer :
         {link::HttpAnswer{403, {}, removed_problem("n-other")},
          link::HttpAnswer{404, {}, wrong_status},
          link::HttpAnswer{403, {}, R"({"code":"JOIN_KEY_MISMATCH","status":403})"},
          link::HttpAnswer{403, {}, R"({"code":"FORBIDDEN","status":403})"},
          link::HttpAnswer{
              403, {}, R"({"code":"FORBIDDEN","details":{"removed":"true","nodeId":"n-2"}})"},
          link::HttpAnswer{200, {}, R"({"generation":1,"serverTime":"2026-11-30T12:00:00Z",
                                        "removal":"perhaps"})"}}) {
        cluster.instead = answer;
        CHECK(beat_on().value() == MemberEnd::kStopped);
        CHECK(files.exists("/state/member.json"));
        CHECK(files.exists("/state/client.pem"));
        CHECK(!read_leaving(files, "/state").has_value());
    }
}

TEST(Member, ThatHasLeftSaysNothingElseUntilItIsHeard) {
    cluster.removing = true;
    beats = 1;
    CHECK(beat_on().value() == MemberEnd::kStopped); // told, then ended
    cluster.down = {"10.20.0.1:8444", "10.30.0.1:1"};
    beats = 3;
    CHECK(beat_on().value() == MemberEnd::kStopped);
    CHECK(files.exists("/state/client.pem")); // the word is not said yet
    cluster.down.clear();
    cluster.heard.clear();
    CHECK(beat_on().value() == MemberEnd::kRemoved);
    LONGS_EQUAL(1, cluster.heard.size());
    CHECK(cluster.heard[0].left);
}

TEST(Member, AFounderThatForgotTheRemovalIsToldOnAndTheMachineStaysNoMember) {
    cluster.removing = true;
    beats = 1;
    CHECK(beat_on().has_value());
    cluster.removing = cluster.knows_leavers = false;
    beats = 4;
    log.clear();
    CHECK(beat_on().value() == MemberEnd::kStopped);
    CHECK(shown.back().trouble.find("somebody must remove this node there") != std::string::npos);
    LONGS_EQUAL(1, std::ranges::count_if(log, [](const std::string& line) {
                    return line.find("somebody must remove") != std::string::npos;
                }));
    CHECK(files.exists("/state/client.pem"));
    cluster.knows_leavers = true;
    CHECK(beat_on().value() == MemberEnd::kRemoved);
}

TEST(Member, OneThatCannotNoteThatItLeavesStaysAndComplains) {
    CHECK(beat_on().has_value()); // the list is stored, so that the next change is the note
    cluster.removing = true;
    cluster.heard.clear();
    files.fail_change(1);
    CHECK(beat_on().value() == MemberEnd::kRemoved);
    CHECK(!cluster.heard[1].left);
    CHECK(cluster.heard[1].complaints[0].find("this machine cannot leave the cluster") == 0);
    CHECK(cluster.heard[2].left);
}

TEST(Member, KilledAtAnyInstantOfLeavingItGoesOnWhereItStopped) {
    for (int change = 1; change <= 7; ++change) {
        for (const bool before : {true, false}) {
            CHECK(files.remove("/state/removal.json").has_value());
            setup();
            cluster.removed = cluster.removing = false;
            CHECK(beat_on().value() == MemberEnd::kStopped); // the list is stored
            cluster.removing = true;
            if (before) files.crash_before_change(change);
            if (!before) files.crash_after_change(change);
            CHECK_THROWS(fakes::Crash, (void)beat_on());
            // member.json goes last: as long as it is there the agent starts and goes on.
            const auto again = beat_on();
            if (again)
                CHECK(*again == MemberEnd::kRemoved);
            else
                CHECK(again.error().code == ErrorCode::kNotFound);
            CHECK(cluster.removed);
            CHECK(!files.exists("/state/member.json"));
            CHECK(!files.exists("/state/client.pem"));
        }
    }
}

TEST(Member, ANoteOfAnEarlierLifeIsNotTakenForThisOne) {
    CHECK(write_leaving(files, "/state", {"n-1", "node-1", 5, true}).has_value());
    CHECK(beat_on().value() == MemberEnd::kStopped);
    CHECK(!cluster.heard[0].left);
    CHECK(files.exists("/state/client.pem"));
}

TEST(Member, ADamagedNoteIsNoNote) {
    for (const char* text : {"", "{", "{\"version\":1}",
                             "{\"version\":2,\"nodeId\":\"n-2\",\"name\":\"x\",\"at\":1,"
                             "\"confirmed\":true}"}) {
        files.put("/state/removal.json", text);
        CHECK(!read_leaving(files, "/state").has_value());
        CHECK(beat_on().value() == MemberEnd::kStopped);
    }
}

TEST_GROUP(MemberFile) {
    fakes::FakeFiles files;
    void setup() override {
        (void)files.make_folder("/state");
    }
};

TEST(MemberFile, ReadsBackWhatWasWritten) {
    const link::MemberFile self{"n-2",
                                "node-2",
                                {*HostPort::parse("[fd00::1]:8444")},
                                *link::Fingerprint::parse(std::string(64, 'c'))};
    CHECK(link::write_member_file(files, "/state", self).has_value());
    CHECK(*link::read_member_file(files, "/state") == self);
}

TEST(MemberFile, RefusesWhatIsNone) {
    for (const std::string& text :
         {std::string(), std::string("{}"),
          std::string(R"({"version":1,"nodeId":"n","name":"n","founders":[],"founderKey":"x"})"),
          R"({"version":2,"nodeId":"n","name":"n","founders":["h:1"],"founderKey":")" +
              std::string(64, 'a') + "\"}"}) {
        files.put("/state/member.json", text);
        CHECK(!link::read_member_file(files, "/state"));
    }
}
