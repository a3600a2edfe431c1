#include "founder/store/edge/sqlite_store.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "founder/store/edge/sqlite_schema.hpp"

namespace stratum::founder {
namespace {

enum class Sql {
    kBeginRead,
    kBeginWrite,
    kCommit,
    kRollBack,
    kHolder,
    kHeld,
    kTake,
    kGiveBack,
    kCounted,
    kCount,
    kDataVersion,
    kEnd,
};

constexpr std::array<const char*, static_cast<std::size_t>(Sql::kEnd)> kSql = {
    "BEGIN DEFERRED", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK",
    "SELECT owner FROM claim WHERE claim = ?1 AND value = ?2",
    "SELECT value, owner FROM claim WHERE claim = ?1 ORDER BY value",
    // The primary key is the constraint: whoever comes second changes nothing.
    "INSERT INTO claim (claim, value, owner) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    "DELETE FROM claim WHERE claim = ?1 AND owner = ?2",
    "SELECT value FROM hot WHERE kind = ?1 AND id = ?2",
    "INSERT OR REPLACE INTO hot (kind, id, value) VALUES (?1, ?2, ?3)",
    "PRAGMA data_version", // another number after a commit of any other connection
};

// What is asked of each table of records.
enum class Ask { kGet, kListUp, kListDown, kPut, kErase, kEnd };
constexpr std::array<const char*, static_cast<std::size_t>(Ask::kEnd)> kAsks = {
    "SELECT value FROM % WHERE kind = ?1 AND id = ?2",
    "SELECT id, value FROM % WHERE kind = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT ?4",
    "SELECT id, value FROM % WHERE kind = ?1 AND id >= ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4",
    "INSERT OR REPLACE INTO % (kind, id, value) VALUES (?1, ?2, ?3)",
    "DELETE FROM % WHERE kind = ?1 AND id = ?2",
};

using Asks = std::array<sqlite3_stmt*, kAsks.size()>;

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
        for (const auto& [table, asks] : tables_)
            for (sqlite3_stmt* statement : asks) sqlite3_finalize(statement);
        sqlite3_close(database_);
    }
    SqliteStore(const SqliteStore&) = delete;
    SqliteStore& operator=(const SqliteStore&) = delete;

    Status prepare() {
        for (std::size_t i = 0; i < kSql.size(); ++i)
            if (auto done = prepare_one(kSql.at(i), statements_.at(i)); !done) return done;
        for (const Kind kind : {Kind::kMember, Kind::kJoin, Kind::kAudit, Kind::kAuditHead}) {
            const std::string table = table_of(kind);
            Asks& asks = tables_[table];
            for (std::size_t i = 0; i < kAsks.size(); ++i) {
                std::string sql = kAsks.at(i);
                sql.replace(sql.find('%'), 1, table);
                if (auto done = prepare_one(sql, asks.at(i)); !done) return done;
            }
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
        Use use(ask(kind, Ask::kGet));
        use.number(1, static_cast<int>(kind)).text(2, id);
        return one_text(use, "reading a record");
    }

    Result<std::vector<Entry>> list(Kind kind, const ListOptions& options) override {
        Use use(ask(kind, options.descending ? Ask::kListDown : Ask::kListUp));
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
        return entries_of(use, "listing records");
    }

    Status put(Kind kind, const std::string& id, const std::string& value) override {
        if (auto allowed = writable(); !allowed) return allowed;
        Use use(ask(kind, Ask::kPut));
        use.number(1, static_cast<int>(kind)).text(2, id).blob(3, value);
        if (use.step() != SQLITE_DONE) return broken("writing a record");
        return {};
    }

    Status erase(Kind kind, const std::string& id) override {
        if (auto allowed = writable(); !allowed) return allowed;
        Use use(ask(kind, Ask::kErase));
        use.number(1, static_cast<int>(kind)).text(2, id);
        if (use.step() != SQLITE_DONE) return broken("removing a record");
        return {};
    }

    Result<std::optional<std::string>> holder(Claim claim, const std::string& value) override {
        Use use(at(Sql::kHolder));
        use.number(1, static_cast<int>(claim)).text(2, value);
        return one_text(use, "reading a claim");
    }

    Result<std::vector<Entry>> held(Claim claim) override {
        Use use(at(Sql::kHeld));
        use.number(1, static_cast<int>(claim));
        return entries_of(use, "listing claims");
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
        std::int64_t value = 1;
        {
            Use use(at(Sql::kCounted));
            const int code = use.number(1, kCounterKind).text(2, counter).step();
            if (code == SQLITE_ROW) value = use.column_number(0) + 1;
            if (code != SQLITE_ROW && code != SQLITE_DONE) return broken("counting");
        }
        Use use(at(Sql::kCount));
        use.number(1, kCounterKind).text(2, counter).number(3, value);
        if (use.step() != SQLITE_DONE) return broken("counting");
        return value;
    }

    Result<std::vector<Entry>> entries_of(Use& use, const char* doing) {
        std::vector<Entry> entries;
        for (;;) {
            const int code = use.step();
            if (code == SQLITE_DONE) return entries;
            if (code != SQLITE_ROW) return broken(doing);
            entries.push_back({use.column(0), use.column(1)});
        }
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

    Status prepare_one(const std::string& sql, sqlite3_stmt*& statement) {
        const int code = sqlite3_prepare_v3(database_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                                            &statement, nullptr);
        if (code != SQLITE_OK) return broken("preparing a statement");
        return {};
    }

    sqlite3_stmt* at(Sql sql) { return statements_.at(static_cast<std::size_t>(sql)); }
    sqlite3_stmt* ask(Kind kind, Ask what) {
        return tables_.find(table_of(kind))->second.at(static_cast<std::size_t>(what));
    }

    std::mutex mutex_;
    sqlite3* database_;
    std::array<sqlite3_stmt*, kSql.size()> statements_{};
    std::map<std::string, Asks, std::less<>> tables_;
    bool may_write_ = false;
    std::uint64_t commits_ = 0; // of this connection
    std::string failure_;       // of this transaction; it cannot be committed any more
};

struct Closer {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
};
using Handle = std::unique_ptr<sqlite3, Closer>;

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
                                " PRAGMA trusted_schema = OFF; PRAGMA cache_size = -8192;";
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
