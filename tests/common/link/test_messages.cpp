#include <functional>

#include "common/base/text.hpp"
#include "common/link/messages.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::link;

namespace {

Sha256 filled(std::uint8_t byte) {
    Sha256 bytes{};
    bytes.fill(byte);
    return bytes;
}

const std::string kHash(64, 'a');

// The findings of reading `json` as a message.
template<class Reader>
std::string findings_of(Reader reader, const std::string& json) {
    const Parsed parsed = parse_json(json);
    if (!parsed.root || !parsed.findings.empty()) return "not JSON";
    Findings findings;
    reader(*parsed.root, findings);
    const auto lines = findings.lines();
    return join(lines, " | ");
}

// `json` with the member `name` replaced by `value` ("": left out).
std::string with(const std::string& json, const std::string& name, const std::string& value) {
    Node node = *parse_json(json).root;
    if (value.empty()) return write_json(node.remove(name));
    return write_json(node.set(name, *parse_json(value).root));
}

bool says(const std::string& all, const std::string& part) {
    if (all.find(part) != std::string::npos) return true;
    UT_PRINT(("found: " + all + " — wanted: " + part).c_str());
    return false;
}

} // namespace

TEST_GROUP(Registrations) {
    const std::string whole = R"({"codeId":"6e66640c","codeProof":")" + kHash +
                              R"(","release":"25.03","selfUpgrade":true,"commitment":")" + kHash +
                              R"("})";
    std::string refusal(const std::string& name, const std::string& value) {
        return findings_of(read_registration, with(whole, name, value));
    }
};

TEST(Registrations, GoThereAndBack) {
    const Registration sent{"6e66640c", filled(0xaa), "25.03", true, filled(0xaa)};
    STRCMP_EQUAL(whole.c_str(), write_json(to_node(sent)).c_str());
    Findings findings;
    const Registration read = read_registration(to_node(sent), findings);
    CHECK(findings.empty());
    STRCMP_EQUAL("6e66640c", read.code_id.c_str());
    CHECK(read.code_proof == sent.code_proof);
    CHECK(read.commitment == sent.commitment);
    STRCMP_EQUAL("25.03", read.release.c_str());
    CHECK(read.self_upgrade);
}

TEST(Registrations, OfAKnownKeyHaveNoCode) {
    Findings findings;
    const Registration read =
        read_registration(to_node(Registration{"", {}, "1", false, {}}), findings);
    CHECK(findings.empty());
    CHECK(read.code_id.empty());
    CHECK_FALSE(read.code_proof.has_value());
    CHECK_FALSE(read.commitment.has_value());
}

TEST(Registrations, IgnoreWhatANewerJoinerAdds) {
    STRCMP_EQUAL("", refusal("protocol", "3").c_str());
    STRCMP_EQUAL("", refusal("extra", R"({"a":[1]})").c_str());
}

TEST(Registrations, AreReadInEitherCaseOfHex) {
    Findings findings;
    const auto read =
        read_registration(*parse_json(with(whole, "codeId", "\"6E66640C\"")).root, findings);
    STRCMP_EQUAL("6e66640c", read.code_id.c_str());
}

TEST(Registrations, RefuseEachFieldThatDoesNotHold) {
    CHECK(says(refusal("codeId", "\"6e66640\""), "codeId: needs 8 hex digits"));
    CHECK(says(refusal("codeId", "5"), "codeId: "));
    CHECK(says(refusal("codeId", ""), "codeId: missing beside codeProof"));
    CHECK(says(refusal("codeProof", ""), "codeProof: missing beside codeId"));
    CHECK(says(refusal("codeProof", "\"aa\""), "codeProof: needs 64 hex digits"));
    CHECK(says(refusal("commitment", ""), "commitment: missing"));
    CHECK(says(refusal("commitment", "\"" + std::string(64, 'g') + "\""), "commitment: needs 64"));
    CHECK(says(refusal("release", ""), "release: "));
    CHECK(says(refusal("release", "\"\""), "release: is empty"));
    CHECK(says(refusal("release", "25.03"), "release: "));
    CHECK(says(refusal("release", "\"" + std::string(129, '1') + "\""), "at most 128"));
    CHECK(says(refusal("selfUpgrade", "\"yes\""), "selfUpgrade: "));
    CHECK_FALSE(findings_of(read_registration, "[]").empty());
}

