// The SQLite store: the contract of every store, and what is the file's own.

#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "founder/store/edge/sqlite_store.hpp"
#include "tests/fakes/temp_folder.hpp"
#include "tests/founder/store/contract.hpp"

#include <CppUTest/TestHarness.h>

namespace stratum::founder {
namespace {

class SqliteFactory final : public contract::StoreFactory {
public:
    std::unique_ptr<Store> open() override {
        SqliteOptions options;
        options.path = path();
        options.create = true;
        options.busy_ms = 30'000;
        auto store = open_sqlite_store(options);
        if (!store) FAIL(store.error().message.c_str());
        return std::move(*store);
    }
    [[nodiscard]] std::string path() const { return folder_.path("founder.db"); }

private:
    fakes::TempFolder folder_;
};

unsigned mode_of(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? facts.st_mode & 07777u : 0;
}

Result<std::unique_ptr<Store>> open_existing(const std::string& path) {
    SqliteOptions options;
    options.path = path;
    return open_sqlite_store(options);
}

// Commits records one by one, telling each on the pipe, until it is killed; in the middle of a
// transaction most of the time.
[[noreturn]] void write_for_ever(const std::string& path, int pipe_end) {
    SqliteOptions options;
    options.path = path;
    auto store = open_sqlite_store(options);
    if (!store) ::_exit(1);
    for (int i = 0;; ++i) {
        const Status done = (*store)->write([&](Transaction& tx) -> Result<Ending> {
            // Both or none, and the many pages keep the transaction open for a while.
            if (!tx.put(Kind::kJoin, "a", std::to_string(i)) ||
                !tx.put(Kind::kBundle, "big", std::string(1 << 20, 'x')) ||
                !tx.put(Kind::kJoin, "b", std::to_string(i)))
                return fail(ErrorCode::kIo, "put");
            return Ending::kCommit;
        });
        if (!done || ::write(pipe_end, &i, sizeof i) != sizeof i) ::_exit(1);
    }
}

// The last number the child had committed when it was killed after at least `commits`.
int kill_after(const std::string& path, int commits) {
    int ends[2];
    CHECK_EQUAL(0, ::pipe(ends));
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        write_for_ever(path, ends[1]);
    }
    ::close(ends[1]);
    int last = -1;
    for (int i = 0; i < commits; ++i) CHECK_EQUAL(sizeof last, ::read(ends[0], &last, sizeof last));
    ::usleep(1'500u * static_cast<unsigned>(commits)); // somewhere inside the next one
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    int more = 0;
    while (::read(ends[0], &more, sizeof more) == sizeof more) last = more;
    ::close(ends[0]);
    return last;
}

} // namespace

TEST_GROUP(SqliteStore) {
    SqliteFactory factory;
};

#define CONTRACT_TEST(name)                                                                        \
    TEST(SqliteStore, name) {                                                                      \
        contract::name(factory);                                                                   \
    }
STORE_CONTRACT(CONTRACT_TEST)
#undef CONTRACT_TEST

TEST(SqliteStore, its_files_are_for_their_owner_alone) {
    const auto store = factory.open();
    UNSIGNED_LONGS_EQUAL(0600, mode_of(factory.path()));
    UNSIGNED_LONGS_EQUAL(0600, mode_of(factory.path() + "-wal"));
    UNSIGNED_LONGS_EQUAL(0600, mode_of(factory.path() + "-shm"));
}

TEST(SqliteStore, a_missing_file_is_not_made_by_opening) {
    const auto store = open_existing(factory.path());
    CHECK_FALSE(store.has_value());
    CHECK_TRUE(store.error().code == ErrorCode::kNotFound);
}

TEST(SqliteStore, a_file_that_is_no_database_is_refused) {
    std::ofstream(factory.path()) << "this is a shopping list, long enough to be looked at ......."
                                  << std::string(4096, 'x');
    const auto store = open_existing(factory.path());
    CHECK_FALSE(store.has_value());
    CHECK_TRUE(store.error().code == ErrorCode::kInvalid);
}

TEST(SqliteStore, an_empty_file_is_no_store) {
    std::ofstream file(factory.path());
    file.close();
    const auto store = open_existing(factory.path());
    CHECK_FALSE(store.has_value());
    CHECK_TRUE(store.error().code == ErrorCode::kInvalid);
}

TEST(SqliteStore, a_store_kept_busy_says_so_after_the_limit) {
    const auto holder = factory.open();
    SqliteOptions options;
    options.path = factory.path();
    options.busy_ms = 20;
    auto other = open_sqlite_store(options);
    CHECK_TRUE(other.has_value());
    const Status outer = holder->write([&](Transaction&) -> Result<Ending> {
        const Status inner =
            (*other)->write([](Transaction&) -> Result<Ending> { return Ending::kCommit; });
        CHECK_FALSE(inner.has_value());
        CHECK_TRUE(inner.error().code == ErrorCode::kUnavailable);
        return Ending::kCommit;
    });
    CHECK_TRUE(outer.has_value());
}

TEST(SqliteStore, a_founder_killed_in_a_transaction_loses_nothing_it_committed) {
    factory.open();
    for (const int commits : {1, 2, 3, 5}) {
        const int committed = kill_after(factory.path(), commits);
        const auto store = open_existing(factory.path());
        CHECK_TRUE(store.has_value());
        std::string a;
        std::string b;
        CHECK_TRUE((*store)
                       ->read([&](Transaction& tx) -> Status {
                           a = tx.get(Kind::kJoin, "a")->value_or("");
                           b = tx.get(Kind::kJoin, "b")->value_or("");
                           return {};
                       })
                       .has_value());
        STRCMP_EQUAL(a.c_str(), b.c_str()); // whole
        // What it told was on disk; the one it had not told yet may be there too.
        CHECK_TRUE(std::atoi(a.c_str()) >= committed);
        CHECK_TRUE(std::atoi(a.c_str()) <= committed + 1);
    }
}

// Another program that has the file open: what it is told, or "done".
std::string by_another_program(const std::string& path, const std::string& sql) {
    const std::string command = "python3 -c 'import sqlite3, sys\n"
                                "db = sqlite3.connect(sys.argv[1])\n"
                                "try:\n db.executescript(sys.argv[2])\n db.commit()\n"
                                "except sqlite3.Error as e: print(e, end=\"\")\n"
                                "else: print(\"done\", end=\"\")' " +
                                path + " \"" + sql + "\"";
    std::string said;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return "no shell";
    std::array<char, 256> piece{};
    while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) said += piece.data();
    ::pclose(pipe);
    return said;
}

