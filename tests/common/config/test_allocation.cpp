// Addresses that the founder picks.
#include "common/base/text.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

// The addresses of the first link, or every problem.
std::string picked(const Trial& trial) {
    const auto planned = trial.plan();
    if (!planned) return all_problems(trial);
    return join((*planned->assignment.links)[0].addresses, " ");
}

Network& storage(Trial& t) {
    return t.cluster.networks[0];
}

// Storage of eight addresses, of which the founder has the second host.
void use_tiny(Trial& t) {
    storage(t).cidr = *Cidr::parse("10.20.0.0/29");
    storage(t).gateway = ip("10.20.0.1");
    storage(t).reserved = {"10.20.0.5-10.20.0.6"};
    t.cluster.holders[0].addresses = {ip("10.20.0.2")};
}

constexpr const char* kTinyIsFull =
    "links[0].addresses: network storage (10.20.0.0/29) is full: every address is a node's, a "
    "join's, a gateway's, "
    "virtual or reserved; remove a node, reject a failed join, or name an address yourself";

Assignment earlier_with(const char* address) {
    Assignment earlier;
    earlier.links.emplace();
    Link link;
    link.name = "old-name";
    link.addresses = {address};
    link.purposes = {"storage"};
    earlier.links->push_back(link);
    return earlier;
}

} // namespace

TEST_GROUP(ConfigAllocation){};

TEST(ConfigAllocation, PicksTheLowestFreeHostAndSaysSo) {
    Trial t;
    STRCMP_EQUAL("10.77.10.2/24", picked(t).c_str());
    CHECK((*t.plan()->assignment.links)[0].addresses_allocated);
    t.link(0).addresses = {"10.77.10.9/24"};
    STRCMP_EQUAL("10.77.10.9/24", picked(t).c_str());
    CHECK(!(*t.plan()->assignment.links)[0].addresses_allocated);
}

TEST(ConfigAllocation, PassesOverGatewayReservedRangesAndHolders) {
    Trial t;
    use_tiny(t);
    STRCMP_EQUAL("10.20.0.3/29", picked(t).c_str());
    t.cluster.holders.push_back(holder("gamma", {"10.20.0.3"}));
    STRCMP_EQUAL("10.20.0.4/29", picked(t).c_str());
    t.cluster.holders.push_back(holder("delta", {"10.20.0.4"}));
    STRCMP_EQUAL(kTinyIsFull, picked(t).c_str());
}

TEST(ConfigAllocation, KeepsToTheRange) {
    Trial t;
    storage(t).range_from = ip("10.77.10.50");
    storage(t).range_to = ip("10.77.10.51");
    STRCMP_EQUAL("10.77.10.50/24", picked(t).c_str());
    t.cluster.holders.push_back(holder("gamma", {"10.77.10.50", "10.77.10.51"}));
    STRCMP_CONTAINS("network storage (10.77.10.0/24, within its range) is full", picked(t).c_str());
}

TEST(ConfigAllocation, PassesOverVirtualAddressesAndItsOwnGatewayAndDns) {
    Trial t;
    storage(t).cidr = *Cidr::parse("10.77.0.0/24");
    t.cluster.vips = {ip("10.77.0.2")};
    t.machine_nic("enp1s0").gateway = "10.77.0.3";
    t.machine_nic("enp1s0").dns = {"10.77.0.4"};
    STRCMP_EQUAL("10.77.0.5/24", picked(t).c_str());
}

TEST(ConfigAllocation, PassesOverALargeReservedRangeAtOnce) {
    Trial t;
    storage(t).cidr = *Cidr::parse("11.0.0.0/8");
    storage(t).reserved = {"11.0.0.0/9"};
    STRCMP_EQUAL("11.128.0.0/8", picked(t).c_str());
}

