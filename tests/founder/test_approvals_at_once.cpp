// Many approvals at the same instant, on two founders of one store: each gets what nobody else has,
// and who comes too late is told at the field.
#include <barrier>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "common/base/text.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

constexpr int kMachines = 64;

// World's machines have one digit for a number; these differ in two.
Machine machine_of(int number) {
    Machine made(1);
    const std::string digits = std::to_string(100 + number).substr(1);
    made.number = number;
    made.key = fingerprint_of(static_cast<std::uint8_t>(number));
    made.nonce.fill(static_cast<std::uint8_t>(0x80 + number));
    made.address = "10.20.0." + std::to_string(100 + number);
    facts::Inventory& hardware = made.inventory;
    hardware.hostname = "machine-" + digits;
    hardware.machine.serial = "SN-" + digits;
    hardware.machine.uuid = "4c4c4544-0033-4b10-8031-b1c04f5a44" + digits;
    for (std::size_t i = 0; i < hardware.nics.size(); ++i)
        hardware.nics[i].mac = hardware.nics[i].permanent_mac =
            "52:54:00:01:" + digits + ":0" + std::to_string(i);
    hardware.nics[0].addresses = {{made.address + "/24", "static"}};
    hardware.disks[0].wwn = "0x5000c500a1b2c4" + digits;
    hardware.disks[0].by_id = {"/dev/disk/by-id/wwn-" + hardware.disks[0].wwn};
    hardware.disks[0].serial = "S6B0NL0W1235" + digits;
    return made;
}

std::string fields_of(const Answer<Approval>& answer) {
    if (answer) return "ok";
    std::string all;
    for (const Finding& finding : answer.error().errors)
        all += (all.empty() ? "" : " ") + finding.field;
    return all;
}

// Every address that the plan of the join takes.
std::vector<std::string> addresses_of(const Node& assignment) {
    std::vector<std::string> all{assignment.find("mgmt")->find("address")->as_string()};
    for (const Node& link : assignment.find("links")->items())
        for (const Node& address : link.find("addresses")->items())
            all.push_back(address.as_string());
    return all;
}

} // namespace

TEST_GROUP(ApprovalsAtOnce) {
    World world;
    std::unique_ptr<Founder> second;
    std::vector<Machine> machines;
    std::vector<std::string> ids;

    void take(int count) {
        for (int i = 1; i <= count; ++i) {
            machines.push_back(machine_of(i));
            ids.push_back(world.pending(machines.back()));
        }
        second = world.another_founder();
    }

    // How often each answer came: the refused fields, or "ok".
    std::map<std::string, int> approve_all(const std::function<Node(std::size_t)>& body) {
        std::vector<std::string> answers(ids.size());
        std::barrier start(static_cast<std::ptrdiff_t>(ids.size()));
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < ids.size(); ++i)
            threads.emplace_back([&, i] {
                Founder& founder = i % 2 == 0 ? *world.founder : *second;
                const Node sent = body(i);
                start.arrive_and_wait();
                answers[i] =
                    fields_of(founder.approve(ids[i], sent, {false, std::nullopt, world.admin}));
            });
        for (std::thread& thread : threads) thread.join();
        std::map<std::string, int> counts;
        for (const std::string& answer : answers) ++counts[answer];
        return counts;
    }

    Node own_body(std::size_t i) const {
        return approval_body(machines[i], "node-" + std::to_string(i));
    }

    std::vector<std::string> all_addresses() {
        std::vector<std::string> all;
        for (const std::string& id : ids) {
            const JoinRecord record = world.record(id);
            if (!record.assignment) continue;
            const auto own = addresses_of(*record.assignment);
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
};

TEST(ApprovalsAtOnce, sixteen_get_exactly_the_free_places_and_the_rest_is_told_at_role) {
    take(16);
    const auto counts = approve_all([&](std::size_t i) { return own_body(i); });
    LONGS_EQUAL(2, counts.size());
    LONGS_EQUAL(4, counts.at("ok"));
    LONGS_EQUAL(12, counts.at("role"));
    const auto addresses = all_addresses();
    LONGS_EQUAL(4 * 3, addresses.size());
    LONGS_EQUAL(4 * 3, (std::set<std::string>(addresses.begin(), addresses.end()).size()));
}

TEST(ApprovalsAtOnce, without_the_cap_sixty_four_all_get_addresses_of_their_own) {
    world.options.max_control_plane = 1000;
    world.restart();
    take(kMachines);
    const auto counts = approve_all([&](std::size_t i) { return own_body(i); });
    LONGS_EQUAL(1, counts.size());
    LONGS_EQUAL(kMachines, counts.at("ok"));
    const auto addresses = all_addresses();
    LONGS_EQUAL(kMachines * 3, addresses.size());
    const std::set<std::string> distinct(addresses.begin(), addresses.end());
    LONGS_EQUAL(kMachines * 3, distinct.size());
    // The lowest free ones, without a gap.
    CHECK(distinct.contains("10.30.0.2/24") && distinct.contains("10.30.0.65/24"));
    CHECK(!distinct.contains("10.30.0.1/24") && !distinct.contains("10.30.0.66/24"));
    std::set<std::string> node_ids;
    std::set<std::int64_t> places;
    for (const std::string& id : ids) {
        node_ids.insert(world.record(id).node_id);
        places.insert(world.record(id).queue_order);
    }
    LONGS_EQUAL(kMachines, node_ids.size());
    LONGS_EQUAL(kMachines, places.size());
}

TEST(ApprovalsAtOnce, one_name_goes_to_one) {
    take(8);
    const auto counts =
        approve_all([&](std::size_t i) { return approval_body(machines[i], "beta"); });
    LONGS_EQUAL(1, counts.at("ok"));
    LONGS_EQUAL(7, counts.at("name"));
}

TEST(ApprovalsAtOnce, one_address_that_all_name_goes_to_one) {
    take(8);
    const auto counts = approve_all([&](std::size_t i) {
        Node body = own_body(i);
        Node links = *body.find("assignment")->find("links");
        Node first = links.items()[0];
        first.set("addresses", Node::array({Node::string("10.30.0.77/24")}));
        return with(body, "links", Node::array({first, links.items()[1]}));
    });
    LONGS_EQUAL(1, counts.at("ok"));
    LONGS_EQUAL(7, counts.at("links[0].addresses[0]"));
}

TEST(ApprovalsAtOnce, one_join_approved_by_many_keeps_one_plan) {
    take(1);
    ids.assign(8, ids[0]);
    const auto counts = approve_all([&](std::size_t) { return own_body(0); });
    LONGS_EQUAL(8, counts.at("ok"));
    const JoinRecord record = world.record(ids[0]);
    STRCMP_EQUAL("10.30.0.2/24", addresses_of(*record.assignment)[1].c_str());
    LONGS_EQUAL(1, world.founder->cluster()->queue.size());
}

} // namespace stratum::founder
