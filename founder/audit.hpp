// The audit: who did what to what, when, from where, with what result. Rows are only ever added,
// each chained to the one before (common/link/audit_chain.hpp), in the transaction that does what
// they tell; a refusal is told in one of its own.
#pragma once

#include <string>

#include "founder/context.hpp"

namespace stratum::founder {

// When, by whom and why something happens.
struct Occasion {
    std::int64_t now = 0;
    Caller caller{"founder", "", ""};
    std::string detail; // for the audit
};

AuditRecord audit_of(const Occasion& occasion, const std::string& action,
                     const std::string& object);
// Numbers it, chains it and adds it.
void write_audit(Ledger& ledger, AuditRecord entry);
// A refusal, stamped with the present time and "refused".
void audit_refusal(Context& context, const AuditRecord& entry);
// The same for a problem that was answered: its code and detail are the entry's.
void audit_refusal(Context& context, AuditRecord entry, const link::Problem& why);

// One page, newest first, and where the audit ends.
Answer<AuditPage> list_audit(Context& context, const AuditQuery& query);

// The row as the API writes it and as its hash is taken over it.
link::AuditEntry entry_of(const AuditRecord& record);

} // namespace stratum::founder