TEST(SqliteStore, the_file_itself_refuses_a_change_of_the_audit) {
    const auto store = factory.open();
    CHECK_TRUE(store
                   ->write([](Transaction& tx) -> Result<Ending> {
                       if (!tx.put(Kind::kAudit, "1", "approved")) return Ending::kRollBack;
                       return Ending::kCommit;
                   })
                   .has_value());
    for (const char* sql :
         {"UPDATE audit SET value = 0", "DELETE FROM audit",
          "INSERT OR REPLACE INTO audit VALUES (12, 1, 0)", "UPDATE OR REPLACE audit SET id = 2"})
        STRCMP_EQUAL("the audit is append only", by_another_program(factory.path(), sql).c_str());
    STRCMP_EQUAL("done", by_another_program(factory.path(), "DELETE FROM record").c_str());
}

// A store as builds before schema 3 made it, with something of everything in it.
constexpr const char* kOlderStore =
    "PRAGMA journal_mode = WAL;"
    "CREATE TABLE record (kind INTEGER NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY (kind, id)) WITHOUT ROWID;"
    "CREATE TABLE claim (claim INTEGER NOT NULL, value TEXT NOT NULL, owner TEXT NOT NULL,"
    " PRIMARY KEY (claim, value)) WITHOUT ROWID;"
    "CREATE INDEX claim_owner ON claim (claim, owner);"
    "CREATE TABLE counter (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
    "INSERT INTO record VALUES (3, 'nj-a', CAST('a join' AS BLOB)), (5, 'nj-a', X'00'),"
    " (6, 'nj-a', CAST('hardware' AS BLOB)), (7, 'nj-a', CAST('yaml' AS BLOB)),"
    " (8, 'nj-a', X'001f'),"
    " (12, '1', CAST('made' AS BLOB)), (12, '2', CAST('approved' AS BLOB)),"
    " (14, 'only', CAST('the head' AS BLOB)), (16, '1', CAST('nj-b' AS BLOB)),"
    " (16, '2', CAST('nj-a' AS BLOB)), (17, 'full', CAST('bucket' AS BLOB));"
    "INSERT INTO claim VALUES (0, 'storage-1', 'nj-a'), (1, 'n-1', 'nj-a');"
    "INSERT INTO counter VALUES ('audit', 2), ('change', 7);"
    "PRAGMA application_id = 1398034002;";
constexpr const char* kOlderTriggers =
    "CREATE TRIGGER audit_not_replaced BEFORE INSERT ON record WHEN new.kind = 12 AND"
    " EXISTS (SELECT 1 FROM record WHERE kind = 12 AND id = new.id)"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "CREATE TRIGGER audit_not_changed BEFORE UPDATE ON record WHEN old.kind = 12 OR new.kind = 12"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "CREATE TRIGGER audit_not_erased BEFORE DELETE ON record WHEN old.kind = 12"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;";

void make_older(const std::string& path, int schema) {
    std::string sql = kOlderStore;
    if (schema == 2) sql += kOlderTriggers;
    sql += "PRAGMA user_version = " + std::to_string(schema);
    STRCMP_EQUAL("done", by_another_program(path, sql).c_str());
}

