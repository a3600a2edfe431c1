// Approve, reject, retry: what they take, keep and give back.

#include <atomic>
#include <set>
#include <thread>

#include "common/config/node_config.hpp"
#include "founder/documents.hpp"
#include "founder/store/tables.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

std::string fields_of(const Answer<Approval>& answer) {
    std::string all;
    if (answer) return "ok";
    for (const Finding& finding : answer.error().errors) all += finding.field + " ";
    return all;
}

const Node& link_of(const JoinRecord& record, std::size_t at) {
    return record.assignment->find("links")->items().at(at);
}

std::string address_of(const JoinRecord& record, std::size_t link) {
    return link_of(record, link).find("addresses")->items().at(0).as_string();
}

} // namespace

TEST_GROUP(Approval) {
    World world;
    Machine machine{1};
    std::string id = world.pending(machine);
    Node body = approval_body(machine, "beta");
};

TEST(Approval, queues_the_join_with_its_whole_assignment) {
    const auto approval = world.approve(id, body);
    STRCMP_EQUAL("", approval ? "" : fields_of(approval).c_str());
    const JoinRecord record = world.record(id);
    STRCMP_EQUAL("approved", world.state(id).c_str());
    STRCMP_EQUAL("beta", record.name.c_str());
    STRCMP_EQUAL("n-", record.node_id.substr(0, 2).c_str());
    STRCMP_EQUAL("10.30.0.2/24", address_of(record, 0).c_str());
    STRCMP_EQUAL("10.40.0.2/24", address_of(record, 1).c_str());
    CHECK_TRUE(link_of(record, 0).find("addressesAllocated")->as_bool());
    LONGS_EQUAL(world.clock.unix_seconds(), record.approved_at);
    CHECK_TRUE(world.audit_actions().find("cluster.join.approved/ok") != std::string::npos);
}

// The body without links, so that they are copied.
Node without_links(const Node& body) {
    Node assignment = Node::object();
    for (const char* name : {"name", "mgmt", "disks"})
        if (const Node* value = body.find("assignment")->find(name)) assignment.set(name, *value);
    Node made = Node::object();
    made.set("assignment", std::move(assignment));
    return made;
}

std::string interfaces_of(const JoinRecord& record) {
    std::string all;
    for (const Node& link : record.assignment->find("links")->items())
        all += link.find("interface")->as_string() + " ";
    return all;
}

TEST(Approval, copies_the_named_member_by_that_members_own_hardware) {
    const std::string other = world.joined(Machine(2), "gamma");
    Node copying = without_links(body);
    copying.set("copyFrom", world.record(other).node_id);
    const auto approval = world.approve(id, copying);
    STRCMP_EQUAL("ok", fields_of(approval).c_str());
    STRCMP_EQUAL("eth1 eth2 ", interfaces_of(world.record(id)).c_str());
}

TEST(Approval, copies_the_first_node_by_its_own_hardware_where_none_is_named) {
    const auto stored = world.store->write([&](Transaction& tx) -> Result<Ending> {
        const auto cluster = get<ClusterRecord>(tx, kOnly);
        const std::string text = write_json(facts::to_node(Machine(9).inventory));
        if (auto done = tx.put(Kind::kInventory, (*cluster)->founder_node_id, text); !done)
            return tl::make_unexpected(done.error());
        return Ending::kCommit;
    });
    CHECK_TRUE(stored.has_value());
    const auto approval = world.approve(id, without_links(body));
    STRCMP_EQUAL("ok", fields_of(approval).c_str());
    STRCMP_EQUAL("eth1 eth2 ", interfaces_of(world.record(id)).c_str());
}

TEST(Approval, its_node_yaml_is_there_and_valid) {
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.founder->admin_node_yaml(id)).c_str());
    const auto approval = world.approve(id, body);
    const auto text = world.founder->admin_node_yaml(id);
    CHECK_TRUE(text.has_value());
    CHECK_TRUE(text->bytes == approval->node_yaml);
    const auto checked = config::check_node_yaml(text->bytes);
    CHECK_TRUE(checked.config.has_value());
    STRCMP_EQUAL("beta", checked.config->name.c_str());
    STRCMP_EQUAL(id.c_str(), checked.config->join_id.c_str());
    STRCMP_EQUAL("example", checked.config->cluster->name.c_str());
    STRCMP_EQUAL(world.options.identity.str().c_str(), checked.config->founder->key.c_str());
}

