// Many made-up clusters, machines and requests, right and wrong: nothing crashes, the same input
// gives the same answer, and what the rules accept the checker accepts too, with no address or disk
// given twice. STRATUM_SEED chooses other ones.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

#include "common/base/text.hpp"
#include "common/config/address_book.hpp"
#include "tests/common/config/generator.hpp"
#include "tests/common/config/rule_test.hpp"

#include <CppUTest/TestHarness.h>

using namespace stratum;
using namespace stratum::config;
using namespace stratum::config::test;

namespace {

constexpr int kRounds = 500;         // of anything at all
constexpr int kRightRounds = 1000;   // of what is right
constexpr int kSpoiledRounds = 3000; // of what is right but for one thing
constexpr int kClusters = 6;         // that grow until they are full
constexpr unsigned kUsualSeed = 20261130;

using Texts = std::vector<std::string>;

const Texts kNics = {"enp1s0", "enp2s0", "enp3s0", "enp4s0", "bond0", "vlan90", "eno7", "lo", ""};
const Texts kNames = {"a", "b", "storage", "overlay", "Bad_1", ""};
const Texts kKinds = {"ethernet", "ethernet", "ethernet", "bond", "vlan"};
const Texts kPurposeTexts = {"storage", "overlay", "provider", "storage", "overlay", "mgmt"};
const Texts kAddresses = {"10.77.10.9/24",
                          "10.77.20.9/24",
                          "10.77.10.1/24",
                          "10.77.10.0/24",
                          "fd00::1/64",
                          "10.77.20.9/16",
                          "x",
                          "10.77.0.50/24"};
const Texts kKeys = {
    kBlankKey,      kOldKey,    kScsiKey, "0x5000c500a1b2c300",
    "/dev/nvme0n1", "nonsense", "",       "/dev/disk/by-id/wwn-0x5000c500a1b2c301"};

class Maker {
public:
    explicit Maker(unsigned seed) : random_(seed) {}

    Trial trial() {
        Trial t;
        spoil_cluster(t);
        spoil_machine(t);
        Assignment& made = t.request.assignment;
        if (chance(2)) {
            made.links->clear();
            for (int i = below(5); i > 0; --i) made.links->push_back(link());
        }
        if (chance(3)) {
            made.disks->clear();
            for (int i = below(4); i > 0; --i) made.disks->push_back(disk());
        }
        if (chance(4)) made.mgmt.interface = one_of(kNics);
        if (chance(4)) made.mgmt.address = one_of(kAddresses);
        if (chance(4)) made.mgmt.gateway = one_of({"10.77.0.254", "10.77.0.50", "::1", "x"});
        if (chance(4)) made.provider.upstream_interface = one_of(kNics);
        if (chance(6)) made.provider.vlan = below(3) * 90;
        if (chance(6)) made.name = one_of(kNames);
        if (chance(6)) made.role = one_of({"hybrid", "storage"});
        if (chance(6)) made.ntp_servers = Texts{one_of({"ntp.example.org", "10.0.0.300", "a b"})};
        if (chance(5)) copy(t);
        return t;
    }

private:
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    bool chance(int one_in) { return below(one_in) == 0; }
    std::string one_of(const Texts& texts) {
        return texts[static_cast<std::size_t>(below(static_cast<int>(texts.size())))];
    }

    Link link() {
        Link made;
        made.name = one_of(kNames);
        made.kind = one_of(kKinds);
        made.interface = one_of(kNics);
        if (chance(3)) made.parent = one_of(kNics);
        if (chance(3)) made.vlan_id = below(3) * 2048;
        if (chance(3)) made.controller = one_of({"bond0", "bond1"});
        if (chance(3) || made.kind == "bond") made.bond = bond();
        for (int i = below(3); i > 0; --i) made.purposes.push_back(one_of(kPurposeTexts));
        if (chance(4)) made.addresses.push_back(one_of(kAddresses));
        if (chance(3)) made.mtu = 500 + below(20) * 500;
        return made;
    }

    Bond bond() {
        Bond made;
        if (!chance(5)) made.mode = one_of({"active-backup", "802.3ad", "balance-xor"});
        if (chance(5)) made.xmit_hash_policy = "layer2";
        if (chance(5)) made.lacp_rate = "fast";
        if (chance(5)) made.miimon_ms = below(3) * 6000;
        return made;
    }

