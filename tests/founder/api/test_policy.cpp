// What a policy document may say, and what it allows.

#include "common/base/text.hpp"
#include "founder/api/policy.hpp"
#include "founder/api/route.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder::api {
namespace {

ReadPolicy read(const std::string& json) {
    const Parsed parsed = parse_json(json);
    if (!parsed.root) FAIL("the test's own JSON does not parse");
    return read_policy(*parsed.root);
}

// A policy of one statement: effect, actions and resources as JSON.
std::string one(const std::string& effect, const std::string& actions,
                const std::string& resources) {
    return R"({"effect": ")" + effect + R"(", "actions": )" + actions + R"(, "resources": )" +
           resources + "}";
}

std::string document(const std::string& statements) {
    return R"({"version": 1, "statements": [)" + statements + "]}";
}

// Each issue as CODE@statement, then :action where one is at fault.
std::string issues_of(const std::string& json) {
    std::vector<std::string> lines;
    for (const link::Issue& issue : read(json).issues)
        lines.push_back(issue.code + "@" + std::to_string(issue.statement) +
                        (issue.action ? ":" + *issue.action : ""));
    return join(lines, " ");
}

Policy good(const std::string& statements) {
    ReadPolicy read_one = read(document(statements));
    if (!read_one.issues.empty()) FAIL(read_one.issues.front().detail.c_str());
    return std::move(read_one.policy);
}

} // namespace

TEST_GROUP(PolicyDocument){};

TEST(PolicyDocument, every_action_there_is_can_be_named_with_its_own_resource) {
    for (const ActionSpec& action : actions()) {
        const std::string kind(action.resource);
        const std::string resource = kind == "cluster" ? kind : kind + "/*";
        STRCMP_EQUAL("", issues_of(document(one("allow", "[\"" + std::string(action.name) + "\"]",
                                                "[\"" + resource + "\"]")))
                             .c_str());
    }
}

TEST(PolicyDocument, every_action_stands_once_and_in_byte_order) {
    for (std::size_t i = 1; i < actions().size(); ++i)
        CHECK_TRUE(actions()[i - 1].name < actions()[i].name);
}

TEST(PolicyDocument, every_route_that_needs_a_token_has_an_action_there_is) {
    for (const Route& route : routes())
        CHECK_TRUE(route.action.empty() || find_action(route.action) != nullptr);
}

TEST(PolicyDocument, families_stars_and_single_things_are_taken) {
    STRCMP_EQUAL("", issues_of(document(one("allow", R"(["ha:*", "iam:ListAudit"])",
                                            R"(["cluster", "join/nj-8w2k4m1p"])") +
                                        "," + one("deny", R"(["*"])", R"(["*"])")))
                         .c_str());
}