TEST(Approval, a_dry_run_is_the_same_answer_and_writes_nothing) {
    const JoinRecord before = world.record(id);
    const std::string audit = world.audit_actions();
    const auto dry = world.founder->approve(id, body, {true, std::nullopt, world.admin});
    CHECK_TRUE(dry.has_value());
    CHECK_TRUE(world.record(id) == before);
    STRCMP_EQUAL(audit.c_str(), world.audit_actions().c_str());
    const Node shown = approval_document(*dry);
    STRCMP_EQUAL("approved", shown.find("state")->as_string().c_str());
    CHECK_FALSE(shown.find("nodeYaml")->as_string().empty());
    CHECK_TRUE(shown.find("wipes")->items().empty());
    const auto real = world.approve(id, body);
    STRCMP_EQUAL(address_of(dry->join.record, 0).c_str(), address_of(real->join.record, 0).c_str());
    STRCMP_EQUAL(dry->join.record.node_id.c_str(), real->join.record.node_id.c_str());
    STRCMP_EQUAL(("n-" + id.substr(3)).c_str(), real->join.record.node_id.c_str());
}

TEST(Approval, a_node_id_that_is_taken_is_not_given_again) {
    CHECK_TRUE(world.store
                   ->write([&](Transaction& tx) -> Result<Ending> {
                       CHECK_TRUE(
                           tx.take(Claim::kNodeId, "n-" + id.substr(3), "other").has_value());
                       return Ending::kCommit;
                   })
                   .has_value());
    const auto approved = world.approve(id, body);
    CHECK_TRUE(approved.has_value());
    CHECK_TRUE(approved->join.record.node_id.starts_with("n-"));
    CHECK_FALSE(approved->join.record.node_id == "n-" + id.substr(3));
}

TEST(Approval, a_dry_run_lists_what_will_be_wiped) {
    machine.inventory.disks[0].holds = {{"filesystem", "ext4", "olddata", "u", "/dev/sda", {}}};
    CHECK_TRUE(
        world.founder->put_inventory(id, to_node(machine.inventory), machine.key, world.admin)
            .has_value());
    STRCMP_EQUAL(
        "disks[0].confirm ",
        fields_of(world.founder->approve(id, body, {true, std::nullopt, world.admin})).c_str());
    Node disk = body.find("assignment")->find("disks")->items().at(0);
    disk.set("confirm", machine.wwn());
    const auto dry = world.founder->approve(id, with(body, "disks", Node::array({disk})),
                                            {true, std::nullopt, world.admin});
    CHECK_TRUE(dry.has_value());
    LONGS_EQUAL(1, dry->wipes.size());
    STRCMP_EQUAL(machine.wwn().c_str(), dry->wipes[0].key.c_str());
    CHECK_FALSE(dry->wipes[0].losses.empty());
}

TEST(Approval, every_problem_comes_at_once_and_nothing_is_written) {
    Node wrong = with(with(body, "name", Node::string("Beta_1")), "role", Node::string("storage"));
    const auto refused = world.approve(id, wrong);
    STRCMP_EQUAL("JOIN_APPROVAL_REFUSED", code_of(refused).c_str());
    STRCMP_EQUAL("name role ", fields_of(refused).c_str());
    LONGS_EQUAL(2, refused.error().details.find("reasons")->items().size());
    STRCMP_EQUAL("pending", world.state(id).c_str());
}

TEST(Approval, a_body_that_does_not_decode_is_400) {
    const auto refused = world.approve(id, with(body, "disk", Node::array()));
    STRCMP_EQUAL("INVALID_INPUT", code_of(refused).c_str());
    STRCMP_EQUAL("disk ", fields_of(refused).c_str());
}

TEST(Approval, an_unknown_join_is_404) {
    STRCMP_EQUAL("NOT_FOUND", code_of(world.approve("nj-nothere0", body)).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(world.approve("", body)).c_str());
}

TEST(Approval, if_match_of_another_revision_is_412) {
    const std::string present = etag_of(world.record(id));
    machine.inventory.hostname = "renamed";
    CHECK_TRUE(
        world.founder->put_inventory(id, to_node(machine.inventory), machine.key, world.admin)
            .has_value());
    STRCMP_EQUAL("PRECONDITION_FAILED",
                 code_of(world.founder->approve(id, body, {false, present, world.admin})).c_str());
    const std::string now = etag_of(world.record(id));
    CHECK_TRUE(world.founder->approve(id, body, {false, "\"0\", " + now, world.admin}).has_value());
}

TEST(Approval, another_machines_pairing_code_is_refused_at_its_field) {
    Node typed = body;
    typed.set("pairingCode", "222-222");
    STRCMP_EQUAL("pairingCode ", fields_of(world.approve(id, typed)).c_str());
    typed.set("pairingCode", world.record(id).pairing_code);
    CHECK_TRUE(world.approve(id, typed).has_value());
}