TEST(ConfigAllocation, UsesBothAddressesOfASlash31AndTheOneOfASlash32) {
    Trial t;
    storage(t).cidr = *Cidr::parse("10.20.0.0/31");
    STRCMP_EQUAL("10.20.0.0/31", picked(t).c_str());
    t.cluster.holders.push_back(holder("gamma", {"10.20.0.0"}));
    STRCMP_EQUAL("10.20.0.1/31", picked(t).c_str());
    storage(t).cidr = *Cidr::parse("10.20.0.9/32");
    STRCMP_EQUAL("10.20.0.9/32", picked(t).c_str());
}

TEST(ConfigAllocation, EndsAtTheLastAddressThereIs) {
    Trial t;
    storage(t).cidr = *Cidr::parse("255.255.255.248/29");
    storage(t).reserved = {"255.255.255.248/29"};
    STRCMP_CONTAINS("is full", picked(t).c_str());
}

TEST(ConfigAllocation, GivesOneAddressForEachDistinctNetworkOfALink) {
    Trial t;
    t.request.assignment.links->resize(1);
    t.link(0).purposes = {"storage", "overlay"};
    STRCMP_EQUAL("10.77.10.2/24 10.77.20.2/24", picked(t).c_str());
    t.cluster.networks[1].cidr = storage(t).cidr;
    STRCMP_EQUAL("10.77.10.2/24", picked(t).c_str());
}

TEST(ConfigAllocation, TwoLinksInOneNetworkGetTwoAddresses) {
    Trial t;
    t.cluster.networks[1].cidr = storage(t).cidr;
    const auto planned = t.plan();
    CHECK(planned.has_value());
    STRCMP_EQUAL("10.77.10.2/24", (*planned->assignment.links)[0].addresses[0].c_str());
    STRCMP_EQUAL("10.77.10.3/24", (*planned->assignment.links)[1].addresses[0].c_str());
}

TEST(ConfigAllocation, DoesNotGiveWhatAnotherLinkNames) {
    Trial t;
    t.cluster.networks[1].cidr = storage(t).cidr;
    t.link(1).addresses = {"10.77.10.2/24"};
    STRCMP_EQUAL("10.77.10.3/24", picked(t).c_str());
}

TEST(ConfigAllocation, KeepsWhatAnEarlierApprovalGave) {
    Trial t;
    t.join.earlier = earlier_with("10.77.10.77/24");
    STRCMP_EQUAL("10.77.10.77/24", picked(t).c_str());
}

TEST(ConfigAllocation, PicksAnewWhereTheEarlierAddressIsTakenOrElsewhere) {
    Trial t;
    t.join.earlier = earlier_with("10.77.10.77/24");
    t.cluster.holders.push_back(holder("gamma", {"10.77.10.77"}));
    STRCMP_EQUAL("10.77.10.2/24", picked(t).c_str());
    t.join.earlier = earlier_with("10.99.10.77/24");
    STRCMP_EQUAL("10.77.10.2/24", picked(t).c_str());
}

TEST(ConfigAllocation, SaysWhereTheClusterRecordsNoNetwork) {
    Trial t;
    t.cluster.networks.erase(t.cluster.networks.begin());
    STRCMP_EQUAL("links[0].addresses: the cluster records no storage network to pick an address "
                 "from; name one "
                 "yourself",
                 picked(t).c_str());
    t.link(0).addresses = {"192.0.2.7/24"};
    STRCMP_EQUAL("192.0.2.7/24", picked(t).c_str());
}

TEST(ConfigAllocation, GivesNoneToBondMembersAndProviderOnlyLinks) {
    Trial t;
    t.use_bond();
    t.add_link("up", "enp1s0").purposes = {"provider"};
    const auto planned = t.plan();
    CHECK(planned.has_value());
    for (const std::size_t i : {2, 3, 4}) CHECK((*planned->assignment.links)[i].addresses.empty());
}

TEST(ConfigAllocation, ReportsAFullNetworkBesideOtherProblems) {
    Trial t;
    use_tiny(t);
    storage(t).reserved = {"10.20.0.0/29"};
    t.request.assignment.name = "Node_1";
    LONGS_EQUAL(2, t.problems().size());
    STRCMP_CONTAINS(kTinyIsFull, picked(t).c_str());
}