TEST(Registrations, TellEveryFaultAtOnce) {
    const std::string all = findings_of(
        read_registration, R"({"codeId":"x","codeProof":"y","commitment":"z","selfUpgrade":1})");
    for (const char* field : {"codeId", "codeProof", "commitment", "selfUpgrade", "release"}) {
        CHECK(says(all, std::string(field) + ": "));
    }
}

TEST_GROUP(RegistrationAnswers){RegistrationAnswer answer(){RegistrationAnswer made;
made.id = "nj-8w2k4m1p";
made.state = "pending";
made.founder_nonce = filled(0x44);
made.founder_proof = filled(0x55);
made.expires_at = 1796042096;
made.server_time = 1796040000;
made.upgrade = Upgrade{"25.03", "25.09", "", true};
return made;
}
std::string refusal(const std::string& name, const std::string& value) {
    return findings_of(read_registration_answer, with(write_json(to_node(answer())), name, value));
}
}
;

TEST(RegistrationAnswers, GoThereAndBack) {
    const RegistrationAnswer sent = answer();
    Findings findings;
    const RegistrationAnswer read = read_registration_answer(to_node(sent), findings);
    CHECK(findings.empty());
    STRCMP_EQUAL(sent.id.c_str(), read.id.c_str());
    STRCMP_EQUAL("pending", read.state.c_str());
    CHECK(read.founder_nonce == sent.founder_nonce);
    CHECK(read.founder_proof == sent.founder_proof);
    CHECK(read.expires_at == sent.expires_at && read.server_time == sent.server_time);
    CHECK(read.upgrade == sent.upgrade);
    CHECK(says(write_json(to_node(sent)), R"("expiresAt":"2026-11-30T12:34:56Z")"));
}

TEST(RegistrationAnswers, MayLackProofAndUpgrade) {
    STRCMP_EQUAL("", refusal("founderProof", "").c_str());
    STRCMP_EQUAL("", refusal("upgrade", "").c_str());
    STRCMP_EQUAL("", refusal("newer", "1").c_str());
}

TEST(RegistrationAnswers, RefuseEachFieldThatDoesNotHold) {
    for (const char* bad :
         {"\"nj-8w2k4m1\"", "\"nj-8W2k4m1p\"", "\"xx-8w2k4m1p\"", "\"nj-8w2k4m1/\"", "7"}) {
        CHECK(says(refusal("id", bad), "id: "));
    }
    CHECK(says(refusal("id", ""), "id: "));
    CHECK(says(refusal("state", "\"\""), "state: "));
    CHECK(says(refusal("founderNonce", ""), "founderNonce: "));
    CHECK(says(refusal("founderNonce", "\"00\""), "founderNonce: needs 64"));
    CHECK(says(refusal("founderProof", "\"00\""), "founderProof: needs 64"));
    CHECK(says(refusal("expiresAt", "\"tomorrow\""), "expiresAt: needs a time"));
    CHECK(says(refusal("serverTime", "1796042096"), "serverTime: "));
    CHECK(says(refusal("upgrade", R"({"from":"1"})"), "upgrade.to: "));
    CHECK(says(refusal("upgrade", R"({"from":"1","to":"2","servedByFounder":"x"})"),
               "upgrade.servedByFounder: "));
    CHECK(says(refusal("upgrade", "[]"), "upgrade: "));
}

TEST_GROUP(Reveals){};

TEST(Reveals, GoThereAndBackWithTheInventoryAsItIs) {
    Reveal sent;
    sent.nonce = filled(0x33);
    sent.inventory = *parse_json(R"({"hostname":"h","disks":[],"newThing":{"a":1}})").root;
    Findings findings;
    const Reveal read = read_reveal(to_node(sent), findings);
    CHECK(findings.empty());
    CHECK(read.nonce == sent.nonce);
    CHECK(read.inventory == sent.inventory);
}

TEST(Reveals, RefuseEachFieldThatDoesNotHold) {
    CHECK(says(findings_of(read_reveal, R"({"inventory":{}})"), "nonce: "));
    CHECK(says(findings_of(read_reveal, R"({"nonce":"12","inventory":{}})"), "nonce: needs 64"));
    CHECK(says(findings_of(read_reveal, R"({"nonce":")" + kHash + R"("})"), "inventory: missing"));
    CHECK(says(findings_of(read_reveal, R"({"nonce":")" + kHash + R"(","inventory":[]})"),
               "inventory: needs an object"));
}

