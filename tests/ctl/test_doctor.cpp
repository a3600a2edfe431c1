#include "ctl/doctor.hpp"

#include "common/base/text.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::ctl;

namespace {

const char* const kAnswer = R"({
"stratumVersion":"0.6.0","overallStatus":"ok",
"components":[
 {"id":"ovn-central","class":"shipped","detected":"25.03.1",
  "supported":{"pinned":"ovn-central:25.03.1"},"status":"ok","source":"image-pin"},
 {"id":"ovn-controller","class":"host","detected":"25.03.1",
  "supported":{"range":">=25.03 <26.00"},"status":"ok","source":"host-probe"}],
"constraints":[{"id":"match","rule":"ovn-central.major_minor == ovn-controller.major_minor",
 "status":"ok"}],
"fleetOverallStatus":"unsupported",
"nodes":[{"nodeId":"n-2","sampledAt":"2026-11-30T12:00:00Z",
 "stratumVersion":"0.6.0","overallStatus":"unsupported",
 "components":[
  {"id":"ovn-central","class":"shipped","detected":"25.03.1",
   "supported":{"pinned":"ovn-central:25.03.1"},"status":"ok","source":"image-pin"},
  {"id":"ovn-controller","class":"host","detected":"25.09.0",
   "supported":{"range":">=25.03 <26.00"},"status":"ok","source":"host-probe"}],
 "constraints":[{"id":"match","rule":"ovn-central.major_minor == ovn-controller.major_minor",
  "status":"unsupported","note":"25.03.1 and 25.09.0; bring both to one"}]}]})";

Node answer(const std::string& from = "", const std::string& to = "") {
    std::string text = kAnswer;
    if (!from.empty()) {
        const auto at = text.find(from);
        CHECK_TEXT(at != std::string::npos, from.c_str());
        text.replace(at, from.size(), to);
    }
    return *parse_json(text).root;
}

void refused(const std::string& from, const std::string& to, const char* field) {
    const auto fleet = read_compatibility(answer(from, to));
    CHECK_FALSE(fleet.has_value());
    STRCMP_CONTAINS(field, fleet.error().message.c_str());
    STRCMP_CONTAINS("see whether founder and stratumctl are of one release",
                    fleet.error().message.c_str());
}

} // namespace

TEST_GROUP(CtlDoctor){};

TEST(CtlDoctor, AnAnswerIsDrawnAsItIs) {
    const auto fleet = read_compatibility(answer());
    CHECK(fleet.has_value());
    const compat::DoctorStyle style{80, false, fleet->samples[0].sampled_at + 600, "the founder"};
    STRCMP_EQUAL("overall: unsupported (the founder and 1 node); mend first: match on n-2\n"
                 "\n"
                 "COMPONENT       NEEDED               the founder  n-2\n"
                 "ovn-controller  >=25.03 <26.00       25.03.1      25.09.0 !\n"
                 "ovn-central     ovn-central:25.03.1  25.03.1      25.03.1 !\n"
                 "stratum itself                       0.6.0        0.6.0\n"
                 "\n"
                 "unsupported match on n-2: 25.03.1 and 25.09.0; bring both to one\n"
                 "\n"
                 "stale n-2: last heard of 10 minutes ago; see whether the machine runs, and its\n"
                 "    member service\n",
                 compat::render_doctor(*fleet, style).c_str());
    LONGS_EQUAL(2, compat::doctor_exit_code(*fleet, fleet->samples[0].sampled_at));
}

TEST(CtlDoctor, TheVerdictIsThatOfTheRowsWhateverTheHeadSays) {
    const auto fleet = read_compatibility(
        answer(R"("fleetOverallStatus":"unsupported")", R"("fleetOverallStatus":"ok")"));
    LONGS_EQUAL(2, compat::doctor_exit_code(*fleet, fleet->samples[0].sampled_at));
}

TEST(CtlDoctor, WhatIsNewInAnAnswerIsNotInTheWay) {
    CHECK(
        read_compatibility(answer(R"("id":"match",)", R"("id":"match","weight":7,)")).has_value());
}

