#include "tests/founder/store/contract.hpp"

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include <CppUTest/TestHarness.h>

namespace stratum::founder::contract {
namespace {

constexpr int kThreads = 64;

void put(Store& store, Kind kind, const std::string& id, const std::string& value) {
    const Status done = store.write([&](Transaction& tx) -> Result<Ending> {
        if (auto ok = tx.put(kind, id, value); !ok) return tl::make_unexpected(ok.error());
        return Ending::kCommit;
    });
    CHECK_TRUE(done.has_value());
}

std::optional<std::string> get(Store& store, Kind kind, const std::string& id) {
    std::optional<std::string> value;
    const Status done = store.read([&](Transaction& tx) -> Status {
        auto found = tx.get(kind, id);
        if (!found) return tl::make_unexpected(found.error());
        value = *found;
        return {};
    });
    CHECK_TRUE(done.has_value());
    return value;
}

std::string ids(Store& store, Kind kind, const ListOptions& options = {}) {
    std::string all;
    const Status done = store.read([&](Transaction& tx) -> Status {
        const auto entries = tx.list(kind, options);
        if (!entries) return tl::make_unexpected(entries.error());
        for (const Entry& entry : *entries) all += entry.id + " ";
        return {};
    });
    CHECK_TRUE(done.has_value());
    return all;
}

// "" where it was taken, else what the store said.
std::string take(Store& store, Claim claim, const std::string& value, const std::string& owner) {
    std::string said;
    const Status done = store.write([&](Transaction& tx) -> Result<Ending> {
        said.clear();
        const Status taken = tx.take(claim, value, owner);
        if (!taken) {
            CHECK_TRUE(taken.error().code == ErrorCode::kConflict);
            said = "held by " + taken.error().message;
        }
        return Ending::kCommit;
    });
    CHECK_TRUE(done.has_value());
    return said;
}

void give_back(Store& store, Claim claim, const std::string& owner) {
    const Status done = store.write([&](Transaction& tx) -> Result<Ending> {
        if (auto ok = tx.give_back(claim, owner); !ok) return tl::make_unexpected(ok.error());
        return Ending::kCommit;
    });
    CHECK_TRUE(done.has_value());
}

std::int64_t next(Store& store, const std::string& counter, Ending ending = Ending::kCommit) {
    std::int64_t number = 0;
    const Status done = store.write([&](Transaction& tx) -> Result<Ending> {
        const auto given = tx.next(counter);
        if (!given) return tl::make_unexpected(given.error());
        number = *given;
        return ending;
    });
    CHECK_TRUE(done.has_value());
    return number;
}

} // namespace

void absent_record_is_absent(StoreFactory& factory) {
    CHECK_FALSE(get(*factory.open(), Kind::kJoin, "nj-none").has_value());
}

void what_was_put_is_there_for_another_founder(StoreFactory& factory) {
    const auto one = factory.open();
    const auto other = factory.open();
    put(*one, Kind::kJoin, "nj-a", "value");
    STRCMP_EQUAL("value", get(*other, Kind::kJoin, "nj-a").value_or("absent").c_str());
}

void a_value_may_be_any_bytes(StoreFactory& factory) {
    const auto store = factory.open();
    std::string bytes("\0\xff\x80 \n'\"", 7);
    bytes += std::string(1 << 20, 'x');
    put(*store, Kind::kBundle, "nj-a", bytes);
    CHECK_TRUE(get(*store, Kind::kBundle, "nj-a") == bytes);
    put(*store, Kind::kBundle, "nj-b", "");
    CHECK_TRUE(get(*store, Kind::kBundle, "nj-b") == std::string());
}

void put_replaces(StoreFactory& factory) {
    const auto store = factory.open();
    put(*store, Kind::kJoin, "nj-a", "old");
    put(*store, Kind::kJoin, "nj-a", "new");
    STRCMP_EQUAL("new", get(*store, Kind::kJoin, "nj-a").value_or("absent").c_str());
    STRCMP_EQUAL("nj-a ", ids(*store, Kind::kJoin).c_str());
}

void erase_removes_and_absent_is_no_error(StoreFactory& factory) {
    const auto store = factory.open();
    put(*store, Kind::kJoin, "nj-a", "value");
    for (int i = 0; i < 2; ++i) {
        const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
            CHECK_TRUE(tx.erase(Kind::kJoin, "nj-a").has_value());
            return Ending::kCommit;
        });
        CHECK_TRUE(done.has_value());
        CHECK_FALSE(get(*store, Kind::kJoin, "nj-a").has_value());
    }
}

