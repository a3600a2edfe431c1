// node.yaml: the round trip, the strictness of its reader with lines and columns, the example.
#include "common/base/text.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

constexpr std::string_view kSmallest = "version: 1\n"
                                       "node:\n"
                                       "  id: n-beta\n"
                                       "  name: beta\n"
                                       "  role: hybrid\n"
                                       "mgmt:\n"
                                       "  interface: enp1s0\n"
                                       "  address: 10.77.0.50/24\n";

std::string lines_of(const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings.all()) {
        if (!text.empty()) text += "\n";
        text += finding.field + " ";
        if (finding.at)
            text += std::to_string(finding.at->line) + ":" + std::to_string(finding.at->column);
        text += " " + finding.message;
    }
    return text;
}

std::string found_in(std::string_view text) {
    return lines_of(check_node_yaml(text).findings);
}

// What is found in the smallest file with this appended.
std::string found_with(std::string_view more) {
    return found_in(std::string(kSmallest) + std::string(more));
}

void check_round_trip(const NodeConfig& node) {
    const CheckedNodeConfig checked = check_node_yaml(render_node_yaml(node));
    STRCMP_EQUAL("", lines_of(checked.findings).c_str());
    CHECK(checked.config == node);
    STRCMP_EQUAL(render_node_yaml(node).c_str(), render_node_yaml(*checked.config).c_str());
}

// Texts that a YAML reader could take for something else.
NodeConfig full_node() {
    Trial trial;
    trial.use_bond();
    trial.link(1).bond->mode = "802.3ad";
    DiskChoice& old = trial.add_disk(kOldKey);
    old.pool = "0x10";
    old.confirm = kOldKey;
    trial.request.assignment.rack = "on";
    trial.request.assignment.az = "1e3";
    trial.request.assignment.name = "007";
    trial.cluster.provider.vlan = 44;
    NodeConfig node = trial.plan()->node;
    node.attempt = 2;
    node.disks[0].serial = "  :# \"yes\"\n\t'";
    node.founder = FounderRef{{"10.77.0.1:8444", "[fd00::1]:8444"}, std::string(64, 'a')};
    node.cluster = check_founder_yaml(read_repo_file("docs/examples/founder.node.yaml"))
                       .config.value_or(NodeConfig{})
                       .cluster;
    return node;
}

} // namespace

TEST_GROUP(ConfigNodeYaml){};

TEST(ConfigNodeYaml, TheSmallestFileIsAccepted) {
    const CheckedNodeConfig checked = check_node_yaml(kSmallest);
    STRCMP_EQUAL("", lines_of(checked.findings).c_str());
    STRCMP_EQUAL("beta", checked.config->name.c_str());
}

TEST(ConfigNodeYaml, TheExampleIsAFoundersFileAndReadsBack) {
    const auto text = read_repo_file("docs/examples/founder.node.yaml");
    const CheckedNodeConfig checked = check_founder_yaml(text);
    STRCMP_EQUAL("", lines_of(checked.findings).c_str());
    STRCMP_EQUAL("alpha", checked.config->name.c_str());
    LONGS_EQUAL(4, checked.config->cluster->networks.size());
    check_round_trip(*checked.config);
}

TEST(ConfigNodeYaml, EverythingReadsBackAsItWas) {
    check_round_trip(full_node());
    Trial plain;
    check_round_trip(plain.plan()->node);
    plain.use_vlan();
    check_round_trip(plain.plan()->node);
}

TEST(ConfigNodeYaml, NothingIsRequiredOfAnEmptyDocumentButIsSaid) {
    STRCMP_CONTAINS("the document is empty", found_in("").c_str());
    STRCMP_CONTAINS("must be an object", found_in("- 1\n").c_str());
    CHECK(!check_node_yaml("").config.has_value());
}

TEST(ConfigNodeYaml, MissingFieldsAreToldAtTheirObject) {
    STRCMP_EQUAL("version 1:1 missing: the version of this shape: 1\n"
                 "node 1:1 missing\n"
                 "mgmt 1:1 missing",
                 found_in("ntpServers: []\n").c_str());
}

