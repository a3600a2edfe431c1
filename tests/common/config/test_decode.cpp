// The strict decoder of an approval, and the table of faults with their exact answers.
#include <set>

#include "common/base/text.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

// A body, and every line of its answer. Bodies that decode are planned on the fixture's machine.
struct Fault {
    const char* body;
    const char* answer;
};

#define A(inside) "{\"assignment\":{" inside "}}"
#define L(inside) A("\"links\":[{\"name\":\"s\",\"interface\":\"enp2s0\"," inside "}]")
#define D(inside) A("\"disks\":[{" inside "}]")
#define LABEL "is not a label: 1 to 63 of a-z, 0-9 and hyphen, no hyphen at either end"
#define PURPOSES "oob, mgmt, storage, overlay, provider"

constexpr Fault kDecodeFaults[] = {
    {"[]", "must be an object, found a list"},
    {"{\"asignment\":{}}", "asignment: unknown; did you mean assignment"},
    {"{\"assignment\":[]}", "assignment: must be an object, found a list"},
    {"{\"copyFrom\":7}", "copyFrom: must be a string, found the number 7; put it in quotes"},
    {"{\"pairingCode\":{}}", "pairingCode: must be a string, found an object"},
    {"{\"force\":true}", "force: unknown"},
    {A("\"name\":7"), "name: must be a string, found the number 7; put it in quotes"},
    {A("\"name\":\"a\",\"name\":\"b\""), "name: given twice, the first on line 1; remove one"},
    {A("\"role\":\"hybird\""),
     "role: \"hybird\" is not one of: hybrid, control-plane, compute, storage; did you mean "
     "hybrid"},
    {A("\"role\":\"\""), "role: is empty: the node's role; hybrid for now"},
    {A("\"rack\":[]"), "rack: must be a string, found a list"},
    {A("\"hostname\":\"a\""), "hostname: unknown"},
    {A("\"mgmt\":\"enp1s0\""), "mgmt: must be an object, found a string"},
    {A("\"mgmt\":{\"adress\":\"10.0.0.1\"}"), "mgmt.adress: unknown; did you mean address"},
    {A("\"mgmt\":{\"dns\":\"10.0.0.1\"}"), "mgmt.dns: must be a list, found a string"},
    {A("\"mgmt\":{\"dns\":[53]}"), "mgmt.dns[0]: must be a string, found a whole number"},
    {A("\"links\":{}"), "links: must be a list, found an object"},
    {A("\"links\":[7]"), "links[0]: must be an object, found the number 7"},
    {L("\"kind\":\"bridge\""), "links[0].kind: \"bridge\" is not one of: ethernet, bond, vlan"},
    {L("\"vlanID\":4"), "links[0].vlanID: unknown; did you mean vlanId"},
    {L("\"vlanId\":\"4\""), "links[0].vlanId: must be a whole number, found a string"},
    {L("\"vlanId\":4.5"),
     "links[0].vlanId: must be a whole number, found a number with a fraction"},
    {L("\"mtu\":true"), "links[0].mtu: must be a whole number, found true"},
    {L("\"parent\":1"), "links[0].parent: must be a string, found the number 1; put it in quotes"},
    {L("\"controller\":[]"), "links[0].controller: must be a string, found a list"},
    {L("\"bond\":\"802.3ad\""), "links[0].bond: must be an object, found a string"},
    {L("\"bond\":{\"mode\":\"lacp\"}"),
     "links[0].bond.mode: \"lacp\" is not one of: active-backup, 802.3ad, balance-xor, "
     "balance-rr, balance-tlb, balance-alb, broadcast"},
    {L("\"bond\":{\"mode\":\"activ-backup\"}"),
     "links[0].bond.mode: \"activ-backup\" is not one of: active-backup, 802.3ad, balance-xor, "
     "balance-rr, balance-tlb, balance-alb, broadcast; did you mean active-backup"},
    {L("\"bond\":{\"xmitHashPolicy\":\"layer4\"}"),
     "links[0].bond.xmitHashPolicy: \"layer4\" is not one of: layer2, layer2+3, layer3+4, "
     "encap2+3, encap3+4, vlan+srcmac; did you mean layer2"},
    {L("\"bond\":{\"lacpRate\":1}"),
     "links[0].bond.lacpRate: must be a string, found the number 1; put it in quotes"},
    {L("\"bond\":{\"miimonMs\":\"100\"}"),
     "links[0].bond.miimonMs: must be a whole number, found a string"},
    {L("\"bond\":{\"primary\":\"a\"}"), "links[0].bond.primary: unknown"},
    {L("\"addresses\":\"10.77.10.9/24\""), "links[0].addresses: must be a list, found a string"},
    {L("\"addresses\":[null]"), "links[0].addresses[0]: must be a string, found null"},
    {L("\"purposes\":[\"storage\",\"data\"]"),
     "links[0].purposes[1]: \"data\" is not one of: " PURPOSES},
    {L("\"mtu\":9000,\"mtu\":1500"), "links[0].mtu: given twice, the first on line 1; remove one"},
    {D("\"role\":\"compute\""),
     "disks[0].key: missing: the disk's WWN or one of its /dev/disk/by-id paths"},
    {D("\"key\":\"\""),
     "disks[0].key: is empty: the disk's WWN or one of its /dev/disk/by-id paths"},
    {D("\"key\":\"k\",\"wiep\":true"), "disks[0].wiep: unknown"},
    {D("\"key\":\"k\",\"role\":\"osd\""),
     "disks[0].role: \"osd\" is not one of: compute, ceph-osd"},
    {D("\"key\":\"k\",\"confirm\":true"),
     "disks[0].confirm: must be a string, found true; put it in quotes"},
    {A("\"ntpServers\":[1]"), "ntpServers[0]: must be a string, found a whole number"},
    {A("\"provider\":{\"topology\":\"bridge\"}"),
     "provider.topology: \"bridge\" is not one of: bridged, routed; did you mean bridged"},
    {A("\"provider\":{\"uplink\":\"a\"}"), "provider.uplink: unknown"},
};