void kinds_do_not_meet(StoreFactory& factory) {
    const auto store = factory.open();
    put(*store, Kind::kJoin, "same", "join");
    put(*store, Kind::kMember, "same", "member");
    STRCMP_EQUAL("join", get(*store, Kind::kJoin, "same")->c_str());
    STRCMP_EQUAL("member", get(*store, Kind::kMember, "same")->c_str());
    STRCMP_EQUAL("same ", ids(*store, Kind::kMember).c_str());
}

void a_list_is_in_the_order_of_ids(StoreFactory& factory) {
    const auto store = factory.open();
    for (const char* id : {"b", "a", "c10", "c1", "B"}) put(*store, Kind::kAudit, id, id);
    STRCMP_EQUAL("B a b c1 c10 ", ids(*store, Kind::kAudit).c_str());
}

void a_list_can_be_turned_cut_and_gone_on_with(StoreFactory& factory) {
    const auto store = factory.open();
    for (const char* id : {"1", "2", "3", "4"}) put(*store, Kind::kAudit, id, id);
    STRCMP_EQUAL("4 3 ", ids(*store, Kind::kAudit, {"", "", 2, true}).c_str());
    STRCMP_EQUAL("2 1 ", ids(*store, Kind::kAudit, {"", "3", 2, true}).c_str());
    STRCMP_EQUAL("3 4 ", ids(*store, Kind::kAudit, {"", "2", SIZE_MAX, false}).c_str());
    STRCMP_EQUAL("", ids(*store, Kind::kAudit, {"", "4", SIZE_MAX, false}).c_str());
    STRCMP_EQUAL("", ids(*store, Kind::kAudit, {"", "1", SIZE_MAX, true}).c_str());
}

void a_prefix_lists_only_what_begins_with_it(StoreFactory& factory) {
    const auto store = factory.open();
    for (const char* id : {"nj-a/1", "nj-a/2", "nj-ab/1", "nj-b/1", "nj-a"})
        put(*store, Kind::kLogLine, id, id);
    STRCMP_EQUAL("nj-a/1 nj-a/2 ", ids(*store, Kind::kLogLine, {"nj-a/", "", 9, false}).c_str());
    STRCMP_EQUAL("nj-a/2 nj-a/1 ", ids(*store, Kind::kLogLine, {"nj-a/", "", 9, true}).c_str());
    STRCMP_EQUAL("nj-a/2 ", ids(*store, Kind::kLogLine, {"nj-a/", "nj-a/1", 9, false}).c_str());
}

void rolling_back_leaves_nothing(StoreFactory& factory) {
    const auto store = factory.open();
    const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.put(Kind::kJoin, "nj-a", "value").has_value());
        CHECK_TRUE(tx.take(Claim::kName, "alpha", "nj-a").has_value());
        return Ending::kRollBack;
    });
    CHECK_TRUE(done.has_value());
    CHECK_FALSE(get(*store, Kind::kJoin, "nj-a").has_value());
    STRCMP_EQUAL("", take(*store, Claim::kName, "alpha", "nj-b").c_str());
}

void an_error_of_the_work_rolls_back_and_is_passed_on(StoreFactory& factory) {
    const auto store = factory.open();
    const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.put(Kind::kJoin, "nj-a", "value").has_value());
        return fail(ErrorCode::kDenied, "no");
    });
    CHECK_FALSE(done.has_value());
    STRCMP_EQUAL("no", done.error().message.c_str());
    CHECK_FALSE(get(*store, Kind::kJoin, "nj-a").has_value());
}