TEST_GROUP(JoinerViews){JoinerView view(){JoinerView made;
made.id = "nj-8w2k4m1p";
made.state = "failed";
made.revision = 12;
made.attempt = 2;
made.wait_reason = "waits";
made.upgrade = Upgrade{"1", "2", "https://mirror.example/x", false};
made.expires_at = 1796042096;
made.server_time = 1796040000;
made.node_id = "n-1";
made.name = "alpha";
made.node_yaml_sha256 = kHash;
made.bundle_sha256 = kHash;
made.failed_step = "join/patroni";
made.failed_step_title = "Joining Patroni";
made.failed_error = "exit code 1";
made.ended_reason = "rejected by an admin";
made.revealed = true;
return made;
}
std::string refusal(const std::string& name, const std::string& value) {
    return findings_of(read_joiner_view, with(write_json(to_node(view())), name, value));
}
}
;

TEST(JoinerViews, GoThereAndBack) {
    const Node node = to_node(view());
    Findings findings;
    const JoinerView read = read_joiner_view(node, findings);
    CHECK(findings.empty());
    CHECK(to_node(read) == node);
    CHECK_EQUAL(12, read.revision);
    CHECK_EQUAL(2, read.attempt);
    CHECK(read.revealed);
    STRCMP_EQUAL("rejected by an admin", read.ended_reason.c_str());
    CHECK(node.find("pairingCode") == nullptr);
}

TEST(JoinerViews, LeaveOutWhatIsNotThere) {
    JoinerView plain;
    plain.id = "nj-8w2k4m1p";
    plain.state = "pending";
    STRCMP_EQUAL(R"({"id":"nj-8w2k4m1p","state":"pending","revision":0,"attempt":1,)"
                 R"("expiresAt":"1970-01-01T00:00:00Z","serverTime":"1970-01-01T00:00:00Z",)"
                 R"("revealed":false})",
                 write_json(to_node(plain)).c_str());
}

TEST(JoinerViews, RefuseEachFieldThatDoesNotHold) {
    CHECK(says(refusal("id", ""), "id: "));
    CHECK(says(refusal("state", ""), "state: "));
    CHECK(says(refusal("revision", "-1"), "revision: "));
    CHECK(says(refusal("attempt", "0"), "attempt: "));
    CHECK(says(refusal("attempt", "\"1\""), "attempt: "));
    CHECK(says(refusal("expiresAt", "\"x\""), "expiresAt: "));
    CHECK(says(refusal("serverTime", ""), "serverTime: "));
    CHECK(says(refusal("waitReason", "5"), "waitReason: "));
    CHECK(says(refusal("failedError", "\"" + std::string(9000, 'x') + "\""), "at most 8192"));
    CHECK(says(refusal("revealed", "1"), "revealed: "));
}

