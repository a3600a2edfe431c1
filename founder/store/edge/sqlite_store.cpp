#include "founder/store/edge/sqlite_store.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <mutex>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stratum::founder {
namespace {

constexpr int kSchemaVersion = 2;

// Marks the file as ours (the header field SQLite keeps for that), so that another program's
// database is never taken for a founder's.
constexpr const char* kApplicationId = "1398034002";
constexpr int kApplicationIdValue = 1398034002;

constexpr const char* kSchema =
    "CREATE TABLE record (kind INTEGER NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY (kind, id)) WITHOUT ROWID;"
    "CREATE TABLE claim (claim INTEGER NOT NULL, value TEXT NOT NULL, owner TEXT NOT NULL,"
    " PRIMARY KEY (claim, value)) WITHOUT ROWID;"
    "CREATE INDEX claim_owner ON claim (claim, owner);"
    "CREATE TABLE counter (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;";

// Schema 2: the audit (kind 12) can only grow, whoever writes to the file through SQLite. The
// trigger before an insert also stands in the way of INSERT OR REPLACE, which deletes in silence.
static_assert(static_cast<int>(Kind::kAudit) == 12);
constexpr const char* kAuditTriggers =
    "CREATE TRIGGER audit_not_replaced BEFORE INSERT ON record WHEN new.kind = 12 AND"
    " EXISTS (SELECT 1 FROM record WHERE kind = 12 AND id = new.id)"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "CREATE TRIGGER audit_not_changed BEFORE UPDATE ON record WHEN old.kind = 12 OR new.kind = 12"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "CREATE TRIGGER audit_not_erased BEFORE DELETE ON record WHEN old.kind = 12"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "PRAGMA user_version = 2;";

enum class Sql {
    kBeginRead,
    kBeginWrite,
    kCommit,
    kRollBack,
    kGet,
    kListUp,
    kListDown,
    kPut,
    kErase,
    kHolder,
    kTake,
    kGiveBack,
    kNext,
    kDataVersion,
    kCount,
};

constexpr std::array<const char*, static_cast<std::size_t>(Sql::kCount)> kSql = {
    "BEGIN DEFERRED", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK",
    "SELECT value FROM record WHERE kind = ?1 AND id = ?2",
    "SELECT id, value FROM record WHERE kind = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT ?4",
    "SELECT id, value FROM record WHERE kind = ?1 AND id >= ?2 AND id < ?3"
    " ORDER BY id DESC LIMIT ?4",
    "INSERT INTO record (kind, id, value) VALUES (?1, ?2, ?3)"
    " ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value",
    "DELETE FROM record WHERE kind = ?1 AND id = ?2",
    "SELECT owner FROM claim WHERE claim = ?1 AND value = ?2",
    // The primary key is the constraint: whoever comes second changes nothing.
    "INSERT INTO claim (claim, value, owner) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    "DELETE FROM claim WHERE claim = ?1 AND owner = ?2",
    "INSERT INTO counter (name, value) VALUES (?1, 1)"
    " ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value",
    "PRAGMA data_version", // another number after a commit of any other connection
};

// One use of a prepared statement: bound, stepped, and reset again however it ends.
class Use {
public:
    explicit Use(sqlite3_stmt* statement) : statement_(statement) {}
    ~Use() {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    Use& number(int at, std::int64_t value) {
        sqlite3_bind_int64(statement_, at, value);
        return *this;
    }
    // The text must live until the use is over.
    Use& text(int at, const std::string& value) {
        sqlite3_bind_text64(statement_, at, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
        return *this;
    }
    Use& blob(int at, const std::string& value) {
        sqlite3_bind_blob64(statement_, at, value.data(), value.size(), SQLITE_STATIC);
        return *this;
    }
    int step() { return sqlite3_step(statement_); }
    [[nodiscard]] std::string column(int at) const {
        const void* data = sqlite3_column_blob(statement_, at);
        const int size = sqlite3_column_bytes(statement_, at);
        if (data == nullptr) return {};
        return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
    }
    [[nodiscard]] std::int64_t column_number(int at) const {
        return sqlite3_column_int64(statement_, at);
    }

private:
    sqlite3_stmt* statement_;
};

class SqliteStore final : public Store, private Transaction {
public:
    explicit SqliteStore(sqlite3* database) : database_(database) {}
    ~SqliteStore() override {
        for (sqlite3_stmt* statement : statements_) sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;

    Status prepare() {
        for (std::size_t i = 0; i < kSql.size(); ++i) {
            const int code = sqlite3_prepare_v3(
                database_, kSql.at(i), -1, SQLITE_PREPARE_PERSISTENT, &statements_.at(i), nullptr);
            if (code != SQLITE_OK) return broken("preparing a statement");
        }
        return {};
    }

    Status write(const Work& work) override {
        const std::lock_guard lock(mutex_);
        if (auto begun = begin(Sql::kBeginWrite); !begun) return begun;
        may_write_ = true;
        auto ending = run(work);
        may_write_ = false;
        if (!ending || !failure_.empty() || *ending == Ending::kRollBack) {
            roll_back();
            if (!ending) return tl::make_unexpected(ending.error());
            if (!failure_.empty()) return fail(ErrorCode::kIo, failure_);
            return {};
        }
        if (Use(at(Sql::kCommit)).step() == SQLITE_DONE) {
            ++commits_;
            return {};
        }
        auto failed = broken("committing");
        roll_back();
        return failed;
    }

    Status read(const std::function<Status(Transaction&)>& work) override {
        const std::lock_guard lock(mutex_);
        if (auto begun = begin(Sql::kBeginRead); !begun) return begun;
        auto ending = run([&](Transaction& tx) -> Result<Ending> {
            if (auto done = work(tx); !done) return tl::make_unexpected(done.error());
            return Ending::kRollBack;
        });
        roll_back();
        if (!ending) return tl::make_unexpected(ending.error());
        if (!failure_.empty()) return fail(ErrorCode::kIo, failure_);
        return {};
    }

    std::optional<std::uint64_t> version() override {
        const std::lock_guard lock(mutex_);
        Use use(at(Sql::kDataVersion));
        if (use.step() != SQLITE_ROW) return std::nullopt;
        return (commits_ << 32) + static_cast<std::uint32_t>(use.column_number(0));
    }

private:
    Result<std::optional<std::string>> get(Kind kind, const std::string& id) override {
        Use use(at(Sql::kGet));
        use.number(1, static_cast<int>(kind)).text(2, id);
        return one_text(use, "reading a record");
    }

    Result<std::vector<Entry>> list(Kind kind, const ListOptions& options) override {
        Use use(at(options.descending ? Sql::kListDown : Sql::kListUp));
        const auto most = options.limit > static_cast<std::size_t>(INT64_MAX)
                              ? std::int64_t{-1}
                              : static_cast<std::int64_t>(options.limit);
        // Ids are printable ASCII: 0x01 is below and 0x7f above whatever may follow.
        std::string low = options.prefix;
        std::string high = options.prefix + '\x7f';
        if (!options.after.empty() && !options.descending)
            low = std::max(low, options.after + '\x01');
        if (!options.after.empty() && options.descending) high = std::min(high, options.after);
        use.number(1, static_cast<int>(kind)).text(2, low).text(3, high).number(4, most);
        std::vector<Entry> entries;
        for (;;) {
            const int code = use.step();
            if (code == SQLITE_DONE) return entries;
            if (code != SQLITE_ROW) return broken("listing records");
            entries.push_back({use.column(0), use.column(1)});
        }
    }

    Status put(Kind kind, const std::string& id, const std::string& value) override {
        if (auto allowed = writable(); !allowed) return allowed;
        Use use(at(Sql::kPut));
        use.number(1, static_cast<int>(kind)).text(2, id).blob(3, value);
        if (use.step() != SQLITE_DONE) return broken("writing a record");
        return {};
    }

    Status erase(Kind kind, const std::string& id) override {
        if (auto allowed = writable(); !allowed) return allowed;
        Use use(at(Sql::kErase));
        use.number(1, static_cast<int>(kind)).text(2, id);
        if (use.step() != SQLITE_DONE) return broken("removing a record");
        return {};
    }

    Result<std::optional<std::string>> holder(Claim claim, const std::string& value) override {
        Use use(at(Sql::kHolder));
        use.number(1, static_cast<int>(claim)).text(2, value);
        return one_text(use, "reading a claim");
    }

    Status take(Claim claim, const std::string& value, const std::string& owner) override {
        if (auto allowed = writable(); !allowed) return allowed;
        {
            Use use(at(Sql::kTake));
            use.number(1, static_cast<int>(claim)).text(2, value).text(3, owner);
            if (use.step() != SQLITE_DONE) return broken("taking a claim");
            if (sqlite3_changes(database_) == 1) return {};
        }
        auto held = holder(claim, value);
        if (!held) return tl::make_unexpected(held.error());
        if (*held && **held == owner) return {};
        return fail(ErrorCode::kConflict, held->value_or(""));
    }

    Status give_back(Claim claim, const std::string& owner) override {
        if (auto allowed = writable(); !allowed) return allowed;
        Use use(at(Sql::kGiveBack));
        use.number(1, static_cast<int>(claim)).text(2, owner);
        if (use.step() != SQLITE_DONE) return broken("giving back claims");
        return {};
    }

    Result<std::int64_t> next(const std::string& counter) override {
        if (auto allowed = writable(); !allowed) return tl::make_unexpected(allowed.error());
        Use use(at(Sql::kNext));
        use.text(1, counter);
        if (use.step() != SQLITE_ROW) return broken("counting");
        const std::int64_t value = use.column_number(0);
        if (use.step() != SQLITE_DONE) return broken("counting");
        return value;
    }

    Result<std::optional<std::string>> one_text(Use& use, const char* doing) {
        const int code = use.step();
        if (code == SQLITE_DONE) return std::optional<std::string>();
        if (code != SQLITE_ROW) return broken(doing);
        return std::optional<std::string>(use.column(0));
    }

    Status writable() {
        if (may_write_) return {};
        return fail(ErrorCode::kInternal, "the store was only asked to be read");
    }

    Status begin(Sql kind) {
        failure_.clear();
        const int code = Use(at(kind)).step();
        if (code == SQLITE_DONE) return {};
        if (code == SQLITE_BUSY)
            return fail(ErrorCode::kUnavailable,
                        "the founder's store is kept busy by another founder; try again");
        return broken("beginning");
    }

    // What the work lets out must not leave a transaction open behind it.
    Result<Ending> run(const Work& work) {
        try {
            return work(*this);
        } catch (...) {
            may_write_ = false;
            roll_back();
            throw;
        }
    }

    void roll_back() {
        if (sqlite3_get_autocommit(database_) == 0) Use(at(Sql::kRollBack)).step();
    }

    tl::unexpected<Error> broken(const char* doing) {
        failure_ = std::string("the founder's store: ") + doing + ": " + sqlite3_errmsg(database_);
        return fail(ErrorCode::kIo, failure_);
    }

    sqlite3_stmt* at(Sql sql) { return statements_.at(static_cast<std::size_t>(sql)); }

    std::mutex mutex_;
    sqlite3* database_;
    std::array<sqlite3_stmt*, kSql.size()> statements_{};
    bool may_write_ = false;
    std::uint64_t commits_ = 0; // of this connection
    std::string failure_;       // of this transaction; it cannot be committed any more
};

struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Handle = std::unique_ptr<sqlite3, Closer>;

Status execute(sqlite3* database, const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK) return {};
    std::string why = message != nullptr ? message : sqlite3_errmsg(database);
    sqlite3_free(message);
    return fail(ErrorCode::kIo, "the founder's store: " + why);
}

Result<int> pragma_number(sqlite3* database, const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK)
        return fail(ErrorCode::kInvalid,
                    std::string("no founder's store: ") + sqlite3_errmsg(database));
    const int code = sqlite3_step(statement);
    const int value = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    sqlite3_finalize(statement);
    if (code != SQLITE_ROW)
        return fail(ErrorCode::kInvalid,
                    std::string("no founder's store: ") + sqlite3_errmsg(database));
    return value;
}

// SQLite makes its files with the umask's mode and gives -wal and -shm the mode of the file itself:
// so the file is made here, with the mode it must have.
Status make_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return fail(ErrorCode::kIo, "the founder's store cannot be made at " + path);
    const bool narrowed = ::fchmod(file, 0600) == 0;
    ::close(file);
    if (!narrowed) return fail(ErrorCode::kIo, "the mode of " + path + " cannot be set to 0600");
    return {};
}

Status make_schema(sqlite3* database) {
    // Two founders that open a new file at once: the second finds the first's tables.
    if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun) return begun;
    const auto version = pragma_number(database, "PRAGMA user_version");
    if (version && *version == 0) {
        if (auto made = execute(database, kSchema); !made) return made;
        if (auto made = execute(database, kAuditTriggers); !made) return made;
        const std::string mark = std::string("PRAGMA application_id = ") + kApplicationId;
        if (auto marked = execute(database, mark); !marked) return marked;
    }
    return execute(database, "COMMIT");
}

