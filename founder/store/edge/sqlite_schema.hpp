// How a founder's store lies in its SQLite file, and how an older one is brought up to date.
//
// Every change of the founder writes pages of this file, and each page costs; so what changes
// together lies together:
// - record: (kind, id) → value, what has no table of its own
// - own:    the same of what belongs to one join (the record, its inventory, node.yaml and bundle),
//           by id first: what an approval makes of a join is on the join's own page
// - audit:  the same of kAudit alone; it can only grow, whoever writes to the file through SQLite
// - hot:    the same of what nearly every change touches: counters (kCounterKind), the audit's
// head,
//           the order of changes with the newest first; so all of it is on the first page
// - claim:  (claim, value) → owner; the primary key is the constraint
//
// Schema 1 had all in record, schema 2 protected the audit there, schema 3 is this one.
#pragma once

#include <sqlite3.h>
#include <string>

#include "common/base/result.hpp"
#include "founder/store/store.hpp"

namespace stratum::founder {

inline constexpr int kSchemaVersion = 3;
inline constexpr int kCounterKind = -1; // its ids are the counters' names, its values numbers

// The table that has a kind.
const char* table_of(Kind kind);

// Statements without answers. kIo, with SQLite's own words.
Status execute(sqlite3* database, const std::string& sql);

// Makes the tables where there are none.
Status make_schema(sqlite3* database);
// kInvalid: no founder's store, or one of a newer build.
Status check_schema(sqlite3* database);
// Where it stands and in one transaction; two founders at once: one does it. A founder of an older
// build that has the file open gets errors from then on, and one that opens it is told to go.
Status bring_up_to_date(sqlite3* database);

} // namespace stratum::founder