TEST(JoinerViews, ShowNoControlCharacters) {
    Findings findings;
    const auto read = read_joiner_view(
        *parse_json(with(write_json(to_node(view())), "failedError", R"("a\u001b[2Jb")")).root,
        findings);
    CHECK(read.failed_error.find('\x1b') == std::string::npos);
}

TEST_GROUP(ProgressReports){Progress report(){Progress made;
made.attempt = 3;
made.steps = {
    {"storage", "", StepStatus::kDone, 100, 1796040000, 1796040010, ""},
    {"join/patroni", "Joining Patroni", StepStatus::kFailed, {}, 1796040010, {}, "exit 1"}};
made.log = {{1, 1796040000, "a"}, {2, 1796040001, ""}};
made.result = "failed";
return made;
}
std::string refusal(const std::string& json) {
    return findings_of(read_progress, json);
}
std::string step(const std::string& members) {
    return refusal(R"({"attempt":1,"steps":[{)" + members + "}]}");
}
std::string line(const std::string& members) {
    return refusal(R"({"attempt":1,"log":[{)" + members + "}]}");
}
}
;

TEST(ProgressReports, GoThereAndBack) {
    const Progress sent = report();
    Findings findings;
    const Progress read = read_progress(to_node(sent), findings);
    CHECK(findings.empty());
    CHECK_EQUAL(3, read.attempt);
    CHECK(read.steps == sent.steps);
    CHECK(read.log == sent.log);
    STRCMP_EQUAL("failed", read.result.c_str());
}

TEST(ProgressReports, MayHoldNothingButTheAttempt) {
    STRCMP_EQUAL("", refusal(R"({"attempt":1})").c_str());
    STRCMP_EQUAL("", refusal(R"({"attempt":1,"steps":[],"log":[],"newer":1})").c_str());
}

TEST(ProgressReports, StepStatusesHaveTheirWords) {
    STRCMP_EQUAL("pending", std::string(step_status_name(StepStatus::kPending)).c_str());
    STRCMP_EQUAL("running", std::string(step_status_name(StepStatus::kRunning)).c_str());
    STRCMP_EQUAL("done", std::string(step_status_name(StepStatus::kDone)).c_str());
    STRCMP_EQUAL("failed", std::string(step_status_name(StepStatus::kFailed)).c_str());
}

TEST(ProgressReports, RefuseEachFieldThatDoesNotHold) {
    CHECK(says(refusal("{}"), "attempt: "));
    CHECK(says(refusal(R"({"attempt":0})"), "attempt: "));
    CHECK(says(refusal(R"({"attempt":1,"result":"fine"})"), "result: "));
    CHECK(says(refusal(R"({"attempt":1,"steps":{}})"), "steps: "));
    CHECK(says(step(R"("status":"done")"), "steps[0].name: "));
    CHECK(says(step(R"("name":"storage")"), "steps[0].status: "));
    CHECK(says(step(R"("name":"storage","status":"ok")"), "steps[0].status: "));
    for (const char* bad : {"", "a b", "/a", "a/", "a//b", "ü"}) {
        CHECK(
            says(step(R"("status":"done","name":")" + std::string(bad) + "\""), "steps[0].name: "));
    }
    CHECK(says(step(R"("name":"a","status":"done","percent":101)"), "steps[0].percent: "));
    CHECK(says(step(R"("name":"a","status":"done","startedAt":5)"), "steps[0].startedAt: "));
    CHECK(says(step(R"("name":"a","status":"done","finishedAt":"x")"), "steps[0].finishedAt: "));
    CHECK(says(step(R"("name":"a","status":"done","title":")" + std::string(257, 'x') + "\""),
               "steps[0].title: "));
    CHECK(says(line(R"("at":"2026-11-30T12:00:00Z","line":"x")"), "log[0].seq: "));
    CHECK(says(line(R"("seq":0,"at":"2026-11-30T12:00:00Z","line":"x")"), "log[0].seq: "));
    CHECK(says(line(R"("seq":1,"line":"x")"), "log[0].at: "));
    CHECK(says(line(R"("seq":1,"at":"2026-11-30T12:00:00Z")"), "log[0].line: "));
}

TEST(ProgressReports, RefuseStepsAndLinesThatAreThereTwice) {
    Progress twice = report();
    twice.steps.push_back(twice.steps[0]);
    twice.log.push_back(twice.log[0]);
    const std::string all = findings_of(read_progress, write_json(to_node(twice)));
    CHECK(says(all, "steps[2].name: 'storage' is in this report twice"));
    CHECK(says(all, "log[2].seq: 1 follows 2"));
}

TEST(ProgressReports, HoldTheirLimits) {
    Progress most;
    for (int n = 1; n <= 200; ++n) {
        most.steps.push_back({"s" + std::to_string(n), "", StepStatus::kDone, {}, {}, {}, ""});
    }
    for (int n = 1; n <= 1000; ++n) most.log.push_back({n, 0, "x"});
    most.log[0].line = std::string(4096, 'y');
    Findings findings;
    CHECK_EQUAL(1000u, read_progress(to_node(most), findings).log.size());
    CHECK(findings.empty());
    most.steps.push_back({"more", "", StepStatus::kDone, {}, {}, {}, ""});
    most.log[0].line += "y";
    CHECK(says(findings_of(read_progress, write_json(to_node(most))),
               "steps: has 201 entries, at most 200"));
    CHECK(
        says(findings_of(read_progress, write_json(to_node(most))), "log[0].line: has 4097 bytes"));
    most.log.push_back({1001, 0, ""});
    CHECK(says(findings_of(read_progress, write_json(to_node(most))), "log: has 1001 entries"));
}

TEST(ProgressReports, LinesShowNoControlCharacters) {
    Findings findings;
    Progress sent;
    sent.log = {{1, 0, "a\x1b[31mred"}};
    CHECK(read_progress(to_node(sent), findings).log[0].line.find('\x1b') == std::string::npos);
}

TEST_GROUP(Heartbeats){};

TEST(Heartbeats, GoThereAndBack) {
    const Heartbeat sent{7, false, {"networkd is not running"}};
    Findings findings;
    const Heartbeat read = read_heartbeat(to_node(sent), findings);
    CHECK(findings.empty());
    CHECK_EQUAL(7, read.generation_applied);
    CHECK_FALSE(read.healthy);
    CHECK(read.complaints == sent.complaints);
}

