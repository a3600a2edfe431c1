// A transaction as the founder's own code uses it: typed, and with the first failure of the store
// remembered instead of handed on at each call. After a failure reads answer "absent", writes do
// nothing, and whoever opened the transaction rolls it back (see context.hpp): so the code between
// reads like what it means. What one transaction asks for again and again (the cluster's record,
// the members, the joins that hold a place) is read once, and anew after a write that may have
// changed it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "founder/store/tables.hpp"

namespace stratum::founder {

class Ledger {
public:
    explicit Ledger(Transaction& tx) : tx_(tx) {}

    [[nodiscard]] const Status& status() const { return status_; }

    template<class T>
    std::optional<T> get(const std::string& id) {
        return value_of(founder::get<T>(tx_, id));
    }
    template<class T>
    std::vector<T> list(const ListOptions& options = {}) {
        return value_of(founder::list<T>(tx_, options));
    }
    template<class T>
    void put(const std::string& id, const T& record) {
        forget(KindOf<T>::kind);
        keep(founder::put(tx_, id, record));
    }

    std::optional<ClusterRecord> cluster() {
        return once(cluster_, [&] { return get<ClusterRecord>(kOnly); });
    }
    std::vector<MemberRecord> members() {
        return once(members_, [&] { return list<MemberRecord>(); });
    }
    // Whatever `read` gives: see placed_joins in lifecycle.hpp.
    template<class Read>
    std::vector<JoinRecord> placed(const Read& read) {
        return once(placed_, read);
    }

    std::optional<std::string> text(Kind kind, const std::string& id) {
        return value_of(tx_.get(kind, id));
    }
    void put_text(Kind kind, const std::string& id, const std::string& value) {
        forget(kind);
        keep(tx_.put(kind, id, value));
    }
    std::vector<Entry> entries(Kind kind, const ListOptions& options = {}) {
        return value_of(tx_.list(kind, options));
    }
    void erase(Kind kind, const std::string& id) {
        forget(kind);
        keep(tx_.erase(kind, id));
    }

    std::optional<std::string> holder(Claim claim, const std::string& value) {
        return value_of(tx_.holder(claim, value));
    }
    std::vector<Entry> held(Claim claim) { return value_of(tx_.held(claim)); }
    // False: somebody else holds it.
    [[nodiscard]] bool take(Claim claim, const std::string& value, const std::string& owner) {
        if (!status_) return false;
        placed_.reset();
        const Status taken = tx_.take(claim, value, owner);
        if (!taken && taken.error().code == ErrorCode::kConflict) return false;
        return keep(taken);
    }
    void give_back(Claim claim, const std::string& owner) {
        placed_.reset();
        keep(tx_.give_back(claim, owner));
    }
    std::int64_t next(const std::string& counter) { return value_of(tx_.next(counter)); }

    // Joins that this transaction changes: whoever waits for one is told once it is committed.
    void note_changed(const std::string& join) { changed_joins_.push_back(join); }
    [[nodiscard]] const std::vector<std::string>& changed_joins() const { return changed_joins_; }

    // A record that has to be there and is not: the store does not hold together.
    void fault(const std::string& what) {
        keep(fail(ErrorCode::kInternal, "the founder's store: " + what));
    }

private:
    // What a kind's records are read into.
    void forget(Kind kind) {
        if (kind == Kind::kCluster) cluster_.reset();
        if (kind == Kind::kMember) members_.reset();
        if (kind == Kind::kJoin || kind == Kind::kLiveJoin) placed_.reset();
    }
    template<class T, class Read>
    T once(std::optional<T>& kept, const Read& read) {
        if (!kept) kept = read();
        return *kept;
    }
    bool keep(const Status& done) {
        if (status_ && !done) status_ = done;
        return status_.has_value();
    }
    template<class T>
    T value_of(Result<T> result) {
        if (result && status_) return std::move(*result);
        if (!result) keep(tl::make_unexpected(result.error()));
        return T{};
    }

    Transaction& tx_;
    Status status_;
    std::optional<std::optional<ClusterRecord>> cluster_;
    std::optional<std::vector<MemberRecord>> members_;
    std::optional<std::vector<JoinRecord>> placed_;
    std::vector<std::string> changed_joins_;
};

} // namespace stratum::founder