// The same kinds of fault, found by the rules.
constexpr Fault kRuleFaults[] = {
    {A("\"name\":\"Node_1\",\"links\":[],\"disks\":[]"), "name: \"Node_1\" " LABEL},
    {A("\"rack\":\"Rack 1\",\"links\":[]"), "rack: \"Rack 1\" " LABEL},
    {A("\"az\":\"a.b\",\"links\":[]"), "az: \"a.b\" " LABEL},
    {A("\"mgmt\":{\"address\":\"10.77.0\"},\"links\":[]"),
     "mgmt.address: \"10.77.0\" is neither an address nor an address with prefix length, such as "
     "10.77.0.11/24"},
    {A("\"ntpServers\":[\"a b\"],\"links\":[]"),
     "ntpServers[0]: \"a b\" is neither a host name nor an address, such as ntp.example.org"},
    {A("\"links\":[{\"name\":\"s\",\"interface\":\"enp2s0\",\"purposes\":[\"oob\"]}]"),
     "links[0].purposes[0]: oob is the NIC that stage 1 fixed, and is not listed; take it out"},
    {A("\"links\":[{\"interface\":\"enp2s0\"}]"),
     "links[0].name: missing: each link needs a name of its own, such as storage"},
    {A("\"links\":[{\"name\":\"s\"}]"),
     "links[0].interface: missing: the device's name, such as bond0 or enp1s0"},
};

std::string field_of(std::string_view answer) {
    const auto colon = answer.find(": ");
    return std::string(answer.substr(0, colon == std::string_view::npos ? 0 : colon));
}

// Without networks that every node needs: each body of the table has one fault.
Trial lenient_trial() {
    Trial trial;
    for (Network& network : trial.cluster.networks) network.required = false;
    return trial;
}

} // namespace

TEST_GROUP(ConfigDecode){};

TEST(ConfigDecode, EachFaultHasItsExactAnswer) {
    std::set<std::string> fields_and_faults;
    for (const Fault& fault : kDecodeFaults) {
        STRCMP_EQUAL(fault.answer, decode_problems(fault.body).c_str());
        fields_and_faults.insert(fault.answer);
    }
    for (const Fault& fault : kRuleFaults) {
        Trial trial = lenient_trial();
        trial.request = request_of(fault.body);
        STRCMP_EQUAL(fault.answer, all_problems(trial).c_str());
        fields_and_faults.insert(fault.answer);
    }
    CHECK_COMPARE(fields_and_faults.size(), >=, 40);
}

TEST(ConfigDecode, TellsEveryFaultOfABody) {
    const std::string answer = decode_problems("{\"assignment\":{\"nam\":\"a\",\"links\":[{"
                                               "\"kind\":\"x\"},{\"mtu\":\"y\"}],\"disks\":[{}]}"
                                               ",\"copyfrom\":\"n\"}");
    LONGS_EQUAL(5, split(answer, '\n').size());
    for (const std::string& line : split(answer, '\n')) CHECK(!field_of(line).empty());
}