void reading_cannot_write(StoreFactory& factory) {
    const auto store = factory.open();
    const Status done = store->read([&](Transaction& tx) { return tx.put(Kind::kJoin, "a", "b"); });
    CHECK_FALSE(done.has_value());
    CHECK_FALSE(get(*store, Kind::kJoin, "a").has_value());
}

void a_claim_has_one_holder(StoreFactory& factory) {
    const auto one = factory.open();
    const auto other = factory.open();
    STRCMP_EQUAL("", take(*one, Claim::kName, "alpha", "nj-a").c_str());
    STRCMP_EQUAL("held by nj-a", take(*other, Claim::kName, "alpha", "nj-b").c_str());
    std::string holder;
    CHECK_TRUE(other
                   ->read([&](Transaction& tx) -> Status {
                       holder = tx.holder(Claim::kName, "alpha")->value_or("nobody");
                       return {};
                   })
                   .has_value());
    STRCMP_EQUAL("nj-a", holder.c_str());
}

void a_claim_taken_again_by_its_holder_is_no_error(StoreFactory& factory) {
    const auto store = factory.open();
    STRCMP_EQUAL("", take(*store, Claim::kName, "alpha", "nj-a").c_str());
    STRCMP_EQUAL("", take(*store, Claim::kName, "alpha", "nj-a").c_str());
}

void claims_given_back_are_free(StoreFactory& factory) {
    const auto store = factory.open();
    STRCMP_EQUAL("", take(*store, Claim::kAddress, "10.0.0.1", "nj-a").c_str());
    STRCMP_EQUAL("", take(*store, Claim::kAddress, "10.0.0.2", "nj-a").c_str());
    STRCMP_EQUAL("", take(*store, Claim::kAddress, "10.0.0.3", "nj-b").c_str());
    give_back(*store, Claim::kAddress, "nj-a");
    STRCMP_EQUAL("", take(*store, Claim::kAddress, "10.0.0.1", "nj-c").c_str());
    STRCMP_EQUAL("", take(*store, Claim::kAddress, "10.0.0.2", "nj-c").c_str());
    STRCMP_EQUAL("held by nj-b", take(*store, Claim::kAddress, "10.0.0.3", "nj-c").c_str());
}

void what_is_held_is_listed_by_value_with_its_holder(StoreFactory& factory) {
    const auto store = factory.open();
    for (const auto& [value, owner] :
         {std::pair{"n-2", "nj-b"}, std::pair{"n-1", "nj-c"}, std::pair{"n-3", "nj-a"}})
        STRCMP_EQUAL("", take(*store, Claim::kNodeId, value, owner).c_str());
    STRCMP_EQUAL("", take(*store, Claim::kName, "n-4", "nj-d").c_str());
    std::vector<Entry> held;
    const Status done = factory.open()->read([&](Transaction& tx) -> Status {
        auto listed = tx.held(Claim::kNodeId);
        if (!listed) return tl::make_unexpected(listed.error());
        held = *listed;
        return {};
    });
    CHECK_TRUE(done.has_value());
    CHECK_TRUE(held == (std::vector<Entry>{{"n-1", "nj-c"}, {"n-2", "nj-b"}, {"n-3", "nj-a"}}));
}

void claims_of_another_sort_do_not_meet(StoreFactory& factory) {
    const auto store = factory.open();
    STRCMP_EQUAL("", take(*store, Claim::kName, "x", "nj-a").c_str());
    STRCMP_EQUAL("", take(*store, Claim::kNodeId, "x", "nj-b").c_str());
    give_back(*store, Claim::kNodeId, "nj-a");
    STRCMP_EQUAL("held by nj-a", take(*store, Claim::kName, "x", "nj-b").c_str());
}

