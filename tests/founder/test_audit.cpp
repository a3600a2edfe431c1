// The audit as a founder writes it: every change and every refusal, one after the other, chained.

#include <algorithm>

#include "founder/audit.hpp"
#include "tests/founder/counting_store.hpp"
#include "tests/founder/world.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {

TEST_GROUP(Audit) {
    World world;

    // Reads every page, as a client would, and checks the chain.
    link::AuditVerdict check(std::size_t page_size = 3) {
        AuditQuery query;
        query.limit = page_size;
        auto page = world.founder->audit(query);
        link::AuditCheck checking(page->head);
        while (true) {
            for (const AuditRecord& one : page->entries) checking.next(entry_of(one), one.hash);
            if (page->next_cursor.empty()) return checking.finish();
            query.cursor = page->next_cursor;
            page = world.founder->audit(query);
        }
    }
    long refused() {
        AuditQuery query;
        query.limit = 1000;
        const auto page = world.founder->audit(query);
        return std::count_if(page->entries.begin(), page->entries.end(),
                             [](const AuditRecord& one) { return one.result == "refused"; });
    }
    AuditRecord newest() {
        return world.founder->audit({})->entries.front();
    }
    void refuse(const std::string& actor, const std::string& from) {
        link::Problem why;
        why.code = link::ProblemCode::kForbidden;
        why.detail = "not this one";
        world.founder->audit_refused(
            {"cluster.join.approved", "join/nj-00000000", {actor, from, ""}}, why);
    }
    // What somebody does who has the store itself.
    void tamper(const std::function<void(Transaction&)>& work) {
        CHECK_TRUE(world.store
                       ->write([&](Transaction& tx) -> Result<Ending> {
                           work(tx);
                           return Ending::kCommit;
                       })
                       .has_value());
    }
};

TEST(Audit, a_founder_that_has_done_a_lot_has_a_whole_chain) {
    Machine machine(1);
    const std::string id = world.failed(machine, "beta");
    CHECK_TRUE(world.founder->retry(id, {world.admin}).has_value());
    CHECK_TRUE(world.reject(id).has_value());
    CHECK_FALSE(world.reject(id).has_value());
    world.restart();
    world.code();
    const link::AuditVerdict verdict = check();
    STRCMP_EQUAL("", verdict.why.c_str());
    LONGS_EQUAL(0, verdict.broken_at);
    CHECK_TRUE(verdict.checked >= 8);
}

TEST(Audit, the_first_entry_is_the_first_token_and_begins_the_chain) {
    const auto page = world.founder->audit({});
    LONGS_EQUAL(1, page->head.first);
    LONGS_EQUAL(1, page->entries.back().sequence);
    STRCMP_EQUAL("iam.token.created", page->entries.back().action.c_str());
    STRCMP_EQUAL(page->entries.front().hash.c_str(), page->head.hash.c_str());
}

TEST(Audit, an_entry_added_past_the_founder_shows) {
    world.code();
    tamper([](Transaction& tx) {
        AuditRecord forged;
        forged.sequence = 99;
        CHECK_TRUE(tx.put(Kind::kAudit, sequence_id(99), encode(forged)).has_value());
    });
    CHECK_TRUE(check().broken_at != 0);
}

TEST(Audit, an_end_that_was_cut_off_shows_by_the_head) {
    world.code();
    tamper([](Transaction& tx) {
        auto head = get<AuditHeadRecord>(tx, kOnly);
        ++(*head)->sequence;
        CHECK_TRUE(put(tx, kOnly, **head).has_value());
    });
    CHECK_TRUE(check().broken_at != 0);
}

TEST(Audit, what_a_stranger_sent_is_bounded_and_keeps_its_hash) {
    link::Problem why;
    why.code = link::ProblemCode::kForbidden;
    why.detail = std::string(5000, 'x') + "\xfe";
    world.founder->audit_refused({"cluster.join.approved", "join/nj-\xff", world.admin}, why);
    world.founder->audit_refused({"cluster.join.approved", "join/nj-\xff", world.admin}, why);
    LONGS_EQUAL(1, refused());
    const auto page = world.founder->audit({});
    CHECK_TRUE(page->entries.front().detail.size() < 1100);
    STRCMP_EQUAL("join/nj-\xEF\xBF\xBD", page->entries.front().object.c_str());
    LONGS_EQUAL(0, check().broken_at);
}

TEST(Audit, a_refusal_that_cannot_be_written_is_counted) {
    CountingStore store(*world.store);
    world.founder = std::move(*Founder::open(store, world.clock, world.files, world.options));
    store.is_full = true;
    refuse("nobody", "10.0.0.1");
    refuse("nobody", "10.0.0.1");
    store.is_full = false;
    LONGS_EQUAL(0, refused());
    world.tick(70);
    STRCMP_EQUAL("audit.refusals-counted", newest().action.c_str());
    CHECK_TRUE(newest().detail.find("2 more refused since ") == 0);
    world.restart(); // off this store, which ends before the world
}