TEST(ConfigDecode, NearMatchesAreOffered) {
    STRCMP_CONTAINS("did you mean", decode_problems(A("\"lnks\":[]")).c_str());
}

TEST(ConfigDecode, ReadsNothingAsNothing) {
    for (const char* body : {"{}", "{\"assignment\":null}", "{\"assignment\":{}}",
                             "{\"assignment\":{\"links\":null,\"disks\":null,\"mgmt\":null}}"}) {
        const ApprovalRequest request = request_of(body);
        CHECK(request.assignment == Assignment{});
        CHECK(!request.copy_from && !request.pairing_code);
    }
}

TEST(ConfigDecode, AbsentAndEmptyLinksDiffer) {
    CHECK(!request_of("{}").assignment.links.has_value());
    CHECK(request_of(A("\"links\":[]")).assignment.links.has_value());
}

TEST(ConfigDecode, EmptyTextsReadAsAbsent) {
    const ApprovalRequest request = request_of(
        "{\"assignment\":{\"rack\":\"\",\"mgmt\":{\"gateway\":\"\"}},\"copyFrom\":\"\"}");
    CHECK(!request.assignment.rack && !request.assignment.mgmt.gateway && !request.copy_from);
}

TEST(ConfigDecode, AcceptsAndIgnoresReadOnlyMembers) {
    const ApprovalRequest request = request_of(
        "{\"assignment\":{\"copiedFrom\":\"n-alpha\",\"copyNotes\":[\"x\"],\"links\":[{\"name\":"
        "\"s\",\"interface\":\"a\",\"addressesAllocated\":true}]}}");
    STRCMP_EQUAL("", request.assignment.copied_from.c_str());
    CHECK(request.assignment.copy_notes.empty());
    CHECK(!(*request.assignment.links)[0].addresses_allocated);
}

TEST(ConfigDecode, DoesNotJudgeRanges) {
    const ApprovalRequest request =
        request_of(L("\"vlanId\":-1,\"mtu\":70000,\"bond\":{\"miimonMs\":99999999}"));
    LONGS_EQUAL(-1, *(*request.assignment.links)[0].vlan_id);
}

TEST(ConfigDecode, StoredAssignmentsReadBackWhole) {
    Trial trial;
    trial.use_bond();
    const Assignment made = trial.plan()->assignment;
    Findings findings;
    const Assignment again = read_assignment(to_node(made), FieldPath{}, findings);
    CHECK(findings.empty());
    CHECK(again == made);
    CHECK((*again.links)[0].addresses_allocated && !again.copy_notes.empty());
}

TEST(ConfigDecode, TheWorkedExampleDecodes) {
    const ApprovalRequest request = request_of(R"({ "assignment": {
        "name": "beta", "role": "hybrid", "rack": "rack-1", "az": "az-1",
        "mgmt": { "interface": "enp1s0", "address": "10.77.0.50", "gateway": "10.77.0.254",
                  "dns": [ "10.77.0.253" ] },
        "links": [ { "name": "storage", "kind": "bond", "interface": "bond0",
                     "bond": { "mode": "802.3ad", "xmitHashPolicy": "layer3+4", "miimonMs": 100,
                               "lacpRate": "fast" },
                     "addresses": [ "10.77.10.9/24" ], "mtu": 1500,
                     "purposes": [ "storage", "overlay" ] },
                   { "name": "a", "kind": "ethernet", "interface": "enp2s0",
                     "controller": "bond0" },
                   { "name": "b", "kind": "vlan", "interface": "vlan90", "parent": "bond0",
                     "vlanId": 90 } ],
        "disks": [ { "key": "/dev/disk/by-id/nvme-Example_S6B0NL0W123456", "role": "compute",
                     "pool": "fast", "storageClass": "fast", "confirm": "x" } ],
        "ntpServers": [ "ntp.example.org" ],
        "provider": { "topology": "bridged", "upstreamInterface": "enp1s0", "vlan": 1 } },
        "copyFrom": "none", "pairingCode": "4F7-K2Q" })");
    STRCMP_EQUAL("fast", (*request.assignment.links)[0].bond->lacp_rate->c_str());
    LONGS_EQUAL(90, *(*request.assignment.links)[2].vlan_id);
    LONGS_EQUAL(1, *request.assignment.provider.vlan);
    STRCMP_EQUAL("none", request.copy_from->c_str());
}