void a_lost_claim_leaves_the_transaction_usable(StoreFactory& factory) {
    const auto store = factory.open();
    STRCMP_EQUAL("", take(*store, Claim::kName, "alpha", "nj-a").c_str());
    const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_FALSE(tx.take(Claim::kName, "alpha", "nj-b").has_value());
        CHECK_TRUE(tx.put(Kind::kJoin, "nj-b", "value").has_value());
        return Ending::kCommit;
    });
    CHECK_TRUE(done.has_value());
    CHECK_TRUE(get(*store, Kind::kJoin, "nj-b").has_value());
}

void counters_count_from_one_each_for_itself(StoreFactory& factory) {
    const auto store = factory.open();
    LONGS_EQUAL(1, next(*store, "join"));
    LONGS_EQUAL(2, next(*store, "join"));
    LONGS_EQUAL(1, next(*store, "audit"));
    LONGS_EQUAL(3, next(*factory.open(), "join"));
}

void a_rolled_back_number_is_given_again(StoreFactory& factory) {
    const auto store = factory.open();
    LONGS_EQUAL(1, next(*store, "join", Ending::kRollBack));
    LONGS_EQUAL(1, next(*store, "join"));
}

void the_version_moves_with_everybodys_commits_and_with_nothing_else(StoreFactory& factory) {
    const std::array founders = {factory.open(), factory.open()};
    const auto version = [&] { return founders[0]->version().value_or(0); };
    const std::uint64_t first = version();
    CHECK_TRUE(founders[0]->version().has_value());
    LONGS_EQUAL(1, next(*founders[0], "join", Ending::kRollBack));
    (void)founders[1]->read([](Transaction&) -> Status { return {}; });
    CHECK_TRUE(first == version());
    (void)next(*founders[0], "join");
    const std::uint64_t second = version();
    CHECK_TRUE(first != second);
    (void)next(*founders[1], "join");
    CHECK_TRUE(version() != second && version() != first);
}

void a_work_sees_its_own_writes(StoreFactory& factory) {
    const auto store = factory.open();
    const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.put(Kind::kJoin, "nj-a", "value").has_value());
        CHECK_TRUE(tx.take(Claim::kName, "alpha", "nj-a").has_value());
        STRCMP_EQUAL("value", tx.get(Kind::kJoin, "nj-a")->value_or("absent").c_str());
        STRCMP_EQUAL("nj-a", tx.holder(Claim::kName, "alpha")->value_or("nobody").c_str());
        LONGS_EQUAL(1, tx.list(Kind::kJoin, {})->size());
        return Ending::kCommit;
    });
    CHECK_TRUE(done.has_value());
}

void many_threads_claim_and_each_value_has_one_holder(StoreFactory& factory) {
    constexpr int kValues = 5;
    const std::array founders = {factory.open(), factory.open()};
    std::atomic<int> won{0};
    std::atomic<int> broken{0};
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            Store& store = *founders.at(static_cast<std::size_t>(t % 2));
            const std::string owner = "nj-" + std::to_string(t);
            for (int v = 0; v < kValues; ++v) {
                int mine = 0;
                const Status done = store.write([&](Transaction& tx) -> Result<Ending> {
                    mine = tx.take(Claim::kAddress, "10.0.0." + std::to_string(v), owner) ? 1 : 0;
                    return mine == 1 ? Ending::kCommit : Ending::kRollBack;
                });
                if (done)
                    won += mine;
                else
                    ++broken;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    LONGS_EQUAL(0, broken.load());
    LONGS_EQUAL(kValues, won.load());
}

void many_threads_of_two_founders_count_without_losing_one(StoreFactory& factory) {
    const auto one = factory.open();
    const auto other = factory.open();
    std::atomic<int> broken{0};
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            const Status done =
                (t % 2 == 0 ? *one : *other).write([&](Transaction& tx) -> Result<Ending> {
                    // Read, then write: lost where two could read the same.
                    const auto seen = tx.get(Kind::kGuard, "only");
                    if (!seen) return tl::make_unexpected(seen.error());
                    const int count = std::atoi(seen->value_or("0").c_str());
                    if (auto ok = tx.put(Kind::kGuard, "only", std::to_string(count + 1)); !ok)
                        return tl::make_unexpected(ok.error());
                    return Ending::kCommit;
                });
            if (!done) ++broken;
        });
    }
    for (std::thread& thread : threads) thread.join();
    LONGS_EQUAL(0, broken.load());
    STRCMP_EQUAL(std::to_string(kThreads).c_str(), get(*one, Kind::kGuard, "only")->c_str());
}

