// The members over the admin API: the list, and a removal.

#include "founder/api/admin_api.hpp"
#include "founder/api/route.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder::api {

TEST_GROUP(MemberRoutes) {
    World world;
    Machine first{1};
    link::Handler handler = make_admin_handler(*world.founder);
    std::string node;

    void setup() override {
        node = world.record(world.joined(first, "beta")).node_id;
    }
    link::ServerAnswer call(const std::string& method, const std::string& path,
                            const std::string& query = {}, const std::string& token = {}) {
        link::ServerRequest made;
        made.method = method;
        made.path = "/v1/admin/cluster/members" + path;
        made.query = query;
        made.remote_address = "192.0.2.7";
        made.request_id = "0123456789abcdef";
        made.headers.emplace_back("Authorization",
                                  "Bearer " + (token.empty() ? world.token : token));
        return handler(made);
    }
    std::string token_for(const std::string& resource) {
        const Parsed policy = parse_json(
            R"({"version": 1, "statements": [{"effect": "allow", "actions": ["ha:RemoveMember"],
                "resources": [")" +
            resource + "\"]}]}");
        return world.founder->create_token("", *policy.root, world.admin)->token;
    }
};

TEST(MemberRoutes, a_removal_is_202_with_the_row_as_it_is_now) {
    const auto answer = call("DELETE", "/" + node);
    LONGS_EQUAL(202, answer.status);
    const Node row = *parse_json(answer.body).root;
    STRCMP_EQUAL("removing", row.find("status")->as_string().c_str());
    const Node* removal = row.find("removal");
    STRCMP_EQUAL("waiting for node beta to stop being a member",
                 removal->find("waitReason")->as_string().c_str());
    CHECK_FALSE(removal->find("forced")->as_bool());
    CHECK_TRUE(call("GET", "").body.find("\"removing\"") != std::string::npos);
}

TEST(MemberRoutes, a_member_that_stays_has_no_removal) {
    CHECK_TRUE(call("GET", "").body.find("\"removal\"") == std::string::npos);
}

TEST(MemberRoutes, unknown_and_forbidden_removals_are_404_409_and_400) {
    LONGS_EQUAL(404, call("DELETE", "/n-nobody").status);
    LONGS_EQUAL(409, call("DELETE", "/n-founder1").status);
    LONGS_EQUAL(409, call("DELETE", "/" + node, "force=true").status); // it is alive
    LONGS_EQUAL(400, call("DELETE", "/" + node, "force=maybe").status);
    LONGS_EQUAL(400, call("DELETE", "/" + node, "forced=true").status);
    CHECK_TRUE(call("GET", "").body.find("\"removing\"") == std::string::npos);
}

TEST(MemberRoutes, taking_a_removal_back_is_the_same_right_and_409_where_there_is_none) {
    LONGS_EQUAL(409, call("DELETE", "/" + node + "/removal").status);
    LONGS_EQUAL(404, call("DELETE", "/n-none/removal").status);
    LONGS_EQUAL(403,
                call("DELETE", "/" + node + "/removal", "", token_for("member/n-other")).status);
    LONGS_EQUAL(202, call("DELETE", "/" + node).status);
    const auto kept = call("DELETE", "/" + node + "/removal", "", token_for("member/" + node));
    LONGS_EQUAL(200, kept.status);
    CHECK_TRUE(kept.body.find("\"status\":\"joined\"") != std::string::npos);
}

TEST(MemberRoutes, the_right_can_be_on_one_member) {
    LONGS_EQUAL(403, call("DELETE", "/" + node, "", token_for("member/n-other")).status);
    LONGS_EQUAL(202, call("DELETE", "/" + node, "", token_for("member/" + node)).status);
}

} // namespace stratum::founder::api