TEST(PolicyDocument, what_is_no_object_is_refused_as_a_whole) {
    STRCMP_EQUAL("INVALID_DOCUMENT@-1", issues_of("[]").c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@-1", issues_of("null").c_str());
}

TEST(PolicyDocument, version_must_be_one) {
    const std::string rest = R"(, "statements": [)" + one("allow", R"(["*"])", R"(["*"])") + "]}";
    STRCMP_EQUAL("", issues_of(R"({"version": 1)" + rest).c_str());
    for (const char* version : {"2", "\"1\"", "1.5", "null"})
        STRCMP_EQUAL("INVALID_DOCUMENT@-1",
                     issues_of(R"({"version": )" + std::string(version) + rest).c_str());
}

TEST(PolicyDocument, there_are_one_to_fifty_statements) {
    const std::string each = one("allow", R"(["*"])", R"(["*"])");
    std::string many = each;
    for (int i = 1; i < 50; ++i) many += "," + each;
    STRCMP_EQUAL("", issues_of(document(many)).c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@-1", issues_of(document(many + "," + each)).c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@-1", issues_of(document("")).c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@-1", issues_of(R"({"version": 1, "statements": {}})").c_str());
}

TEST(PolicyDocument, unknown_members_are_refused_where_they_stand) {
    STRCMP_EQUAL("INVALID_DOCUMENT@-1", issues_of(R"({"version": 1, "id": "x", "statements": [)" +
                                                  one("allow", R"(["*"])", R"(["*"])") + "]}")
                                            .c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@0",
                 issues_of(document(R"({"effect": "allow", "actions": ["*"], "resources": ["*"],
                                        "condition": {}})"))
                     .c_str());
}

TEST(PolicyDocument, a_statement_needs_its_effect_actions_and_resources) {
    STRCMP_EQUAL("INVALID_DOCUMENT@0 INVALID_DOCUMENT@0 INVALID_DOCUMENT@0",
                 issues_of(document("{}")).c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@1",
                 issues_of(document(one("allow", R"(["*"])", R"(["*"])") + ", 7")).c_str());
    STRCMP_EQUAL("INVALID_DOCUMENT@0",
                 issues_of(document(one("Allow", R"(["*"])", R"(["*"])"))).c_str());
    for (const char* actions : {"[]", "\"*\"", "[7]", "[\"*\", null]"})
        STRCMP_EQUAL("INVALID_DOCUMENT@0",
                     issues_of(document(one("allow", actions, R"(["*"])"))).c_str());
}

TEST(PolicyDocument, an_action_that_there_is_not_is_named) {
    STRCMP_EQUAL("UNKNOWN_ACTION@0:ha:Reboot",
                 issues_of(document(one("allow", R"(["ha:Reboot"])", R"(["*"])"))).c_str());
    for (const char* action : {"ha:Approve*", "compute:*", ":*", "ha:", "", "HA:*"})
        STRCMP_EQUAL(
            ("UNKNOWN_ACTION@0:" + std::string(action)).c_str(),
            issues_of(document(one("allow", "[\"" + std::string(action) + "\"]", R"(["*"])")))
                .c_str());
}

TEST(PolicyDocument, a_resource_that_there_is_not_is_refused) {
    // A deny whose resource matches nothing would let through what it seems to forbid.
    for (const char* resource : {"join", "join/", "join/nj-*", "join/a/b", "node/*", "cluster/*",
                                 "", "**", "join/**", "Join/*"})
        CHECK_TRUE(
            issues_of(document(one("deny", R"(["*"])", "[\"" + std::string(resource) + "\"]")))
                .starts_with("INVALID_DOCUMENT@0"));
}

TEST(PolicyDocument, an_action_must_be_about_one_of_the_resources) {
    STRCMP_EQUAL(
        "ACTION_NOT_APPLICABLE@0:ha:ApproveNodeJoin",
        issues_of(document(one("allow", R"(["ha:ApproveNodeJoin"])", R"(["cluster", "token/*"])")))
            .c_str());
    STRCMP_EQUAL("ACTION_NOT_APPLICABLE@0:iam:*",
                 issues_of(document(one("allow", R"(["iam:*"])", R"(["join/*"])"))).c_str());
    STRCMP_EQUAL("", issues_of(document(one("allow", R"(["iam:*"])", R"(["token/*"])"))).c_str());
}

TEST(PolicyDocument, every_finding_comes_at_once) {
    STRCMP_EQUAL("INVALID_DOCUMENT@-1 INVALID_DOCUMENT@0 UNKNOWN_ACTION@0:x UNKNOWN_ACTION@1:y",
                 issues_of(R"({"version": 0, "statements": [)" +
                           one("never", R"(["x"])", R"(["*"])") + "," +
                           one("deny", R"(["y"])", R"(["*"])") + "]}")
                     .c_str());
}

TEST_GROUP(PolicyAllows){};

TEST(PolicyAllows, what_no_statement_allows_is_refused) {
    CHECK_FALSE(allows(Policy(), "ha:GetCluster", "cluster"));
    const Policy policy = good(one("allow", R"(["ha:GetCluster"])", R"(["cluster"])"));
    CHECK_TRUE(allows(policy, "ha:GetCluster", "cluster"));
    CHECK_FALSE(allows(policy, "ha:ListMembers", "cluster"));
    CHECK_FALSE(allows(policy, "ha:GetCluster", "join/nj-a"));
}

TEST(PolicyAllows, deny_wins_wherever_it_stands) {
    const std::string all = one("allow", R"(["*"])", R"(["*"])");
    const std::string no = one("deny", R"(["ha:ApproveNodeJoin"])", R"(["join/*"])");
    const std::string last = all + "," + no;
    const std::string first = no + "," + all;
    for (const std::string& statements : {last, first}) {
        const Policy policy = good(statements);
        CHECK_FALSE(allows(policy, "ha:ApproveNodeJoin", "join/nj-a"));
        CHECK_TRUE(allows(policy, "ha:RejectNodeJoin", "join/nj-a"));
    }
}

TEST(PolicyAllows, a_family_is_its_actions_and_no_others) {
    const Policy policy = good(one("allow", R"(["ha:*"])", R"(["*"])"));
    CHECK_TRUE(allows(policy, "ha:GetNodeJoin", "join/nj-a"));
    CHECK_FALSE(allows(policy, "iam:CreateToken", "cluster"));
}

TEST(PolicyAllows, one_thing_is_not_its_kind_and_a_kind_is_not_another) {
    const Policy single = good(one("allow", R"(["ha:GetNodeJoin"])", R"(["join/nj-a"])"));
    CHECK_TRUE(allows(single, "ha:GetNodeJoin", "join/nj-a"));
    CHECK_FALSE(allows(single, "ha:GetNodeJoin", "join/nj-ab"));
    const Policy kind = good(one("allow", R"(["*"])", R"(["join/*"])"));
    CHECK_TRUE(allows(kind, "ha:GetNodeJoin", "join/nj-b"));
    CHECK_FALSE(allows(kind, "ha:RevokeJoinCode", "join-code/6e66640c"));
    CHECK_FALSE(allows(kind, "ha:GetCluster", "cluster"));
}

// The actions that `wanted` has beyond `maker`, with the statement that gives each.
std::string beyond_of(const std::string& maker, const std::string& wanted) {
    std::vector<std::string> lines;
    for (const link::Issue& issue : beyond(good(maker), good(wanted)))
        lines.push_back(*issue.action + "@" + std::to_string(issue.statement));
    return join(lines, " ");
}

TEST_GROUP(PolicyBeyond){};

TEST(PolicyBeyond, the_same_and_less_are_not_beyond) {
    const std::string all = one("allow", R"(["*"])", R"(["*"])");
    STRCMP_EQUAL("", beyond_of(all, all).c_str());
    STRCMP_EQUAL("", beyond_of(all, one("allow", R"(["ha:*"])", R"(["join/*"])")).c_str());
    const std::string join_a = one("allow", R"(["ha:RetryNodeJoin"])", R"(["join/nj-a"])");
    STRCMP_EQUAL("", beyond_of(one("allow", R"(["ha:*"])", R"(["join/*"])"), join_a).c_str());
    STRCMP_EQUAL("", beyond_of(join_a, join_a).c_str());
}

TEST(PolicyBeyond, one_thing_does_not_give_all_of_its_kind) {
    STRCMP_EQUAL("ha:RetryNodeJoin@0",
                 beyond_of(one("allow", R"(["ha:RetryNodeJoin"])", R"(["join/nj-a"])"),
                           one("allow", R"(["ha:RetryNodeJoin"])", R"(["join/*"])"))
                     .c_str());
    STRCMP_EQUAL("ha:RetryNodeJoin@1",
                 beyond_of(one("allow", R"(["ha:RetryNodeJoin"])", R"(["join/nj-a"])"),
                           one("allow", R"(["ha:RetryNodeJoin"])", R"(["join/nj-a"])") + "," +
                               one("allow", R"(["ha:RetryNodeJoin"])", R"(["join/nj-b"])"))
                     .c_str());
}

TEST(PolicyBeyond, what_the_maker_is_denied_stays_denied) {
    const std::string maker = one("allow", R"(["*"])", R"(["*"])") + "," +
                              one("deny", R"(["iam:RevokeToken"])", R"(["token/tk-a"])");
    STRCMP_EQUAL("iam:RevokeToken@0",
                 beyond_of(maker, one("allow", R"(["*"])", R"(["*"])")).c_str());
    STRCMP_EQUAL("", beyond_of(maker, maker).c_str());
    STRCMP_EQUAL(
        "", beyond_of(maker, one("allow", R"(["iam:*"])", R"(["token/tk-b", "cluster"])")).c_str());
}

TEST(PolicyBeyond, a_wanted_denial_takes_away_from_what_is_wanted) {
    const std::string maker = one("allow", R"(["ha:GetNodeJoin"])", R"(["join/*"])");
    STRCMP_EQUAL("", beyond_of(maker, one("allow", R"(["ha:GetNodeJoin"])", R"(["join/*"])") + "," +
                                          one("deny", R"(["*"])", R"(["*"])"))
                         .c_str());
}

} // namespace stratum::founder::api