void a_change_read_by_another_founder_is_whole(StoreFactory& factory) {
    const auto writer = factory.open();
    const auto reader = factory.open();
    put(*writer, Kind::kJoin, "a", "0");
    put(*writer, Kind::kJoin, "b", "0");
    std::atomic<bool> stop{false};
    std::atomic<int> torn{0};
    std::thread reading([&] {
        while (!stop) {
            std::string a;
            std::string b;
            const Status done = reader->read([&](Transaction& tx) -> Status {
                a = tx.get(Kind::kJoin, "a")->value_or("");
                b = tx.get(Kind::kJoin, "b")->value_or("");
                return {};
            });
            if (!done || a != b) ++torn;
        }
    });
    for (int i = 1; i <= 20; ++i) {
        const Status done = writer->write([&](Transaction& tx) -> Result<Ending> {
            if (!tx.put(Kind::kJoin, "a", std::to_string(i)) ||
                !tx.put(Kind::kJoin, "b", std::to_string(i)))
                return fail(ErrorCode::kIo, "put");
            return Ending::kCommit;
        });
        if (!done) ++torn;
    }
    stop = true;
    reading.join();
    LONGS_EQUAL(0, torn.load());
}

void an_audit_entry_that_is_there_cannot_be_replaced(StoreFactory& factory) {
    const auto store = factory.open();
    put(*store, Kind::kAudit, "1", "approved");
    for (const char* value : {"rejected", "approved"}) {
        const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
            CHECK_TRUE(tx.put(Kind::kJoin, "nj-a", "beside it").has_value());
            CHECK_FALSE(tx.put(Kind::kAudit, "1", value).has_value());
            return Ending::kCommit; // in vain
        });
        CHECK_FALSE(done.has_value());
    }
    STRCMP_EQUAL("approved", get(*factory.open(), Kind::kAudit, "1")->c_str());
    CHECK_FALSE(get(*store, Kind::kJoin, "nj-a").has_value());
    put(*store, Kind::kAudit, "2", "goes on");
    STRCMP_EQUAL("1 2 ", ids(*store, Kind::kAudit).c_str());
}

void an_audit_entry_cannot_be_erased(StoreFactory& factory) {
    const auto store = factory.open();
    put(*store, Kind::kAudit, "1", "approved");
    put(*store, Kind::kJoin, "1", "another kind");
    const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_FALSE(tx.erase(Kind::kAudit, "1").has_value());
        return Ending::kCommit;
    });
    CHECK_FALSE(done.has_value());
    STRCMP_EQUAL("1 ", ids(*factory.open(), Kind::kAudit).c_str());
    const Status other = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.erase(Kind::kJoin, "1").has_value());
        CHECK_TRUE(tx.erase(Kind::kAudit, "none").has_value()); // absent is no error
        return Ending::kCommit;
    });
    CHECK_TRUE(other.has_value());
}

void an_audit_entry_that_was_rolled_back_was_never_there(StoreFactory& factory) {
    const auto store = factory.open();
    const Status done = store->write([&](Transaction& tx) -> Result<Ending> {
        CHECK_TRUE(tx.put(Kind::kAudit, "1", "approved").has_value());
        return Ending::kRollBack;
    });
    CHECK_TRUE(done.has_value());
    put(*store, Kind::kAudit, "1", "rejected");
    STRCMP_EQUAL("rejected", get(*store, Kind::kAudit, "1")->c_str());
}

} // namespace stratum::founder::contract