TEST(Approval, again_keeps_place_node_id_and_addresses) {
    CHECK_TRUE(world.approve(id, body).has_value());
    Machine second{2};
    const std::string other = world.approved(second, "gamma");
    const JoinRecord before = world.record(id);
    CHECK_TRUE(world.approve(id, approval_body(machine, "delta")).has_value());
    const JoinRecord after = world.record(id);
    STRCMP_EQUAL("delta", after.name.c_str());
    STRCMP_EQUAL(before.node_id.c_str(), after.node_id.c_str());
    LONGS_EQUAL(before.queue_order, after.queue_order);
    STRCMP_EQUAL("10.30.0.2/24", address_of(after, 0).c_str());
    STRCMP_EQUAL("10.30.0.3/24", address_of(world.record(other), 0).c_str());
    // The name it no longer has is free.
    STRCMP_EQUAL("ok", code_of(world.approve(other, approval_body(second, "beta"))).c_str());
}

TEST(Approval, a_name_that_a_queued_join_or_the_founder_holds_is_taken) {
    CHECK_TRUE(world.approve(id, body).has_value());
    Machine second{2};
    const std::string other = world.pending(second);
    STRCMP_EQUAL("name ", fields_of(world.approve(other, approval_body(second, "beta"))).c_str());
    STRCMP_EQUAL("name ", fields_of(world.approve(other, approval_body(second, "alpha"))).c_str());
}

TEST(Approval, a_shared_disk_is_not_given_twice) {
    CHECK_TRUE(world.approve(id, body).has_value());
    Machine second{2};
    second.inventory.disks = machine.inventory.disks;
    const std::string other = world.pending(second);
    STRCMP_EQUAL("disks[0].key ",
                 fields_of(world.approve(other, approval_body(second, "gamma"))).c_str());
}

TEST(Approval, a_running_or_ended_join_cannot_be_approved) {
    CHECK_TRUE(world.approve(id, body).has_value());
    world.tick();
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.approve(id, body)).c_str());
    Machine second{2};
    const std::string other = world.pending(second);
    CHECK_TRUE(world.reject(other).has_value());
    STRCMP_EQUAL("JOIN_STATE_CONFLICT",
                 code_of(world.approve(other, approval_body(second, "gamma"))).c_str());
}

TEST(Approval, addresses_run_out_with_an_answer_and_two_at_once_never_get_the_same) {
    const auto second_founder = world.another_founder();
    std::vector<Machine> machines;
    std::vector<std::string> ids{id};
    machines.push_back(machine);
    for (int i = 2; i <= 4; ++i) {
        machines.emplace_back(i);
        ids.push_back(world.pending(machines.back()));
    }
    std::atomic<int> approved{0};
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        threads.emplace_back([&, i] {
            Founder& founder = i % 2 == 0 ? *world.founder : *second_founder;
            const auto answer =
                founder.approve(ids[i], approval_body(machines[i], "node-" + std::to_string(i)),
                                {false, std::nullopt, world.admin});
            if (answer) ++approved;
        });
    }
    for (std::thread& thread : threads) thread.join();
    LONGS_EQUAL(4, approved.load());
    std::set<std::string> addresses;
    for (const std::string& each : ids) addresses.insert(address_of(world.record(each), 0));
    LONGS_EQUAL(4, addresses.size());
    STRCMP_EQUAL("10.30.0.2/24", addresses.begin()->c_str());
    STRCMP_EQUAL("10.30.0.5/24", addresses.rbegin()->c_str());
}

TEST(Approval, the_sixth_control_plane_node_is_refused_at_role) {
    CHECK_TRUE(world.approve(id, body).has_value());
    for (int i = 2; i <= 4; ++i) world.approved(Machine(i), "node-" + std::to_string(i));
    Machine sixth{5};
    const std::string other = world.pending(sixth);
    STRCMP_EQUAL("role ", fields_of(world.approve(other, approval_body(sixth, "node-5"))).c_str());
}

// ---- reject and retry

TEST_GROUP(Rejection) {
    World world;
    Machine machine{1};
};

TEST(Rejection, of_a_queued_join_frees_its_name_and_addresses) {
    const std::string id = world.approved(machine, "beta");
    CHECK_TRUE(world.reject(id).has_value());
    STRCMP_EQUAL("rejected", world.state(id).c_str());
    Machine second{2};
    const std::string other = world.approved(second, "beta");
    STRCMP_EQUAL("10.30.0.2/24", address_of(world.record(other), 0).c_str());
}