TEST(Heartbeats, SayThatTheMachineLeftOnlyWhereItDid) {
    Findings findings;
    Heartbeat sent{7, true, {}};
    CHECK(to_node(sent).find("left") == nullptr);
    CHECK_FALSE(read_heartbeat(to_node(sent), findings).left);
    sent.left = true;
    CHECK(read_heartbeat(to_node(sent), findings).left);
    CHECK(findings.empty());
    CHECK(
        says(findings_of(read_heartbeat, R"({"healthy":true,"generationApplied":1,"left":"yes"})"),
             "left: "));
}

TEST(Heartbeats, DoNotTakeSilenceForHealth) {
    CHECK(says(findings_of(read_heartbeat, R"({"generationApplied":1})"), "healthy: missing"));
    Findings findings;
    CHECK_FALSE(read_heartbeat(*parse_json(R"({"generationApplied":1})").root, findings).healthy);
}

TEST(Heartbeats, RefuseEachFieldThatDoesNotHoldAndCutLongComplaints) {
    CHECK(says(findings_of(read_heartbeat, R"({"healthy":true})"), "generationApplied: "));
    CHECK(says(findings_of(read_heartbeat, R"({"healthy":true,"generationApplied":-1})"),
               "generationApplied: "));
    CHECK(says(findings_of(read_heartbeat, R"({"healthy":1,"generationApplied":1})"), "healthy: "));
    CHECK(says(
        findings_of(read_heartbeat, R"({"healthy":true,"generationApplied":1,"complaints":"x"})"),
        "complaints: "));
    STRCMP_EQUAL(
        "", findings_of(read_heartbeat, R"({"healthy":true,"generationApplied":1,"sample":{}})")
                .c_str());
    const Heartbeat many{1, false, std::vector<std::string>(60, std::string(600, 'x'))};
    Findings findings;
    const Heartbeat read = read_heartbeat(to_node(many), findings);
    CHECK(findings.empty());
    CHECK_EQUAL(50u, read.complaints.size());
    CHECK_EQUAL(512u, read.complaints[0].size());
}

TEST_GROUP(HeartbeatAnswers){};

TEST(HeartbeatAnswers, GoThereAndBackWithAndWithoutMembers) {
    HeartbeatAnswer sent;
    sent.generation = 8;
    sent.server_time = 1796040000;
    Findings findings;
    CHECK_FALSE(read_heartbeat_answer(to_node(sent), findings).members.has_value());
    sent.members.emplace();
    CHECK_EQUAL(0u, read_heartbeat_answer(to_node(sent), findings).members->size());
    sent.members->push_back({"n-1", "alpha", "hybrid", "joined", "10.20.0.11", {"10.30.0.11/24"}});
    const HeartbeatAnswer read = read_heartbeat_answer(to_node(sent), findings);
    CHECK(findings.empty());
    CHECK(read.members == sent.members);
    CHECK_EQUAL(8, read.generation);
    CHECK_EQUAL(1796040000, read.server_time);
}

TEST(HeartbeatAnswers, SayLeaveAndDoneAndAnyOtherWordIsNoOrder) {
    HeartbeatAnswer sent;
    sent.generation = 8;
    Findings findings;
    for (const Removal removal : {Removal::kNone, Removal::kLeave, Removal::kDone}) {
        sent.removal = removal;
        CHECK(read_heartbeat_answer(to_node(sent), findings).removal == removal);
    }
    for (const char* word : {"LEAVE", "leave ", "", "done?"}) {
        Node strange = to_node(sent);
        strange.set("removal", word);
        CHECK(read_heartbeat_answer(strange, findings).removal == Removal::kNone);
    }
    CHECK(findings.empty());
}

TEST(HeartbeatAnswers, RefuseEachFieldThatDoesNotHold) {
    CHECK(says(findings_of(read_heartbeat_answer, R"({"serverTime":"2026-11-30T12:00:00Z"})"),
               "generation: "));
    CHECK(says(findings_of(read_heartbeat_answer, R"({"generation":1})"), "serverTime: "));
    CHECK(says(findings_of(read_heartbeat_answer,
                           R"({"generation":1,"serverTime":"2026-11-30T12:00:00Z","members":{}})"),
               "members: "));
    CHECK(
        says(findings_of(read_heartbeat_answer,
                         R"({"generation":1,"serverTime":"2026-11-30T12:00:00Z","members":[{}]})"),
             "members[0]."));
}
