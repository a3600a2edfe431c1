#include "common/base/document.hpp"
#include "common/facts/member.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::facts;

TEST_GROUP(MemberJson){};

TEST(MemberJson, everything_comes_back_as_it_was) {
    const Member member{"node-1", "alpha", "hybrid", "joined", "10.0.0.1", {"10.1.0.1/24"}};
    Findings findings;
    CHECK(read_member(to_node(member), {}, findings) == member);
    CHECK(findings.empty());
}

TEST(MemberJson, a_member_without_its_node_id_is_a_finding) {
    Findings findings;
    read_member(Node::object(), {}, findings);
    CHECK(findings.has_at(FieldPath().key("nodeId")));
}