    DiskChoice disk() {
        DiskChoice made;
        made.key = one_of(kKeys);
        if (chance(2)) made.role = one_of({"compute", "ceph-osd"});
        if (chance(2)) made.pool = one_of({"fast", "slow", "Bad Pool"});
        if (chance(5)) made.storage_class = one_of({"gold", "fast"});
        if (chance(2)) made.confirm = one_of({made.key, "no"});
        return made;
    }

    void spoil_cluster(Trial& t) {
        if (chance(5)) t.cluster.networks[0].mtu = 9000;
        if (chance(6)) t.cluster.networks[0].cidr = *Cidr::parse("10.77.10.0/31");
        if (chance(6)) t.cluster.networks[1].cidr = t.cluster.networks[0].cidr;
        if (chance(6)) t.cluster.networks.clear();
        if (chance(6)) t.cluster.provider = {};
        if (chance(6)) t.cluster.provider.vlan = 90;
    }

    void spoil_machine(Trial& t) {
        facts::Inventory& machine = t.join.inventory;
        for (facts::Nic& nic : machine.nics) {
            if (chance(8)) nic.max_mtu.reset();
            if (chance(8)) nic.max_mtu = 1500;
            if (chance(8)) nic.driver.clear();
            if (chance(16)) nic.permanent_mac.clear();
        }
        for (facts::Disk& disk : machine.disks) {
            if (chance(8)) disk.holds.reset();
            if (chance(8)) disk.rotational = true;
            if (chance(16)) disk.wwn.clear();
        }
        if (chance(8)) t.join.remote_address = one_of({"", "198.51.100.1", "fe80::1%x"});
        if (chance(8)) machine.install_record.reset();
        if (chance(8)) machine.hostname = one_of({"", "a_b", "alpha"});
        if (chance(40)) machine = {};
    }

    void copy(Trial& t) {
        CopySource source;
        source.node_id = "n-alpha";
        source.is_first_node = true;
        source.has_plan = !chance(6);
        source.inventory = joiner_machine();
        source.assignment = t.request.assignment;
        source.assignment.mgmt.interface = "enp1s0";
        t.cluster.sources = {source};
        if (chance(2)) t.request.copy_from = "n-alpha";
        if (chance(2)) t.request.assignment.links.reset();
    }

    std::mt19937 random_;
};

unsigned seed_of_run() {
    const char* text = std::getenv("STRATUM_SEED"); // NOLINT(concurrency-mt-unsafe): one thread
    const unsigned seed =
        text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : kUsualSeed;
    std::printf("STRATUM_SEED=%u\n", seed);
    return seed;
}

template<class T>
bool are_distinct(const std::vector<T>& values) {
    return std::set<T>(values.begin(), values.end()).size() == values.size();
}

void check_plan(const Trial& trial, const ApprovalPlan& plan) {
    CHECK(are_distinct(plan.addresses));
    CHECK(are_distinct(plan.disk_keys));
    const AddressBook book(trial.cluster);
    for (const IpAddress& address : plan.addresses) CHECK(!book.node_or_vip_at(address));
    CHECK(check_node_yaml(render_node_yaml(plan.node)).config == plan.node);
}

} // namespace

TEST_GROUP(ConfigProperty){};

TEST(ConfigProperty, NothingCrashesAndWhatIsAcceptedIsSound) {
    const unsigned first = seed_of_run();
    int accepted = 0;
    for (unsigned seed = first; seed < first + kRounds; ++seed) {
        const Trial trial = Maker(seed).trial();
        const auto planned = trial.plan();
        const std::string told = "seed " + std::to_string(seed) + ": " + all_problems(trial);
        if (planned) {
            ++accepted;
            check_plan(trial, *planned);
            CHECK_TEXT(planned->node == trial.plan()->node, told.c_str());
            continue;
        }
        CHECK_TEXT(!planned.error().problems.empty(), told.c_str());
        for (const Finding& finding : planned.error().problems.all())
            CHECK_TEXT(!finding.field.empty(), told.c_str()); // each at its field
    }
    CHECK_COMPARE(accepted, >, kRounds / 50); // the maker makes right ones as well
}

