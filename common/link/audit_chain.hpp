// The audit's chain: each entry carries a SHA-256 over itself and the entry before it, so that an
// entry that was changed, or one that is not there any more, shows. The founder writes it, whoever
// reads the audit can check it. Pure.
//
//   hash = SHA-256("stratum-audit-v1" 0x00 ‖ the hash before (32 bytes; zeros at the first entry)
//                  ‖ field ‖ field …)
//
// A field is its length (4 bytes, big-endian) and its UTF-8 bytes. The fields, as the API writes
// them and in this order (absent: empty): seq (decimal), at, action, actor, from, object, result,
// detail, requestId.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/document.hpp"
#include "common/base/hash.hpp"
#include "common/base/result.hpp"

namespace stratum::link {

struct AuditEntry {
    std::int64_t seq = 0;
    std::string at; // 2026-11-30T12:00:00Z
    std::string action;
    std::string actor;
    std::string from;
    std::string object;
    std::string result;
    std::string detail;
    std::string request_id;
};
// As GET /v1/admin/audit gives it; what is absent is empty.
AuditEntry read_audit_entry(const Node& node);

Sha256 audit_hash(const Sha256& before, const AuditEntry& entry);

// The newest entry, and where the chain begins: kept by the founder beside the entries, so that
// taking out the newest ones shows as well.
struct AuditHead {
    std::int64_t seq = 0;   // 0: the audit is empty
    std::int64_t first = 0; // entries before this one are older than the chain
    std::string hash;       // hex
};
// kInvalid where the answer has no head.
Result<AuditHead> read_audit_head(const Node& answer);

// An entry whose hash somebody wrote down earlier: "SEQ:HASH".
struct AuditMark {
    std::int64_t seq = 0;
    std::string hash;
};
Result<AuditMark> parse_audit_mark(std::string_view text);

struct AuditVerdict {
    std::int64_t checked = 0;   // entries of the chain that were read
    std::int64_t unchained = 0; // entries older than the chain
    std::int64_t broken_at = 0; // the first entry that does not hold or is missing; 0: none
    std::string why;
};

// Is shown every entry, newest first, as the API lists them; then says what it found.
class AuditCheck {
public:
    explicit AuditCheck(AuditHead head, std::vector<AuditMark> marks = {});
    void next(const AuditEntry& entry, const std::string& hash);
    [[nodiscard]] AuditVerdict finish();

private:
    void broken(std::int64_t at, std::string why);
    void join_with(std::int64_t older_seq, const Sha256& older_hash);

    struct Pending {
        AuditEntry entry;
        std::string hash;
    };
    AuditHead head_;
    std::vector<AuditMark> marks_;
    std::optional<Pending> newer_; // its hash is checked once the one before it is known
    AuditVerdict verdict_;
};

} // namespace stratum::link
