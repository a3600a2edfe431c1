// Where the founder keeps what must not be lost, as one interface: records by kind and id, claims
// that at most one owner can hold, and counters, all inside transactions. What a record means is
// not known here (records.hpp has the types, tables.hpp reads and writes them). A second
// implementation passes the same tests (tests/founder/store/contract.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace stratum::founder {

// Stores keep these by their number: new ones go to the end.
enum class Kind {
    kCluster,    // one record: what init was given, and the generation
    kGuard,      // one record: the failed reveals of the last hour
    kJoinCode,   // by codeId
    kJoin,       // by join id
    kJoinOrder,  // by sequence: the join's id, so that lists can be newest first
    kLiveJoin,   // by join id: joins that are not over
    kInventory,  // by join id, or by node id for a founder's own
    kNodeYaml,   // by join id
    kBundle,     // by join id; bytes
    kLogLine,    // by join id / line number
    kMember,     // by node id
    kToken,      // by token id
    kAudit,      // by sequence; append only: see Transaction::put
    kRemoved,    // by the client key's fingerprint: members that were removed
    kAuditHead,  // one record: the newest entry of the audit
    kGiven,      // by the request's digest: an answer that is given again to the same request
    kJoinChange, // by the number of its last change: the join's id
    kBucket,     // by name: what is left of a rate
    kSample,     // by node id: a member's last report of its substrate (samples.hpp), as JSON
};

// What only one owner may hold at a time.
enum class Claim {
    kName, // a node's name
    kNodeId,
    kAddress,     // without prefix, as IpAddress writes it
    kDiskKey,     // a WWN
    kJoinKey,     // a client key's fingerprint; the owner is a join
    kPairingCode, // among joins that are not over
    kTokenHash,
};

struct Entry {
    std::string id;
    std::string value;
    friend bool operator==(const Entry&, const Entry&) = default;
};

struct ListOptions {
    std::string prefix; // of the id
    std::string after;  // ids behind this one, in the order of the list; empty: from the start
    std::size_t limit = SIZE_MAX; // the most entries
    bool descending = false;      // by the bytes of the id, else ascending
};

// Ids are printable ASCII of 1 to 200 bytes; values are any bytes.
//
// One look at the store, or one change of it. Lives only inside `Store::read` or `write`, on one
// thread. Any call may fail with kIo; after a failure the transaction cannot be committed.
class Transaction {
public:
    virtual ~Transaction() = default;

    virtual Result<std::optional<std::string>> get(Kind kind, const std::string& id) = 0;
    virtual Result<std::vector<Entry>> list(Kind kind, const ListOptions& options) = 0;
    // An entry of kAudit that is there can neither be replaced nor erased: kIo, and the transaction
    // cannot be committed.
    virtual Status put(Kind kind, const std::string& id, const std::string& value) = 0;
    virtual Status erase(Kind kind, const std::string& id) = 0; // absent is no error

    // Who holds it, if somebody does.
    virtual Result<std::optional<std::string>> holder(Claim claim, const std::string& value) = 0;
    // Everything of this sort that is held: ids are the values, values the owners; by the value.
    virtual Result<std::vector<Entry>> held(Claim claim) = 0;
    // kConflict with the present holder as message; the same owner again is no error. The
    // transaction can go on after a conflict.
    virtual Status take(Claim claim, const std::string& value, const std::string& owner) = 0;
    // Gives back everything of this sort that the owner holds.
    virtual Status give_back(Claim claim, const std::string& owner) = 0;

    // 1, 2, 3 … for each name; a rolled-back transaction gives its numbers back.
    virtual Result<std::int64_t> next(const std::string& counter) = 0;
};

enum class Ending { kCommit, kRollBack };

class Store {
public:
    // Must have no effect outside the transaction but on variables that it sets anew: where two
    // founders meet, an implementation may run it again.
    using Work = std::function<Result<Ending>(Transaction&)>;

    virtual ~Store() = default;

    // Runs alone: what the work read still holds when it commits. When this returns without error
    // for a commit, the change is on disk. An error of the work rolls back and is passed on.
    // kUnavailable: another founder kept the store busy past the limit. Safe from any thread.
    virtual Status write(const Work& work) = 0;
    // A consistent look; writing in it is an error (kInternal). Safe from any thread.
    virtual Status read(const std::function<Status(Transaction&)>& work) = 0;
    // Another number after every commit, be it this founder's or another's on the same state: what
    // was read after asking holds while the number stays. Nothing where that cannot be told.
    virtual std::optional<std::uint64_t> version() = 0;
};

} // namespace stratum::founder