namespace {

// Whatever order the machine was reported in.
void shuffle(facts::Inventory& machine, unsigned seed) {
    std::mt19937 random(seed);
    std::shuffle(machine.nics.begin(), machine.nics.end(), random);
    std::shuffle(machine.disks.begin(), machine.disks.end(), random);
}

// What another machine then finds taken.
Holder holder_of(const Trial& trial, const ApprovalPlan& plan) {
    Holder made;
    made.node_id = trial.join.node_id;
    made.join_id = trial.join.join_id;
    made.name = *plan.assignment.name;
    made.state = "approved";
    made.addresses = plan.addresses;
    made.disk_keys = plan.disk_keys;
    return made;
}

// Written as the API does, sent back, read: the same.
void check_json_round_trip(const Assignment& assignment) {
    const Parsed parsed = parse_json(write_json(to_node(assignment)));
    Findings findings;
    CHECK(read_assignment(*parsed.root, FieldPath{}, findings) == assignment);
    CHECK(findings.empty());
}

} // namespace

// Says which seed it was, and what was refused; called for what is wrong alone, it plans anew.
#define CHECK_OF(seed, trial, condition)                                                           \
    if (!(condition))                                                                              \
    FAIL(("seed " + std::to_string(seed) + ", " #condition ": " + all_problems(trial)).c_str())

TEST(ConfigProperty, WhatIsRightIsAcceptedInAnyOrderAndReadsBack) {
    const unsigned first = seed_of_run();
    for (unsigned seed = first; seed < first + kRightRounds; ++seed) {
        Trial trial = Generator(seed).right();
        const auto planned = trial.plan();
        CHECK_OF(seed, trial, planned.has_value());
        check_json_round_trip(planned->assignment);
        if (seed % 3 == 0) check_plan(trial, *planned);
        if (seed % 3 != 1) continue;
        shuffle(trial.join.inventory, seed);
        const auto again = trial.plan();
        CHECK_OF(seed, trial, again.has_value());
        CHECK_OF(seed, trial, again->node == planned->node);
        CHECK_OF(seed, trial, again->wipes == planned->wipes);
        CHECK_OF(seed, trial, again->assignment == planned->assignment);
    }
}

TEST(ConfigProperty, WhatIsSpoiledIsRefusedAtTheSpoiledField) {
    const unsigned first = seed_of_run();
    std::vector<int> spoiled(Generator::ways(), 0);
    for (unsigned seed = first; seed < first + kSpoiledRounds; ++seed) {
        Generator generator(seed);
        Trial trial = generator.right();
        const std::string field = generator.spoil(trial);
        if (field.empty()) continue;
        ++spoiled[generator.last_way()];
        const auto planned = trial.plan();
        CHECK_OF(seed, trial, !planned.has_value());
        const std::vector<Finding>& told = planned.error().problems.all();
        CHECK_OF(seed, trial, std::any_of(told.begin(), told.end(), [&](const Finding& finding) {
                     return finding.field == field;
                 }));
        CHECK_OF(seed, trial, std::none_of(told.begin(), told.end(), [](const Finding& finding) {
                     return finding.field.empty();
                 }));
    }
    for (std::size_t way = 0; way < spoiled.size(); ++way)
        CHECK_TEXT(spoiled[way] > 0, ("way " + std::to_string(way) + " was never taken").c_str());
}

// Machine after machine joins, until a network is full: nobody gets what another has.
TEST(ConfigProperty, NoTwoNodesGetOneAddressNameOrDisk) {
    const unsigned first = seed_of_run();
    for (unsigned seed = first; seed < first + kClusters; ++seed) {
        Generator generator(seed);
        Trial trial = generator.right();
        trial.cluster.max_control_plane = 1000;
        trial.cluster.networks[0].range_to = ip("10.77.10.60");
        std::set<IpAddress> addresses;
        std::set<std::string> names, disks;
        bool is_full = false;
        for (int number = 1; number <= 90 && !is_full; ++number) {
            generator.next_machine(trial, number);
            const auto planned = trial.plan();
            if (!planned) {
                for (const Finding& finding : planned.error().problems.all())
                    CHECK_OF(seed, trial, finding.field.ends_with(".addresses"));
                is_full = true;
                continue;
            }
            for (const IpAddress& address : planned->addresses)
                CHECK_OF(seed, trial, addresses.insert(address).second);
            for (const std::string& key : planned->disk_keys)
                CHECK_OF(seed, trial, disks.insert(key).second);
            CHECK_OF(seed, trial, names.insert(*planned->assignment.name).second);
            trial.cluster.holders.push_back(holder_of(trial, *planned));
        }
        CHECK(is_full);
    }
}