TEST(CtlDoctor, AnAnswerThatCannotBeReadIsRefusedAtItsField) {
    refused(R"("components":[
 {"id":"ovn-central","class":"shipped")",
            R"("components":[7,{"x":1)", "the founder's answer cannot be read: components[0]");
    refused(R"("status":"ok")", R"("status":"fine")", "components[0].status");
    refused(R"("sampledAt":"2026)", R"("sampledAt":"x2026)", "nodes[0].sampledAt");
    refused(R"("nodeId")", R"("node")", "nodes[0].nodeId");
    refused(R"("stratumVersion":"0.6.0")", R"("stratumVersion":6)", "stratumVersion");
    CHECK_FALSE(read_compatibility(Node::array()).has_value());
    CHECK_FALSE(read_compatibility(Node()).has_value());
}

TEST(CtlDoctor, TheFoundersClockIsRead) {
    LONGS_EQUAL(*parse_time("2026-11-30T19:48:06Z"), *date_of("Mon, 30 Nov 2026 19:48:06 GMT"));
    LONGS_EQUAL(*parse_time("2024-02-29T00:00:00Z"), *date_of("Thu, 29 Feb 2024 00:00:00 GMT"));
    for (const char* wrong :
         {"", "now", "Mon, 30 Nov 2026 19:48:06", "Mon, 30 Non 2026 19:48:06 GMT",
          "Mon, 31 Nov 2026 19:48:06 GMT", "Mon, 30 Nov 26 19:48:06 GMT",
          "Mon, 30 Nov 2026 29:48:06 GMT", "Mon, 3 Nov 2026 19:48:06 CET"})
        CHECK_FALSE_TEXT(date_of(wrong).has_value(), wrong);
}

TEST(CtlDoctor, NodesHaveTheirNamesWhereTheMemberListHasThem) {
    auto fleet = *read_compatibility(answer());
    name_nodes(fleet, *parse_json(R"({"members":[{"nodeId":"n-1","name":"alpha"},{"nodeId":7},
{"nodeId":"n-2","name":"beta"}]})")
                           .root);
    STRCMP_EQUAL("beta", fleet.samples[0].node_id.c_str());
    for (const char* none : {"{}", "[]", R"({"members":3})", R"({"members":[{"nodeId":"n-2"}]})",
                             R"({"members":[{"nodeId":"n-2","name":""}]})"}) {
        auto other = *read_compatibility(answer());
        name_nodes(other, *parse_json(none).root);
        STRCMP_EQUAL("n-2", other.samples[0].node_id.c_str());
    }
}

TEST(CtlDoctor, AMemberThatJoinedAndHasNoReportIsNamed) {
    auto fleet = *read_compatibility(answer());
    name_nodes(fleet, *parse_json(R"({"members":[
{"nodeId":"n-1","name":"alpha","status":"joined"},
{"nodeId":"n-2","name":"beta","status":"joined","joinId":"j2"},
{"nodeId":"n-10","name":"node-10","status":"joined","joinId":"j10"},
{"nodeId":"n-9","name":"node-9","status":"joined","joinId":"j9"},
{"nodeId":"n-4","status":"joined","joinId":"j4"},
{"nodeId":"n-5","name":"leaves","status":"removing","joinId":"j5"}]})")
                           .root);
    STRCMP_EQUAL("n-4,node-9,node-10", join(fleet.unreported_names, ",").c_str());
    LONGS_EQUAL(2, compat::doctor_exit_code(fleet, fleet.samples[0].sampled_at));
}

TEST(CtlDoctor, AHeadersNumberIsDigitsAlone) {
    LONGS_EQUAL(0, *number_of("0"));
    LONGS_EQUAL(999'999'999, *number_of("999999999"));
    for (const char* wrong : {"", "-1", "+1", " 1", "1 ", "1s", "0x1", "1000000000"})
        CHECK_FALSE_TEXT(number_of(wrong).has_value(), wrong);
}

TEST(CtlDoctor, AWatchedTerminalIsDrawnAnewEachTime) {
    WatchedText watched(true);
    STRCMP_EQUAL("\x1b[H\x1b[2J12:00\na\n", watched.next("a\n", "12:00").c_str());
    STRCMP_EQUAL("\x1b[H\x1b[2J12:05\na\n", watched.next("a\n", "12:05").c_str());
}

TEST(CtlDoctor, ElsewhereOnlyWhatDiffersIsPrinted) {
    WatchedText watched(false);
    STRCMP_EQUAL("12:00\na\n\n", watched.next("a\n", "12:00").c_str());
    STRCMP_EQUAL("", watched.next("a\n", "12:05").c_str());
    STRCMP_EQUAL("12:10\nb\n\n", watched.next("b\n", "12:10").c_str());
}