TEST(Audit, a_flood_of_refusals_is_counted_and_does_not_grow_the_audit) {
    for (int i = 0; i < 5000; ++i) refuse("nobody", "10.0.0.1");
    LONGS_EQUAL(20, refused()); // of one address
    for (int i = 0; i < 5000; ++i) refuse("nobody", "10.1." + std::to_string(i % 100) + ".1");
    LONGS_EQUAL(100, refused()); // of all without a token
    for (int i = 0; i < 5000; ++i) refuse("tk-test", "10.0.0.2");
    LONGS_EQUAL(400, refused()); // and of one token
    refuse("tk-other", "10.0.0.3");
    LONGS_EQUAL(401, refused());
    world.tick(70);
    LONGS_EQUAL(403, refused());
    STRCMP_EQUAL("audit.refusals-counted", newest().action.c_str());
    STRCMP_EQUAL("token/tk-test", newest().object.c_str());
    CHECK_TRUE(newest().detail.find("4700 more refused since ") == 0);
    CHECK_TRUE(newest().detail.find("from 10.0.0.2 (4700)") != std::string::npos);
    const std::string strangers = world.founder->audit({})->entries.at(1).detail;
    CHECK_TRUE(strangers.find("9900 more refused since ") == 0);
    CHECK_TRUE(strangers.find("and others (") != std::string::npos);
    // Told once; and some of what follows has entries again.
    world.tick(70);
    LONGS_EQUAL(403, refused());
    refuse("nobody", "10.0.0.9");
    LONGS_EQUAL(404, refused());
    LONGS_EQUAL(0, check(100).broken_at);
}

TEST(Audit, no_secret_stands_in_an_entry_wherever_it_was_put) {
    const std::string code = link::JoinCode::generate().grouped();
    const std::string bare =
        code.substr(0, 4) + code.substr(5, 4) + code.substr(10, 4) + code.substr(15, 4);
    const std::string token = world.token;
    CHECK_FALSE(world.founder->revoke_token(token, world.admin).has_value());
    CHECK_FALSE(world.founder->revoke_join_code(code, world.admin).has_value());
    CHECK_FALSE(
        world.founder->reject(bare, {"it said " + code + "/" + token, false, {}, world.admin})
            .has_value());
    CHECK_TRUE(
        world.founder->create_token("for “" + token + "”: " + bare, Node::object(), world.admin)
            .has_value());
    Machine machine(1);
    const std::string id = world.pending(machine);
    Node body = approval_body(machine, "beta");
    body.set("pairingCode", "222-333");
    CHECK_FALSE(world.approve(id, body).has_value());
    std::string all;
    CHECK_TRUE(world.store
                   ->read([&](Transaction& tx) -> Status {
                       const auto entries = tx.list(Kind::kAudit, {});
                       for (const Entry& one : *entries) all += one.value;
                       return {};
                   })
                   .has_value());
    CHECK_TRUE(all.find("[a token]") != std::string::npos);
    CHECK_TRUE(all.find("[a join code]") != std::string::npos);
    for (const std::string& secret : {code, bare, token, token.substr(4), std::string("222-333")})
        CHECK_TRUE(all.find(secret) == std::string::npos);
    LONGS_EQUAL(0, check(100).broken_at);
}

TEST(Audit, pages_go_on_where_they_ended_while_entries_are_added) {
    for (int i = 0; i < 5; ++i) world.code();
    AuditQuery query;
    query.limit = 2;
    const auto first = world.founder->audit(query);
    world.code();
    query.cursor = first->next_cursor;
    const auto second = world.founder->audit(query);
    LONGS_EQUAL(first->entries.back().sequence - 1, second->entries.front().sequence);
    LONGS_EQUAL(first->head.seq + 1, second->head.seq);
}

TEST(Audit, a_cursor_of_another_list_or_none_of_ours_is_refused) {
    world.pending(Machine(1));
    world.pending(Machine(2));
    JoinQuery joins;
    joins.limit = 1;
    const std::string of_joins = world.founder->joins(joins)->next_cursor;
    CHECK_FALSE(of_joins.empty());
    for (const std::string& cursor : {of_joins, std::string("7"), std::string("zz"),
                                      std::string("00"), std::string(600, 'a')}) {
        AuditQuery query;
        query.cursor = cursor;
        const auto page = world.founder->audit(query);
        STRCMP_EQUAL("INVALID_INPUT", code_of(page).c_str());
        STRCMP_EQUAL("cursor", page.error().errors.front().field.c_str());
    }
}

} // namespace stratum::founder
