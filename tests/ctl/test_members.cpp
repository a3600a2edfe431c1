#include "ctl/members.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::ctl {
namespace {

Node member(const std::string& id, const std::string& name) {
    Node node = Node::object();
    node.set("nodeId", id).set("name", name).set("role", "hybrid").set("status", "joined");
    node.set("mgmtAddress", "10.77.0.50").set("healthy", Node::boolean(true));
    node.set("addresses", Node::array({Node::string("10.77.10.2/24")}));
    return node;
}

Node removing(const std::string& id, const std::string& name) {
    Node node = member(id, name);
    Node removal = Node::object();
    removal.set("waitReason", "waiting for node gamma (nj-1), which is installing");
    return node.set("status", "removing").set("removal", std::move(removal));
}

Node list(std::vector<Node> members) {
    Node all = Node::array();
    for (Node& one : members) all.push(std::move(one));
    return Node::object().set("members", std::move(all));
}

} // namespace

TEST_GROUP(Members){};

TEST(Members, are_found_by_id_and_by_name) {
    const Node answer = list({member("n-a", "alpha"), member("n-b", "beta")});
    STRCMP_EQUAL("beta", find_member(answer, "n-b")->find("name")->as_string().c_str());
    STRCMP_EQUAL("n-b", find_member(answer, "beta")->find("nodeId")->as_string().c_str());
}

TEST(Members, an_id_goes_before_a_name_that_looks_like_it) {
    const Node answer = list({member("n-a", "n-b"), member("n-b", "beta")});
    STRCMP_EQUAL("beta", find_member(answer, "n-b")->find("name")->as_string().c_str());
}

TEST(Members, one_that_is_not_there_is_told_with_those_that_are) {
    const auto found = find_member(list({member("n-a", "alpha")}), "beta");
    CHECK_TRUE(found.error().code == ErrorCode::kNotFound);
    STRCMP_EQUAL("there is no member “beta”; there are alpha (n-a)", found.error().message.c_str());
    CHECK_FALSE(find_member(list({}), "-").has_value());
    CHECK_FALSE(find_member(Node(), "alpha").has_value());
}

TEST(Members, the_table_says_what_a_removal_waits_for_and_why_one_is_not_well) {
    Node ill = member("n-b", "beta");
    ill.set("healthy", Node::boolean(false));
    ill.set("complaints", Node::array({Node::string("disk sda is full")}));
    const std::string table = members_table(list({removing("n-a", "alpha"), ill}));
    CHECK_TRUE(table.find("waiting for node gamma (nj-1), which is installing") !=
               std::string::npos);
    CHECK_TRUE(table.find("no       disk sda is full") != std::string::npos);
}

TEST(Members, the_warning_names_what_is_lost_and_what_is_not) {
    const std::string text = removal_warning(member("n-b", "beta"));
    for (const char* part : {"beta (n-b)", "10.77.0.50", "10.77.10.2/24", "disks keep"})
        CHECK_TRUE(text.find(part) != std::string::npos);
}

TEST(Members, the_progress_is_the_reason_to_wait) {
    STRCMP_EQUAL("alpha is removing: waiting for node gamma (nj-1), which is installing",
                 removal_line(removing("n-a", "alpha")).c_str());
}

} // namespace stratum::ctl
