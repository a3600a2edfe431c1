#include "common/base/finding_places.hpp"

// CppUTest's macros come last.
#include <CppUTest/TestHarness.h>

using namespace stratum;

TEST_GROUP(FindingPlaces) {
    Node root = *parse_yaml("links:\n  - {name: a}\n").root;
};

TEST(FindingPlaces, AFieldIsFoundWhereItStands) {
    const auto at = Positions(root).of("links[0].name");
    CHECK(at == (Position{2, 12}));
}

TEST(FindingPlaces, AMissingFieldIsToldAtTheNearestThingAroundIt) {
    CHECK(Positions(root).of("links[0].mtu") == Positions(root).of("links[0]"));
    CHECK(Positions(root).of("nothing.like[3]") == Positions(root).of(""));
}

TEST(FindingPlaces, ADocumentThatWasBuiltHasNoPlaces) {
    CHECK_FALSE(Positions(Node::object()).of("a").has_value());
}

TEST(FindingPlaces, ALineLeavesOutWhatIsNotKnown) {
    STRCMP_EQUAL("f:4:7: a.b: is wrong", finding_line("f", {"a.b", "is wrong", {{4, 7}}}).c_str());
    STRCMP_EQUAL("f: is wrong", finding_line("f", {"", "is wrong", {}}).c_str());
}