TEST(ConfigNodeYaml, UnknownFieldsAreProblemsWithTheNearestName) {
    const std::string text = "network:\n  connections:\n    - name: storage\n      interface: a0\n"
                             "      adresses: [10.77.10.2/24]\n      mtu: 1500\n";
    STRCMP_EQUAL("network.connections[0].adresses 13:7 unknown; did you mean addresses",
                 found_with(text).c_str());
}

TEST(ConfigNodeYaml, OwnNotesMayBeginWithX) {
    STRCMP_EQUAL("", found_with("x-note: mine\n").c_str());
}

TEST(ConfigNodeYaml, AWrongTypeIsToldWhereItStands) {
    STRCMP_EQUAL("disks 9:8 must be a list, found a string", found_with("disks: all\n").c_str());
    STRCMP_EQUAL("ntpServers[1] 11:5 must be a string, found a whole number",
                 found_with("ntpServers:\n  - a.example.org\n  - 5\n").c_str());
}

TEST(ConfigNodeYaml, ADuplicateKeyIsToldOnceWithItsPlace) {
    const std::string found = found_with("node:\n  id: n-x\n");
    STRCMP_CONTAINS("node 9:1 given twice", found.c_str());
}

TEST(ConfigNodeYaml, AValueThatIsWrongIsToldWhereItStands) {
    const std::string text = "version: 1\n"
                             "node: {id: N1, name: beta, role: hybird}\n"
                             "mgmt:\n"
                             "  interface: lo\n"
                             "  address: 10.77.0.0/24\n"
                             "  gateway: gw\n"
                             "  dns: [1.1.1]\n"
                             "  mtu: 99\n";
    STRCMP_EQUAL(
        "node.id 2:12 \"N1\" is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either "
        "end\n"
        "node.role 2:34 \"hybird\" is not one of: hybrid, control-plane, compute, storage; did you "
        "mean hybrid\n"
        "mgmt.interface 4:14 lo is the loopback device; name a NIC, a bond or a VLAN\n"
        "mgmt.address 5:12 10.77.0.0/24 is the network's own address of 10.77.0.0/24; a node needs "
        "a host address\n"
        "mgmt.gateway 6:12 \"gw\" is not an address, such as 10.77.0.1 or fd00::1\n"
        "mgmt.dns[0] 7:9 \"1.1.1\" is not an address, such as 10.77.0.1 or fd00::1\n"
        "mgmt.mtu 8:8 99 is not between 576 and 9216",
        found_in(text).c_str());
}

TEST(ConfigNodeYaml, AnotherVersionIsRefused) {
    std::string text(kSmallest);
    text.replace(text.find("version: 1"), 10, "version: 2");
    STRCMP_EQUAL("version 1:10 2 is not between 1 and 1", found_in(text).c_str());
}

TEST(ConfigNodeYaml, AnchorsTagsAndSecondDocumentsAreRefused) {
    for (const char* more : {"x-a: &a 1\n", "x-a: !!str 1\n", "---\nversion: 1\n", "x-a: 010\n"})
        CHECK_TEXT(!found_with(more).empty(), more);
}

TEST(ConfigNodeYaml, WhatStandsBelowAnUnreadableElementIsNotCalledMissing) {
    STRCMP_EQUAL("network.connections[0] 11:7 must be an object, found a string",
                 found_with("network:\n  connections:\n    - storage\n").c_str());
}

TEST(ConfigNodeYaml, AllProblemsComeAtOnce) {
    const std::string text = "network:\n"
                             "  connections:\n"
                             "    - {name: a, interface: a0, mtu: 70000, purposes: [oob]}\n"
                             "    - {name: a, interface: a0, kind: vlan, vlanId: 4095}\n";
    const auto findings = check_node_yaml(std::string(kSmallest) + text).findings;
    LONGS_EQUAL(6, findings.size());
    for (const Finding& finding : findings.all()) CHECK(finding.at.has_value());
}

TEST(ConfigNodeYaml, TheDocumentationNamesEveryField) {
    const std::string documented = read_repo_file("docs/node-yaml.md");
    for (const std::string& path : node_yaml_fields())
        CHECK_TEXT(documented.find("`" + path + "`") != std::string::npos, path.c_str());
}