TEST(Rejection, of_a_failed_join_takes_its_member_row_and_makes_a_generation) {
    const std::string id = world.failed(machine, "beta");
    const std::int64_t before = world.generation();
    LONGS_EQUAL(2, world.founder->members()->size());
    CHECK_TRUE(world.reject(id).has_value());
    LONGS_EQUAL(1, world.founder->members()->size());
    LONGS_EQUAL(before + 1, world.generation());
}

TEST(Rejection, of_one_without_a_row_makes_no_generation) {
    const std::string id = world.approved(machine, "beta");
    const std::int64_t before = world.generation();
    CHECK_TRUE(world.reject(id).has_value());
    LONGS_EQUAL(before, world.generation());
}

TEST(Rejection, of_a_running_join_needs_ten_silent_minutes_and_force) {
    const std::string id = world.installing(machine, "beta");
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.reject(id, true)).c_str());
    world.tick(600);
    CHECK_TRUE(world.record(id).stalled);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.reject(id, false)).c_str());
    CHECK_TRUE(world.reject(id, true).has_value());
    STRCMP_EQUAL("rejected", world.state(id).c_str());
    LONGS_EQUAL(1, world.founder->members()->size());
}

TEST(Rejection, of_a_joined_or_ended_join_is_a_conflict) {
    const std::string id = world.joined(machine, "beta");
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.reject(id, true)).c_str());
    Machine second{2};
    const std::string other = world.pending(second);
    CHECK_TRUE(world.reject(other).has_value());
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.reject(other)).c_str());
}

TEST(Rejection, carries_the_reason_to_the_joiner) {
    const std::string id = world.pending(machine);
    CHECK_TRUE(
        world.founder->reject(id, {"wrong rack", false, std::nullopt, world.admin}).has_value());
    STRCMP_EQUAL("wrong rack", world.view(machine, id)->ended_reason.c_str());
}

TEST_GROUP(Retry) {
    World world;
    Machine machine{1};
};

TEST(Retry, queues_again_with_the_same_assignment_addresses_and_node_id) {
    const std::string id = world.failed(machine, "beta");
    const JoinRecord before = world.record(id);
    CHECK_TRUE(world.founder->retry(id, {world.admin}).has_value());
    const JoinRecord after = world.record(id);
    STRCMP_EQUAL("approved", world.state(id).c_str());
    LONGS_EQUAL(2, after.attempt);
    CHECK_TRUE(after.assignment == before.assignment);
    STRCMP_EQUAL(before.node_id.c_str(), after.node_id.c_str());
    CHECK_TRUE(after.addresses == before.addresses);
    CHECK_TRUE(after.failed_step.empty());
    CHECK_TRUE(after.queue_order > before.queue_order);
    CHECK_TRUE(world.audit_actions().find("cluster.join.retried/ok") != std::string::npos);
}

TEST(Retry, goes_to_the_end_of_the_queue) {
    const std::string id = world.failed(machine, "beta");
    // A failed join runs no more, so the next may; its member has nothing to confirm.
    Machine second{2};
    const std::string other = world.delivering(second, "gamma");
    Machine third{3};
    const std::string last = world.approved(third, "delta");
    CHECK_TRUE(world.founder->retry(id, {world.admin}).has_value());
    const auto status = world.founder->cluster();
    LONGS_EQUAL(3, status->queue.size());
    STRCMP_EQUAL(other.c_str(), status->queue[0].join_id.c_str());
    STRCMP_EQUAL(last.c_str(), status->queue[1].join_id.c_str());
    STRCMP_EQUAL(id.c_str(), status->queue[2].join_id.c_str());
}

TEST(Retry, delivers_the_next_attempt_without_a_new_generation) {
    const std::string id = world.failed(machine, "beta");
    const std::int64_t before = world.generation();
    CHECK_TRUE(world.founder->retry(id, {world.admin}).has_value());
    world.tick();
    STRCMP_EQUAL("delivering", world.state(id).c_str());
    LONGS_EQUAL(before, world.generation());
    const auto yaml = config::check_node_yaml(world.founder->node_yaml(id, machine.key)->bytes);
    LONGS_EQUAL(2, yaml.config->attempt);
}

TEST(Retry, of_any_other_state_is_a_conflict) {
    const std::string id = world.pending(machine);
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.founder->retry(id, {world.admin})).c_str());
    STRCMP_EQUAL("NOT_FOUND", code_of(world.founder->retry("nj-nothere0", {world.admin})).c_str());
}

} // namespace stratum::founder