Status check_schema(sqlite3* database) {
    const auto application = pragma_number(database, "PRAGMA application_id");
    if (!application) return tl::make_unexpected(application.error());
    const auto version = pragma_number(database, "PRAGMA user_version");
    if (!version) return tl::make_unexpected(version.error());
    if (*application != kApplicationIdValue || *version < 1)
        return fail(ErrorCode::kInvalid, "this file is no founder's store");
    if (*version > kSchemaVersion)
        return fail(ErrorCode::kInvalid, "the founder's store has schema " +
                                             std::to_string(*version) + ", this build knows " +
                                             std::to_string(kSchemaVersion) +
                                             ": start the newer build that wrote it");
    return {};
}

// A store of schema 1 becomes one of schema 2 where it stands; two founders at once: one does it.
Status bring_up_to_date(sqlite3* database) {
    auto version = pragma_number(database, "PRAGMA user_version");
    if (!version) return tl::make_unexpected(version.error());
    if (*version >= kSchemaVersion) return {};
    if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun) return begun;
    version = pragma_number(database, "PRAGMA user_version");
    if (version && *version < kSchemaVersion) {
        if (auto made = execute(database, kAuditTriggers); !made) return made;
    }
    return execute(database, "COMMIT");
}

} // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const SqliteOptions& options) {
    if (options.create) {
        if (auto made = make_file(options.path); !made) return tl::make_unexpected(made.error());
    } else if (::access(options.path.c_str(), F_OK) != 0) {
        return fail(ErrorCode::kNotFound, "there is no founder's store at " + options.path);
    }
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(options.path.c_str(), &raw,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    Handle database(raw);
    if (code != SQLITE_OK)
        return fail(ErrorCode::kIo, "the founder's store " + options.path +
                                        " cannot be opened: " + sqlite3_errmsg(raw));
    sqlite3_busy_timeout(raw, static_cast<int>(options.busy_ms));
    if (!options.create) {
        if (auto ours = check_schema(raw); !ours) return tl::make_unexpected(ours.error());
    }
    // WAL is kept in the file's header: after init setting it again costs nothing and locks
    // nothing.
    const std::string pragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                                " PRAGMA trusted_schema = OFF;";
    if (auto set = execute(raw, pragmas); !set) return tl::make_unexpected(set.error());
    if (options.create) {
        if (auto made = make_schema(raw); !made) return tl::make_unexpected(made.error());
        if (auto ours = check_schema(raw); !ours) return tl::make_unexpected(ours.error());
    }
    if (auto current = bring_up_to_date(raw); !current) return tl::make_unexpected(current.error());
    auto store = std::make_unique<SqliteStore>(database.release());
    if (auto prepared = store->prepare(); !prepared) return tl::make_unexpected(prepared.error());
    return std::unique_ptr<Store>(std::move(store));
}

} // namespace stratum::founder
