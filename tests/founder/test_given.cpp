// A request with an Idempotency-Key acts once and is answered alike; If-Match on every decision.

#include <atomic>
#include <thread>
#include <vector>

#include "founder/documents.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(Given) {
    World world;
    Machine machine{1};

    ApproveOptions keyed(const std::string& key, const std::string& body = "same") {
        ApproveOptions options;
        options.caller = world.admin;
        options.caller.once = Once{key, body};
        return options;
    }
    std::size_t approvals() {
        const std::string told = world.audit_actions();
        std::size_t count = 0;
        for (std::size_t at = 0;
             (at = told.find("cluster.join.approved/ok", at)) != std::string::npos; ++at)
            ++count;
        return count;
    }
};

TEST(Given, the_same_request_gets_the_same_answer_and_acts_once) {
    const std::string id = world.pending(machine);
    const Node body = approval_body(machine, "beta");
    const auto first = world.founder->approve(id, body, keyed("k"));
    CHECK_TRUE(first.has_value());
    CHECK_FALSE(first->join.given.has_value());
    const std::string answered = write_json(join_document(first->join));
    world.tick(5); // it may be delivering by now
    world.restart();
    const auto again = world.founder->approve(id, body, keyed("k"));
    CHECK_TRUE(again->join.given.has_value());
    STRCMP_EQUAL(answered.c_str(), again->join.given->body.c_str());
    STRCMP_EQUAL(etag_of(first->join.record).c_str(), again->join.given->etag.c_str());
    LONGS_EQUAL(1, approvals());
}

TEST(Given, the_same_key_with_another_body_is_refused) {
    const std::string id = world.pending(machine);
    CHECK_TRUE(world.founder->approve(id, approval_body(machine, "beta"), keyed("k")).has_value());
    const auto other = world.founder->approve(id, approval_body(machine, "gamma"), keyed("k", "x"));
    STRCMP_EQUAL("IDEMPOTENCY_CONFLICT", code_of(other).c_str());
    STRCMP_EQUAL("beta", world.record(id).name.c_str());
    // Another key is another request.
    CHECK_TRUE(world.founder->approve(id, approval_body(machine, "gamma"), keyed("l")).has_value());
    STRCMP_EQUAL("gamma", world.record(id).name.c_str());
}

TEST(Given, without_a_key_each_request_acts) {
    const std::string id = world.pending(machine);
    CHECK_TRUE(world.approve(id, approval_body(machine, "beta")).has_value());
    CHECK_TRUE(world.approve(id, approval_body(machine, "beta")).has_value());
    LONGS_EQUAL(2, approvals());
}

TEST(Given, what_was_refused_is_judged_anew) {
    const std::string id = world.registered(machine);
    const Node body = approval_body(machine, "beta");
    STRCMP_EQUAL("JOIN_STATE_CONFLICT",
                 code_of(world.founder->approve(id, body, keyed("k"))).c_str());
    CHECK_TRUE(world.reveal(machine, id).has_value());
    CHECK_TRUE(world.founder->approve(id, body, keyed("k")).has_value());
}

TEST(Given, rejection_and_retry_keep_theirs_too) {
    const std::string id = world.failed(machine, "beta");
    RetryOptions retry{world.admin};
    retry.caller.once = Once{"r", ""};
    const auto retried = world.founder->retry(id, retry);
    const auto again = world.founder->retry(id, retry);
    CHECK_TRUE(again->given.has_value());
    STRCMP_EQUAL(etag_of(retried->record).c_str(), again->given->etag.c_str());
    LONGS_EQUAL(2, world.record(id).attempt);
    RejectOptions reject;
    reject.caller = world.admin;
    reject.caller.once = Once{"j", ""};
    CHECK_TRUE(world.founder->reject(id, reject).has_value());
    CHECK_TRUE(world.founder->reject(id, reject)->given.has_value());
    reject.caller.once->id = "other";
    STRCMP_EQUAL("JOIN_STATE_CONFLICT", code_of(world.founder->reject(id, reject)).c_str());
}

TEST(Given, after_a_day_it_is_forgotten) {
    const std::string id = world.pending(machine);
    const Node body = approval_body(machine, "beta");
    CHECK_TRUE(world.founder->approve(id, body, keyed("k")).has_value());
    world.clock.advance_ms(24LL * 3600 * 1000 - 2000);
    CHECK_TRUE(world.founder->approve(id, body, keyed("k"))->join.given.has_value());
    world.clock.advance_ms(3000);
    const auto late = world.founder->approve(id, body, keyed("k", "another"));
    CHECK_TRUE(code_of(late) != "IDEMPOTENCY_CONFLICT");
    world.tick(24 * 3600 + 700);
    std::size_t left = 0;
    CHECK_TRUE(world.store
                   ->read([&](Transaction& tx) -> Status {
                       left = tx.list(Kind::kGiven, {})->size();
                       return {};
                   })
                   .has_value());
    LONGS_EQUAL(0, left);
}

TEST(Given, many_at_once_act_once_on_two_founders) {
    const std::string id = world.pending(machine);
    const Node body = approval_body(machine, "beta");
    const auto other = world.another_founder();
    std::atomic<int> acted{0};
    std::atomic<int> given{0};
    std::vector<std::thread> threads;
    threads.reserve(16);
    for (int t = 0; t < 16; ++t) {
        threads.emplace_back([&, t] {
            Founder& founder = t % 2 == 0 ? *world.founder : *other;
            const auto answer = founder.approve(id, body, keyed("k"));
            if (!answer) return;
            if (answer->join.given)
                ++given;
            else
                ++acted;
        });
    }
    for (std::thread& thread : threads) thread.join();
    LONGS_EQUAL(1, acted.load());
    LONGS_EQUAL(15, given.load());
    LONGS_EQUAL(1, approvals());
}

TEST(Given, if_match_holds_for_every_decision) {
    const std::string id = world.failed(machine, "beta");
    const std::string etag = etag_of(world.record(id));
    STRCMP_EQUAL("PRECONDITION_FAILED",
                 code_of(world.founder->retry(id, {world.admin, "\"1\""})).c_str());
    STRCMP_EQUAL("failed", world.state(id).c_str());
    CHECK_TRUE(world.founder->retry(id, {world.admin, "\"1\", " + etag}).has_value());
    RejectOptions reject;
    reject.caller = world.admin;
    reject.if_match = etag; // the retry has moved it
    STRCMP_EQUAL("PRECONDITION_FAILED", code_of(world.founder->reject(id, reject)).c_str());
    reject.if_match = "*";
    CHECK_TRUE(world.founder->reject(id, reject).has_value());
}

} // namespace stratum::founder
