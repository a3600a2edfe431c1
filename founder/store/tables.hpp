// Records read from and written to a transaction by type. A record is kept as one line of JSON
// whose members are this build's; members it does not know are ignored, so that an older founder
// can still read what a newer one wrote beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "founder/store/records.hpp"
#include "founder/store/store.hpp"

namespace stratum::founder {

// Pure: the record as it is kept, and back (kInvalid: not what was written).
std::string encode(const ClusterRecord& record);
std::string encode(const GuardRecord& record);
std::string encode(const JoinCodeRecord& record);
std::string encode(const JoinRecord& record);
std::string encode(const MemberRecord& record);
std::string encode(const RemovedRecord& record);
std::string encode(const TokenRecord& record);
std::string encode(const AuditRecord& record);
std::string encode(const AuditHeadRecord& record);
std::string encode(const GivenRecord& record);
std::string encode(const BucketRecord& record);
std::string encode(const link::LogLine& line);
Status decode(const std::string& text, ClusterRecord& record);
Status decode(const std::string& text, GuardRecord& record);
Status decode(const std::string& text, JoinCodeRecord& record);
Status decode(const std::string& text, JoinRecord& record);
Status decode(const std::string& text, MemberRecord& record);
Status decode(const std::string& text, RemovedRecord& record);
Status decode(const std::string& text, TokenRecord& record);
Status decode(const std::string& text, AuditRecord& record);
Status decode(const std::string& text, AuditHeadRecord& record);
Status decode(const std::string& text, GivenRecord& record);
Status decode(const std::string& text, BucketRecord& record);
Status decode(const std::string& text, link::LogLine& line);

// Which kind keeps a type.
template<class T>
struct KindOf;
template<>
struct KindOf<ClusterRecord> {
    static constexpr Kind kind = Kind::kCluster;
};
template<>
struct KindOf<GuardRecord> {
    static constexpr Kind kind = Kind::kGuard;
};
template<>
struct KindOf<JoinCodeRecord> {
    static constexpr Kind kind = Kind::kJoinCode;
};
template<>
struct KindOf<JoinRecord> {
    static constexpr Kind kind = Kind::kJoin;
};
template<>
struct KindOf<MemberRecord> {
    static constexpr Kind kind = Kind::kMember;
};
template<>
struct KindOf<RemovedRecord> {
    static constexpr Kind kind = Kind::kRemoved;
};
template<>
struct KindOf<TokenRecord> {
    static constexpr Kind kind = Kind::kToken;
};
template<>
struct KindOf<AuditRecord> {
    static constexpr Kind kind = Kind::kAudit;
};
template<>
struct KindOf<AuditHeadRecord> {
    static constexpr Kind kind = Kind::kAuditHead;
};
template<>
struct KindOf<GivenRecord> {
    static constexpr Kind kind = Kind::kGiven;
};
template<>
struct KindOf<BucketRecord> {
    static constexpr Kind kind = Kind::kBucket;
};
template<>
struct KindOf<link::LogLine> {
    static constexpr Kind kind = Kind::kLogLine;
};

// The id of the kinds that have one record.
inline constexpr const char* kOnly = "only";

template<class T>
Result<std::optional<T>> get(Transaction& tx, const std::string& id) {
    auto text = tx.get(KindOf<T>::kind, id);
    if (!text) return tl::make_unexpected(text.error());
    if (!*text) return std::optional<T>();
    T record;
    if (auto done = decode(**text, record); !done) return fail_in("record " + id, done.error());
    return std::optional<T>(std::move(record));
}

template<class T>
Status put(Transaction& tx, const std::string& id, const T& record) {
    return tx.put(KindOf<T>::kind, id, encode(record));
}

template<class T>
Result<std::vector<T>> list(Transaction& tx, const ListOptions& options = {}) {
    auto entries = tx.list(KindOf<T>::kind, options);
    if (!entries) return tl::make_unexpected(entries.error());
    std::vector<T> all;
    all.reserve(entries->size());
    for (const Entry& entry : *entries) {
        T record;
        if (auto done = decode(entry.value, record); !done)
            return fail_in("record " + entry.id, done.error());
        all.push_back(std::move(record));
    }
    return all;
}

// Sequence numbers as ids whose byte order is their order.
std::string sequence_id(std::int64_t sequence);

} // namespace stratum::founder