std::string all_of(Transaction& tx, Kind kind, bool descending = false) {
    std::string all;
    ListOptions options;
    options.descending = descending;
    const auto entries = tx.list(kind, options);
    for (const Entry& entry : *entries) all += entry.id + "=" + entry.value + " ";
    return all;
}

void check_older_is_whole(Store& store) {
    CHECK_TRUE(store
                   .write([](Transaction& tx) -> Result<Ending> {
                       STRCMP_EQUAL("nj-a=a join ", all_of(tx, Kind::kJoin).c_str());
                       STRCMP_EQUAL("nj-a=hardware ", all_of(tx, Kind::kInventory).c_str());
                       STRCMP_EQUAL("nj-a=yaml ", all_of(tx, Kind::kNodeYaml).c_str());
                       LONGS_EQUAL(2, tx.get(Kind::kBundle, "nj-a")->value_or("").size());
                       LONGS_EQUAL(1, tx.get(Kind::kLiveJoin, "nj-a")->value_or("").size());
                       STRCMP_EQUAL("1=made 2=approved ", all_of(tx, Kind::kAudit).c_str());
                       STRCMP_EQUAL("only=the head ", all_of(tx, Kind::kAuditHead).c_str());
                       STRCMP_EQUAL("1=nj-b 2=nj-a ", all_of(tx, Kind::kJoinChange).c_str());
                       STRCMP_EQUAL("2=nj-a 1=nj-b ", all_of(tx, Kind::kJoinChange, true).c_str());
                       STRCMP_EQUAL("full=bucket ", all_of(tx, Kind::kBucket).c_str());
                       STRCMP_EQUAL("nj-a", tx.holder(Claim::kNodeId, "n-1")->value_or("").c_str());
                       CHECK_FALSE(tx.take(Claim::kName, "storage-1", "nj-b").has_value());
                       LONGS_EQUAL(3, *tx.next("audit"));
                       LONGS_EQUAL(8, *tx.next("change"));
                       LONGS_EQUAL(1, *tx.next("queue"));
                       return Ending::kRollBack;
                   })
                   .has_value());
}

TEST(SqliteStore, a_store_of_an_older_schema_is_brought_up_to_date) {
    for (const int schema : {1, 2}) {
        SqliteFactory older;
        make_older(older.path(), schema);
        for (const char* look : {"at first", "once more"}) {
            const auto store = open_existing(older.path());
            CHECK_TEXT(store.has_value(), look);
            check_older_is_whole(**store);
        }
        STRCMP_EQUAL("the audit is append only",
                     by_another_program(older.path(), "DELETE FROM audit").c_str());
        STRCMP_EQUAL("the audit is append only",
                     by_another_program(older.path(), "INSERT OR REPLACE INTO audit"
                                                      " VALUES (12, '1', 'other')")
                         .c_str());
    }
}

TEST(SqliteStore, an_older_store_that_cannot_be_brought_up_to_date_stays_as_it_was) {
    make_older(factory.path(), 2);
    // The last step will not find it.
    STRCMP_EQUAL("done", by_another_program(factory.path(), "DROP INDEX claim_owner").c_str());
    const auto store = open_existing(factory.path());
    CHECK_FALSE(store.has_value());
    CHECK_TRUE(store.error().code == ErrorCode::kIo);
    STRCMP_EQUAL(
        "the audit is append only",
        by_another_program(factory.path(), "UPDATE record SET value = 0 WHERE kind = 12").c_str());
    STRCMP_EQUAL("done", by_another_program(factory.path(), "INSERT INTO counter VALUES ('x', 1);"
                                                            "CREATE INDEX claim_owner ON claim"
                                                            " (claim, owner)")
                             .c_str());
    const auto repaired = open_existing(factory.path());
    CHECK_TRUE(repaired.has_value());
    check_older_is_whole(**repaired);
}

TEST(SqliteStore, two_founders_that_open_an_older_store_at_once_find_it_whole) {
    for (int run = 0; run < 5; ++run) {
        SqliteFactory older;
        make_older(older.path(), 2);
        std::array<bool, 4> opened{};
        std::vector<std::thread> founders;
        founders.reserve(opened.size());
        for (bool& one : opened)
            founders.emplace_back([&] { one = open_existing(older.path()).has_value(); });
        for (std::thread& founder : founders) founder.join();
        for (const bool one : opened) CHECK_TRUE(one);
        check_older_is_whole(**open_existing(older.path()));
    }
}

TEST(SqliteStore, a_store_of_a_newer_schema_is_left_alone) {
    factory.open();
    STRCMP_EQUAL("done", by_another_program(factory.path(), "PRAGMA user_version = 4").c_str());
    const auto store = open_existing(factory.path());
    CHECK_FALSE(store.has_value());
    CHECK_TRUE(store.error().code == ErrorCode::kInvalid);
}

} // namespace stratum::founder
