#include "founder/store/edge/sqlite_schema.hpp"

namespace stratum::founder {
namespace {

// Marks the file as ours (the header field SQLite keeps for that), so that another program's
// database is never taken for a founder's.
constexpr const char* kApplicationId = "1398034002";
constexpr int kApplicationIdValue = 1398034002;

constexpr const char* kTables =
    "CREATE TABLE record (kind INTEGER NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY (kind, id)) WITHOUT ROWID;"
    "CREATE TABLE claim (claim INTEGER NOT NULL, value TEXT NOT NULL, owner TEXT NOT NULL,"
    " PRIMARY KEY (claim, value)) WITHOUT ROWID;";

// The trigger before an insert also stands in the way of INSERT OR REPLACE, which deletes in
// silence.
constexpr const char* kPartsOfRecord =
    "CREATE TABLE own (kind INTEGER NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY (id, kind)) WITHOUT ROWID;"
    "CREATE TABLE audit (kind INTEGER NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY (kind, id)) WITHOUT ROWID;"
    "CREATE TABLE hot (kind INTEGER NOT NULL, id TEXT NOT NULL, value BLOB NOT NULL,"
    " PRIMARY KEY (kind, id DESC)) WITHOUT ROWID;";
constexpr const char* kAuditTriggers =
    "CREATE TRIGGER audit_not_replaced BEFORE INSERT ON audit WHEN"
    " EXISTS (SELECT 1 FROM audit WHERE kind = new.kind AND id = new.id)"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "CREATE TRIGGER audit_not_changed BEFORE UPDATE ON audit"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "CREATE TRIGGER audit_not_erased BEFORE DELETE ON audit"
    " BEGIN SELECT RAISE(ABORT, 'the audit is append only'); END;"
    "PRAGMA user_version = 3;";

// Their numbers stand in the statements that move them.
static_assert(static_cast<int>(Kind::kJoin) == 3);
static_assert(static_cast<int>(Kind::kInventory) == 6);
static_assert(static_cast<int>(Kind::kNodeYaml) == 7);
static_assert(static_cast<int>(Kind::kBundle) == 8);
static_assert(static_cast<int>(Kind::kAudit) == 12);
static_assert(static_cast<int>(Kind::kAuditHead) == 14);
static_assert(static_cast<int>(Kind::kJoinChange) == 16);
static_assert(kCounterKind == -1);
constexpr const char* kFromOlder =
    "DROP TRIGGER IF EXISTS audit_not_replaced;"
    "DROP TRIGGER IF EXISTS audit_not_changed;"
    "DROP TRIGGER IF EXISTS audit_not_erased;"
    "INSERT INTO own (kind, id, value) SELECT kind, id, value FROM record"
    " WHERE kind IN (3, 6, 7, 8);"
    "INSERT INTO audit (kind, id, value) SELECT kind, id, value FROM record WHERE kind = 12;"
    "INSERT INTO hot (kind, id, value) SELECT kind, id, value FROM record WHERE kind IN (14, 16);"
    "INSERT INTO hot (kind, id, value) SELECT -1, name, value FROM counter;"
    "DELETE FROM record WHERE kind IN (3, 6, 7, 8, 12, 14, 16);"
    "DROP TABLE counter;"
    "DROP INDEX claim_owner;";

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

Status execute_all(sqlite3* database, std::initializer_list<const char*> statements) {
    for (const char* sql : statements)
        if (auto done = execute(database, sql); !done) return done;
    return {};
}

// All of it or nothing.
Status commit_if(sqlite3* database, const Status& done) {
    if (done) return execute(database, "COMMIT");
    (void)execute(database, "ROLLBACK");
    return done;
}

} // namespace

const char* table_of(Kind kind) {
    switch (kind) {
    case Kind::kJoin:
    case Kind::kInventory:
    case Kind::kNodeYaml:
    case Kind::kBundle:
        return "own";
    case Kind::kAudit:
        return "audit";
    case Kind::kAuditHead:
    case Kind::kJoinChange:
        return "hot";
    default:
        return "record";
    }
}

Status execute(sqlite3* database, const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK) return {};
    std::string why = message != nullptr ? message : sqlite3_errmsg(database);
    sqlite3_free(message);
    return fail(ErrorCode::kIo, "the founder's store: " + why);
}

Status make_schema(sqlite3* database) {
    // Two founders that open a new file at once: the second finds the first's tables.
    if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun) return begun;
    const auto version = pragma_number(database, "PRAGMA user_version");
    Status done;
    if (version && *version == 0) {
        const std::string mark = std::string("PRAGMA application_id = ") + kApplicationId;
        done = execute_all(database, {kTables, kPartsOfRecord, kAuditTriggers, mark.c_str()});
    }
    return commit_if(database, done);
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

Status bring_up_to_date(sqlite3* database) {
    auto version = pragma_number(database, "PRAGMA user_version");
    if (!version) return tl::make_unexpected(version.error());
    if (*version >= kSchemaVersion) return {};
    if (auto begun = execute(database, "BEGIN IMMEDIATE"); !begun) return begun;
    version = pragma_number(database, "PRAGMA user_version");
    Status done;
    if (version && *version < kSchemaVersion)
        done = execute_all(database, {kPartsOfRecord, kFromOlder, kAuditTriggers});
    return commit_if(database, done);
}

} // namespace stratum::founder
